/**
 * The story of `--reviewer skillbook`: transcripts are read and judged by the gate one by one, and
 * reflected on together; what they teach becomes operations on the Skillbook, proposed like any other.
 */
import { asFailure } from "./core/errors.ts";
import * as limits from "./core/limits.ts";
import { count, cut } from "./core/text.ts";
import { type LedgerMark, marksGiven, noteReviewed } from "./gate/ledger.ts";
import { stateDir } from "./git/repository.ts";
import {
  failed,
  ledgerEntry,
  type Outcome,
  type SessionSummary,
  sealedSession,
} from "./outcome.ts";
import { fetchOpenSkillbook, proposeSkillbook, type SkillbookChange } from "./propose-skillbook.ts";
import { listDeclined } from "./publish/declined.ts";
import { readSkillbook } from "./read-skillbook.ts";
import { recallReflected } from "./recall-reviewed.ts";
import { openSpool, type RedactedTranscript } from "./redact-transcript.ts";
import type { Learned, SkillbookReviewer } from "./review/skillbook/skillbook-reviewer.ts";
import { isKept, type Run } from "./run.ts";
import { digestOf, madeOf, marksIn, withoutMarked } from "./skillbook-learned.ts";
import type { SkillbookOutcome } from "./skillbook-outcome.ts";
import type { Skillbook } from "./skills/skillbook.ts";
import { SKILLBOOK_FOLDER } from "./skills/skillbook-files.ts";
import { type TakenIn, takeIn } from "./take-in.ts";
import { readTemplate } from "./templates.ts";
import { observationsOf } from "./transcript/observations.ts";
import type { TranscriptSource } from "./transcript/read-transcript.ts";
import type { TextSpool } from "./transcript/text-spool.ts";

export type SkillbookReviewRun = Run & { readonly reviewer: SkillbookReviewer };

/** One Outcome a transcript, in their order; sessions that were reflected on together share theirs. Only a bug is thrown. */
export async function reviewForSkillbook(
  sources: readonly TranscriptSource[],
  run: SkillbookReviewRun,
): Promise<(Outcome | SkillbookOutcome)[]> {
  const outcomes: (Outcome | SkillbookOutcome)[] = [];
  if (!run.dryRun) await recallReflected(run);
  for (let at = 0; at < sources.length; at += limits.SKILLBOOK_SESSIONS_MAX)
    outcomes.push(
      ...(await reviewTogether(sources.slice(at, at + limits.SKILLBOOK_SESSIONS_MAX), run)),
    );
  return outcomes;
}

/** A session that passed the gate, and its place among the outcomes. */
interface Scheduled {
  readonly at: number;
  readonly taken: TakenIn;
  readonly transcript: RedactedTranscript;
  readonly summary: SessionSummary;
}

async function reviewTogether(
  sources: readonly TranscriptSource[],
  run: SkillbookReviewRun,
): Promise<(Outcome | SkillbookOutcome)[]> {
  const spools: TextSpool[] = [];
  const outcomes = new Map<number, Outcome | SkillbookOutcome>();
  try {
    const scheduled: Scheduled[] = [];
    for (const [at, source] of sources.entries()) {
      const spool = openSpool(run.repository);
      spools.push(spool);
      const taken = await schedule(source, spool, run);
      if ("outcome" in taken) outcomes.set(at, taken.outcome);
      else scheduled.push({ ...taken, at });
    }
    if (scheduled.length > 0)
      for (const [at, outcome] of await learnFrom(scheduled, run)) outcomes.set(at, outcome);
  } finally {
    for (const spool of spools) spool[Symbol.dispose]();
  }
  return sources.flatMap((_, at) => outcomes.get(at) ?? []);
}

async function schedule(
  source: TranscriptSource,
  spool: TextSpool,
  run: SkillbookReviewRun,
): Promise<Omit<Scheduled, "at"> | { readonly outcome: Outcome }> {
  let known: Pick<Outcome, "session"> = {};
  try {
    const taken = await takeIn(source, spool, run, (session) => {
      known = { session };
    });
    if ("outcome" in taken) return taken;
    return { taken, ...(await taken.redacted()) };
  } catch (error) {
    return { outcome: { ...known, ...failed(asFailure(error)) } };
  }
}

async function learnFrom(
  scheduled: readonly Scheduled[],
  run: SkillbookReviewRun,
): Promise<[at: number, outcome: Outcome | SkillbookOutcome][]> {
  try {
    const { outcome, given } = await propose(scheduled, run);
    if (isKept(run, outcome) && outcome.status !== "failed" && !isInTheWay(outcome))
      for (const [at, one] of scheduled.entries()) {
        const { taken, summary } = one;
        const entry = ledgerEntry(taken.session, summary, outcome);
        const fresh = outcome.status === "refused" ? [] : (given[at] ?? []);
        const marks = await marksGiven(taken.ledger, sessionOf(one), fresh);
        const known = marks.length > 0 ? { marks } : {};
        await noteReviewed(taken.ledger, { ...entry, ...known }, run);
      }
    return scheduled.map(({ at, summary }) => [at, { session: summary, ...outcome }]);
  } catch (error) {
    const outcome = failed(asFailure(error));
    return scheduled.map(({ at, summary }) => [at, { session: summary, ...outcome }]);
  }
}

/** As the ledger knows it. */
function sessionOf({ taken, summary }: Scheduled) {
  const { id: sessionId, agent } = summary;
  return { agent, sessionId, turns: taken.session.turns.length };
}

/** What somebody has to clear away first can be tried again after that. */
function isInTheWay({ proposals }: Outcome): boolean {
  return proposals.some(({ operation }) => operation === "blocked");
}

interface Proposed {
  readonly outcome: SkillbookOutcome;
  /** The marks that each session gives. */
  readonly given: readonly (readonly LedgerMark[])[];
}

async function propose(
  scheduled: readonly Scheduled[],
  run: SkillbookReviewRun,
): Promise<Proposed> {
  const { repository, config } = run;
  const { skillsRoot } = config;
  await fetchOpenSkillbook(run);
  const { skillbook, skills } = await readSkillbook(run);
  const declined = await listDeclined(stateDir(repository));
  const redact = redactBy(scheduled);
  run.onStep(`reflecting on ${scheduled.length} of the sessions`);
  const startedAt = performance.now();
  const learned = await run.reviewer.learn({
    sessions: await Promise.all(
      scheduled.map(async (one) => ({
        session: one.transcript.session,
        newFrom: one.taken.newFrom,
        markFrom: one.taken.markFrom,
        marked: await marksGiven(one.taken.ledger, sessionOf(one)),
      })),
    ),
    skillbook,
    skills,
    skillsRoot,
    declined: await Promise.all(
      declined.flatMap(({ skill, reason }) =>
        skill === SKILLBOOK_FOLDER && reason !== null ? [redact(reason)] : [],
      ),
    ),
    redact,
    timeoutMs: config.timeoutSeconds * 1000,
    signal: run.signal,
  });
  const usage = { ...learned.usage, durationMs: Math.round(performance.now() - startedAt) };
  const change = await changeOf(scheduled, learned, { skillbook, skills, redact, usage });
  const outcome = await proposeSkillbook(change, {
    ...run,
    messageTemplate: readTemplate("skillbook-commit-message.txt"),
  });
  const isNothing = learned.batch.operations.length === 0 && outcome.status === "nothing_to_save";
  const detail = isNothing ? { detail: NOTHING_LEARNED } : {};
  const warnings = [...learned.warnings, ...outcome.warnings];
  const given = scheduled.map((_, at) => marksIn(learned.batch, at));
  return { outcome: { ...outcome, ...detail, usage, warnings }, given };
}

const NOTHING_LEARNED = "the sessions taught nothing that the Skillbook should hold";

/** The redactors of the sessions, one after the other: a secret of one is one in all. */
function redactBy(scheduled: readonly Scheduled[]): (text: string) => Promise<string> {
  return async (text) => {
    let clean = text;
    for (const { transcript } of scheduled)
      clean = (await transcript.redactor.redact([clean]))[0] ?? "";
    return clean;
  };
}

async function changeOf(
  scheduled: readonly Scheduled[],
  learned: Learned,
  seen: {
    readonly skillbook: Skillbook;
    readonly skills: ReadonlySet<string>;
    readonly redact: SkillbookChange["redact"];
    readonly usage: SkillbookChange["usage"];
  },
): Promise<SkillbookChange> {
  const [first] = scheduled;
  if (first === undefined) throw new Error("no session to learn from");
  const sessions = scheduled.map(({ transcript }) => transcript.session);
  return {
    make: (now, skills, isMarked) => {
      const batch = withoutMarked(learned.batch, sessions, isMarked);
      const made = madeOf(batch, seen.skillbook, now, new Set([...skills, ...seen.skills]));
      const left = learned.batch.operations.length - batch.operations.length;
      if (!made.ok || left === 0) return made;
      const what = `${count(left, "mark")} of the same session came earlier, and counts once`;
      return { ...made, warnings: [...made.warnings, what] };
    },
    why: cut(learned.batch.reasoning, limits.PROPOSAL_WHY_MAX_CHARS),
    session: sealedSession(first.transcript.session),
    alsoFrom: sessions.slice(1).map(sealedSession),
    digestOf: (mark) => digestOf(mark, sessions),
    usage: seen.usage,
    observed: observationsOf(...sessions),
    redact: seen.redact,
    sessionTexts: async () => {
      const texts = await Promise.all(scheduled.map(({ transcript }) => transcript.transcript()));
      return { parts: texts.flatMap(({ parts }) => parts) };
    },
  };
}

/**
 * The story of skillpr: a transcript is read and judged by the gate; a reviewer writes skills into a
 * workspace that holds nothing else; that is sealed, verified, and published for a person to accept.
 */
import { join } from "node:path";
import { SkillprError, systemFailure } from "./core/errors.ts";
import * as limits from "./core/limits.ts";
import { decide } from "./gate/decide.ts";
import { reviewedBefore } from "./gate/growth.ts";
import { noteReviewed, openLedger } from "./gate/ledger.ts";
import { resolveAcceptedBase } from "./git/accepted-base.ts";
import { ObjectReader } from "./git/objects.ts";
import { GitProjectFiles } from "./git/project-files.ts";
import { type Base, stateDir } from "./git/repository.ts";
import { openWorkspace, pruneWorkspaces } from "./git/workspace.ts";
import {
  failed,
  ledgerEntry,
  type Outcome,
  published,
  reviewFindings,
  sealedSession,
  skipped,
  summarize,
  unpublished,
  withRedactions,
} from "./outcome.ts";
import { writeProposals } from "./proposal/proposal-files.ts";
import { seal } from "./proposal/seal.ts";
import { listDeclined } from "./publish/declined.ts";
import { isOpen, listProposalBranches, overlaysOf } from "./publish/open-proposals.ts";
import { publishProposals } from "./publish/publish-proposals.ts";
import { isBlocked } from "./publish/publish-to-branch.ts";
import { openSpool, type RedactedTranscript, redactTranscript } from "./redact-transcript.ts";
import { startDeadline, unlessStopped } from "./review/deadline.ts";
import { reviewInput } from "./review-input.ts";
import { isKept, type Run, writesOf } from "./run.ts";
import { createRedactor } from "./secrets/redactor.ts";
import { listSkills } from "./skills/list-skills.ts";
import { observationsOf } from "./transcript/observations.ts";
import { readTranscript, type TranscriptSource } from "./transcript/read-transcript.ts";

/** Reviews one transcript; whatever happens to it, the answer is one Outcome. Only a bug is thrown. */
export async function review(source: TranscriptSource, run: Run): Promise<Outcome> {
  let known: Pick<Outcome, "session" | "base"> = {};
  try {
    run.onStep("reading the transcript");
    using spool = openSpool(run.repository);
    const session = await readTranscript(source, spool);
    const writes = writesOf(session, run);
    const redactor = createRedactor({ credentials: run.credentials });
    const summary = await summarize(session, writes.length > 0, redactor);
    known = { session: summary };

    const ledger = openLedger(join(stateDir(run.repository), "reviewed"));
    const growth = await reviewedBefore(ledger, session, summary.id);
    for (const note of [...session.notes, ...ledger.notes()]) run.onNote(note);
    const gate = { ...run.config, ...growth, session, skillWrites: writes };
    const verdict = run.force ? null : decide(gate, run.countsSince);
    if (verdict?.status === "skipped") return { ...known, ...(await skipped(verdict, redactor)) };

    const base = await resolveAcceptedBase(run.repository, run.config.base, run.config.skillsRoot);
    if (!run.dryRun) await run.pullRequests?.fetchOpen(base);
    const redacted = await redactTranscript(session, spool, redactor);
    const { ref, commit } = base;
    known = { session: withRedactions(summary, redactor), base: { ref, commit } };
    const { outcome, isFinal } = await reviewUntilFresh({ ...redacted, ...growth, base, run });
    if (isFinal && isKept(run, outcome))
      await noteReviewed(ledger, ledgerEntry(session, summary, outcome), run);
    return { ...known, ...outcome };
  } catch (error) {
    const failure = error instanceof SkillprError ? error : systemFailure(error);
    if (failure === null) throw error;
    return { ...known, ...failed(failure) };
  }
}

interface ReviewTask extends RedactedTranscript {
  readonly newFrom: string | null;
  readonly base: Base;
  readonly run: Run;
}

/** When another process moved a branch meanwhile, the review starts again from where it is now. */
async function reviewUntilFresh(task: ReviewTask) {
  for (let tries = 1; ; tries++) {
    const reviewed = await reviewOnce(task);
    const isStale = reviewed.results.some(({ receipt }) => isBlocked(receipt, "stale"));
    if (!isStale || tries === limits.REVIEW_TRIES) return reviewed;
  }
}

async function reviewOnce(task: ReviewTask) {
  const { session, base, run } = task;
  const { repository, config, messageTemplate, pullRequests } = run;
  const { skillsRoot, rules: levels } = config;
  await pruneWorkspaces(repository, { onNote: run.onNote });
  await using reader = new ObjectReader(repository.git, repository.objectFormat);
  const context = { repository, reader, base, skillsRoot };
  const open = (await listProposalBranches(context)).filter(isOpen);
  const declined = await listDeclined(stateDir(repository));

  run.onStep("opening the workspace");
  const { overlays, notes } = await overlaysOf(reader, open);
  for (const note of notes) run.onNote(note);
  await using workspace = await openWorkspace(repository, { base, skillsRoot, overlays });
  await using project = new GitProjectFiles(repository, base);

  run.onStep(`reviewing ${session.toolCallCount} tool calls`);
  const proposed = new Set(open.map(({ skill }) => skill));
  const startedAt = performance.now();
  const existing = listSkills(workspace.sourceFiles(), skillsRoot, proposed);
  const baseDate = (await reader.commit(base.commit)).committer.date;
  const given = { ...task, workspace, project, baseDate, existing, declined };
  using deadline = startDeadline(config.timeoutSeconds * 1000, run.signal);
  const input = { ...(await reviewInput(given)), signal: deadline.signal };
  const reviewing = run.reviewer.review(input);
  const result = await unlessStopped(reviewing, deadline.signal, limits.REVIEW_STOP_GRACE_MS);
  const usage = { ...result.usage, durationMs: Math.round(performance.now() - startedAt) };

  run.onStep("verifying");
  const sealed = await seal({
    repository,
    workspace,
    skillsRoot,
    base,
    openTips: new Map(open.map(({ skill, tip, tree }) => [skill, { commit: tip, tree }])),
    session: sealedSession(session),
    usage,
    why: new Map(result.notes.map(({ skill, why }) => [skill, why])),
    observed: observationsOf(session),
    redact: input.redact,
    extras: { levels, userSkills: run.userSkills ?? [] },
    sessionTexts: task.transcript,
    reviewFindings: reviewFindings(usage),
    withDiffs: run.dryRun,
  });
  if (run.outDir !== null) await writeProposals(run.outDir, sealed.proposals);
  const nothing = unpublished(sealed.findings, usage, result.silence);
  if (nothing.status === "refused") return { outcome: nothing, results: [], isFinal: true };

  run.onStep("publishing");
  const isDryRun = run.dryRun || config.publish === "none";
  const target = { repository, base, declined, messageTemplate, levels, isDryRun, pullRequests };
  const results = await publishProposals(sealed.proposals, target);
  if (results.length === 0) return { outcome: nothing, results, isFinal: true };
  const isFinal = !results.some(({ receipt }) => isBlocked(receipt, "in-the-way", "stale"));
  return { outcome: published(results, sealed, usage), results, isFinal };
}

/**
 * Works review comments into an open proposal: what people said becomes the session of a review, a user turn for each
 * comment, and the reviewer edits that one skill in a workspace at its branch. What comes of it is sealed, verified and
 * published like everything else; publishing replies to the comments.
 */
import { createHash } from "node:crypto";
import { asFailure, SkillprError } from "./core/errors.ts";
import * as limits from "./core/limits.ts";
import { count, cut, safeLine } from "./core/text.ts";
import { resolveAcceptedBase } from "./git/accepted-base.ts";
import { ObjectReader } from "./git/objects.ts";
import { type Base, stateDir } from "./git/repository.ts";
import { pruneWorkspaces } from "./git/workspace.ts";
import {
  failed,
  NOTHING,
  type Outcome,
  published,
  reviewFindings,
  unpublished,
} from "./outcome.ts";
import type { Proposal } from "./proposal/proposal.ts";
import { writeProposals } from "./proposal/proposal-files.ts";
import { type Sealed, seal } from "./proposal/seal.ts";
import { lastSealed } from "./proposals.ts";
import { type Declined, listDeclined } from "./publish/declined.ts";
import { listOpenProposals, type ProposalBranch, tipsOf } from "./publish/open-proposals.ts";
import type { OpenOnGithub } from "./publish/proposals-on-github.ts";
import { type Published, publishProposals } from "./publish/publish-proposals.ts";
import { type Feedback, feedbackDigest } from "./publish/review-feedback.ts";
import type { RedactedTranscript } from "./redact-transcript.ts";
import type { Reviewer, ReviewResult } from "./review/reviewer.ts";
import { letReview, openReviewPlace } from "./review-place.ts";
import type { Run } from "./run.ts";
import { createRedactor } from "./secrets/redactor.ts";
import { SKILLBOOK_FOLDER } from "./skills/skillbook-files.ts";
import { redactSession } from "./transcript/redact-session.ts";
import { REVIEW_COMMENTS } from "./transcript/render.ts";
import type { Session, Turn } from "./transcript/session.ts";
import { sessionText } from "./transcript/session-text.ts";
import { hasError } from "./verify/finding.ts";
import { withoutSession } from "./without-session.ts";

export type RevisingRun = Run & { readonly reviewer: Reviewer };

/**
 * Whatever happens, the answer is one Outcome; only a bug is thrown. Where nothing waits, no model is asked.
 * @param asked an open proposal, whose branch is here, and what was said of it
 */
export async function revise(asked: OpenOnGithub, run: RevisingRun): Promise<Outcome> {
  const { number, waiting } = asked;
  if (waiting.length === 0) {
    const detail = `nothing on #${number} waits to be worked in`;
    return { status: "nothing_to_save", detail, ...NOTHING };
  }
  try {
    const { repository, config } = run;
    const base = await resolveAcceptedBase(repository, config.base, config.skillsRoot);
    const told = await tellFeedback(asked, run);
    return { base: { ref: base.ref, commit: base.commit }, ...(await reviseOn(base, told, run)) };
  } catch (error) {
    return failed(asFailure(error));
  }
}

interface Told extends RedactedTranscript {
  readonly asked: OpenOnGithub;
}

async function reviseOn(base: Base, told: Told, run: RevisingRun): Promise<Outcome> {
  const { asked } = told;
  const { repository, config } = run;
  const { skillsRoot, rules: levels } = config;
  const { skill } = asked;
  await pruneWorkspaces(repository, { onNote: run.onNote });
  await using reader = new ObjectReader(repository.git, repository.objectFormat);
  const context = { repository, reader, base, skillsRoot };
  const open = await listOpenProposals(context);
  const branch = requireOurs(open, asked);
  const prior = await lastSealed(repository, branch);
  const declined = await listDeclined(stateDir(repository));

  await using place = await openReviewPlace(base, reader, open, run);
  run.onStep(`working in ${count(asked.waiting.length, "comment")} on #${asked.number}`);
  const given = { ...told, ...place, run, declined, newFrom: null, revising: { skill } };
  const { redact, result, usage } = await letReview(given, run);

  run.onStep("verifying");
  const sealed = await seal({
    repository,
    workspace: place.workspace,
    skillsRoot,
    base,
    openTips: tipsOf(open),
    session: prior?.session ?? withoutSession({ ...told.session, agent: FEEDBACK_AGENT }),
    usage,
    why: new Map(result.notes.map((note) => [note.skill, note.why])),
    observed: null,
    redact,
    extras: { levels, userSkills: run.userSkills ?? [] },
    sessionTexts: null,
    reviewFindings: reviewFindings(usage),
    withDiffs: run.dryRun,
  });
  const findings = [...sealed.findings, ...strayFindings(sealed, skill)];
  if (hasError(findings) || sealed.proposals.length === 0)
    return unpublished(findings, usage, result.silence ?? silenceOf(result));
  const proposals = sealed.proposals.map((one) => revised(one, { prior, asked, result }));
  const results = await handOver(proposals, base, declined, run);
  return published(results, sealed, usage);
}

/** To the folder of `--out`, to the branch, and from there to the pull request. */
async function handOver(
  proposals: readonly Proposal[],
  base: Base,
  declined: readonly Declined[],
  run: RevisingRun,
): Promise<Published[]> {
  const { repository, config, messageTemplate, pullRequests, outDir } = run;
  if (outDir !== null) await writeProposals(outDir, proposals);
  run.onStep("publishing");
  const isDryRun = run.dryRun || config.publish === "none";
  const common = { repository, base, declined, messageTemplate, pullRequests };
  return publishProposals(proposals, { ...common, levels: config.rules, isDryRun });
}

/** @throws SkillprError `input` when its branch isn't here, or isn't skillpr's to go on with */
function requireOurs<T extends ProposalBranch>(
  open: readonly T[],
  { skill, number }: OpenOnGithub,
): T {
  const branch = open.find((one) => one.skill === skill);
  const name = `auto-skill/${skill}`;
  if (skill === SKILLBOOK_FOLDER)
    throw new SkillprError(
      "input",
      `#${number} is about the Skillbook, which is made of operations and not edited`,
      "send operations that say what the comments ask for: skillpr apply BATCH.json",
    );
  if (branch === undefined)
    throw new SkillprError(
      "input",
      `the branch ${name} of #${number} is not open in this repository`,
      `fetch it if it is skillpr's alone (git fetch origin ${name}:${name}); one that somebody else worked on is theirs to revise`,
    );
  if (branch.foreign !== null)
    throw new SkillprError(
      "input",
      `${name} has a commit by ${cut(safeLine(branch.foreign.author.name), limits.QUOTE_MAX_CHARS)}, so the branch is theirs`,
      "work the comments in by hand, or take that commit off the branch",
    );
  return branch;
}

/** A revision changes the one skill that was commented on, whatever the reviewer did. */
function strayFindings({ proposals }: Sealed, skill: string): Sealed["findings"] {
  const strays = proposals.filter((one) => one.skill !== skill);
  return strays.map((one) => ({
    rule: "review.other-skill",
    level: "error",
    path: `${one.skillsRoot}/${one.skill}`,
    line: null,
    message: `The comments are about ${skill}, and the reviewer changed ${one.skill}.`,
    hint: "Run it again; if it happens again, revise the skill by hand.",
  }));
}

function silenceOf({ lastWords = "" }: ReviewResult): string {
  const said = safeLine(lastWords.trim());
  if (said === "") return "the reviewer changed nothing";
  return `the reviewer changed nothing and says: ${cut(said, limits.FEEDBACK_ANSWER_MAX_CHARS)}`;
}

/** With what the session showed when the skill was learned, as far as the skill still says it. */
function revised(
  proposal: Proposal,
  {
    prior,
    asked,
    result,
  }: { prior: Proposal | null; asked: OpenOnGithub; result: Pick<ReviewResult, "lastWords"> },
): Proposal {
  const said = answersIn(result.lastWords ?? "");
  const answers = asked.waiting.map((one, index) => ({
    id: one.id,
    digest: feedbackDigest(one),
    words: said.get(turnOf(index)) ?? null,
  }));
  const revision = { number: asked.number, answers };
  if (prior === null) return { ...proposal, revision };
  const text = proposal.files.map(({ content }) => content).join("\n");
  const isKept = ({ command }: { command: string }) => text.includes(command);
  return {
    ...proposal,
    why: prior.why,
    signals: prior.signals,
    evidence: prior.evidence.filter(isKept),
    ...(prior.alsoFrom !== undefined && {
      alsoFrom: prior.alsoFrom.map((one) => ({ ...one, evidence: one.evidence.filter(isKept) })),
    }),
    revision,
  };
}

/** `t1: what was changed`, as the reviewer was asked to end; marks of lists and bold letters are passed over. */
function answersIn(words: string): Map<string, string> {
  const lines = words.matchAll(/^[\s*\-`]*(t\d+)[*`]*:[*`]*\s*(\S.*)$/gm);
  return new Map(
    Array.from(lines, ([, turn = "", said = ""]) => {
      return [turn, cut(safeLine(said.trim()), limits.FEEDBACK_ANSWER_MAX_CHARS)];
    }),
  );
}

function turnOf(index: number): string {
  return `t${index + 1}`;
}

async function tellFeedback(asked: OpenOnGithub, run: RevisingRun): Promise<Told> {
  const redactor = createRedactor({ credentials: run.credentials });
  const session = await redactSession(feedbackSession(asked), redactor);
  return { asked, session, transcript: () => sessionText(session, null), redactor };
}

/** What was said of a pull request as a session: all of it people's words. */
function feedbackSession({ number, waiting }: OpenOnGithub): Session {
  const digest = createHash("sha256").update(JSON.stringify(waiting)).digest("hex");
  const turns = waiting.map((one, index): Turn => {
    const common = { role: "user", toolCalls: [], midTurn: false, rewound: false } as const;
    return { id: turnOf(index), text: asTurn(one), ...common, subagent: null, at: null };
  });
  return {
    id: `pull-request-${number}`,
    agent: FEEDBACK_AGENT,
    format: REVIEW_COMMENTS,
    ...{ agentVersion: null, cwd: null, branch: null, model: null },
    ...{ startedAt: null, endedAt: null, turns, notes: [], digest: `sha256:${digest}` },
    ...{ toolCallCount: 0, issuedToolCallCount: 0 },
    ...{ subagentToolCallCount: 0, failedToolCallCount: 0 },
  };
}

/** Stands where an agent's name does: nobody knows here which session the skill came from. */
const FEEDBACK_AGENT = REVIEW_COMMENTS;

function asTurn({ words, requestsChanges, path, line, quote }: Feedback): string {
  const at = line === null ? "" : `, line ${line}`;
  const on = path === null ? "On the proposal as a whole" : `On ${path}${at}`;
  const asks = requestsChanges ? ", requesting changes" : "";
  return [`[${on}${asks}]`, ...(quote === null ? [] : [`> ${quote}`]), words].join("\n");
}

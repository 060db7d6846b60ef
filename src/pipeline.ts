/**
 * The story of skillpr: a transcript is read and judged by the gate; a reviewer writes skills into a
 * workspace that holds nothing else; that is sealed, verified, and published for a person to accept.
 */
import { asFailure } from "./core/errors.ts";
import * as limits from "./core/limits.ts";
import { noteReviewed } from "./gate/ledger.ts";
import { resolveAcceptedBase } from "./git/accepted-base.ts";
import { ObjectReader } from "./git/objects.ts";
import { type Base, stateDir } from "./git/repository.ts";
import { pruneWorkspaces } from "./git/workspace.ts";
import {
  failed,
  ledgerEntry,
  type Outcome,
  published,
  reviewFindings,
  sealedSession,
  unpublished,
} from "./outcome.ts";
import { writeProposals } from "./proposal/proposal-files.ts";
import { seal } from "./proposal/seal.ts";
import { listDeclined } from "./publish/declined.ts";
import { listOpenProposals, tipsOf } from "./publish/open-proposals.ts";
import { publishProposals } from "./publish/publish-proposals.ts";
import { isBlocked } from "./publish/publish-to-branch.ts";
import { openSpool, type RedactedTranscript } from "./redact-transcript.ts";
import type { Reviewer } from "./review/reviewer.ts";
import { letReview, openReviewPlace } from "./review-place.ts";
import { isKept, type Run } from "./run.ts";
import { reviewForSkillbook } from "./skillbook-review.ts";
import { takeIn } from "./take-in.ts";
import { observationsOf } from "./transcript/observations.ts";
import type { TranscriptSource } from "./transcript/read-transcript.ts";

/**
 * Reviews one transcript: gate, review, seal, verify, publish.
 * @returns one Outcome, whatever happens to the transcript; a failure is `failed` with its error. Only a bug is thrown
 */
export async function review(source: TranscriptSource, run: Run): Promise<Outcome> {
  const { reviewer } = run;
  if ("learn" in reviewer) {
    const [outcome] = await reviewForSkillbook([source], { ...run, reviewer });
    if (outcome !== undefined) return outcome;
    throw new Error("a transcript without an outcome");
  }
  return reviewSkills(source, { ...run, reviewer });
}

async function reviewSkills(source: TranscriptSource, run: SkillsRun): Promise<Outcome> {
  let known: Pick<Outcome, "session" | "base"> = {};
  try {
    using spool = openSpool(run.repository);
    const taken = await takeIn(source, spool, run, (session) => {
      known = { session };
    });
    if ("outcome" in taken) return taken.outcome;
    const { session, ledger, newFrom } = taken;
    const base = await resolveAcceptedBase(run.repository, run.config.base, run.config.skillsRoot);
    if (!run.dryRun) await run.pullRequests?.fetchOpen(base);
    const { transcript, summary } = await taken.redacted();
    known = { session: summary, base: { ref: base.ref, commit: base.commit } };
    const { outcome, isFinal } = await reviewUntilFresh({ ...transcript, newFrom, base, run });
    if (isFinal && isKept(run, outcome))
      await noteReviewed(ledger, ledgerEntry(session, summary, outcome), run);
    return { ...known, ...outcome };
  } catch (error) {
    return { ...known, ...failed(asFailure(error)) };
  }
}

type SkillsRun = Run & { readonly reviewer: Reviewer };

interface ReviewTask extends RedactedTranscript {
  readonly newFrom: string | null;
  readonly base: Base;
  readonly run: SkillsRun;
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
  const open = await listOpenProposals(context);
  const declined = await listDeclined(stateDir(repository));

  await using place = await openReviewPlace(base, reader, open, run);
  run.onStep(`reviewing ${session.toolCallCount} tool calls`);
  const { redact, result, usage } = await letReview({ ...task, ...place, declined }, run);

  run.onStep("verifying");
  const sealed = await seal({
    repository,
    workspace: place.workspace,
    skillsRoot,
    base,
    openTips: tipsOf(open),
    session: sealedSession(session),
    usage,
    why: new Map(result.notes.map(({ skill, why }) => [skill, why])),
    observed: observationsOf(session),
    redact,
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

/** `command: plan`: what the review jobs can't see, and which of them reviews what; reads GitHub, shows no model anything. */
import { join, resolve } from "node:path";
import { SkillprError } from "../core/errors.ts";
import { OUTPUT_MAX_CHARS } from "../core/limits.ts";
import { count } from "../core/text.ts";
import { openRepository } from "../git/repository.ts";
import { exportInbox } from "../inbox.ts";
import { planReviews } from "../plan.ts";
import { matrixOf, type PlannedJob } from "../plan-matrix.ts";
import { writeContext } from "../review-context.ts";
import type { TranscriptSource } from "../transcript/read-transcript.ts";
import { type ActionResult, type ActionRun, actionResult, openCheckout } from "./action-run.ts";
import { isAsked } from "./event.ts";
import { pullRequestsIn } from "./github-access.ts";
import { sourcesOf } from "./review.ts";
import { log, notice } from "./runner.ts";

/** In the workspace, so that an artifact can hand it to the review jobs. */
const INBOX_FOLDER = "skillpr-inbox";

export async function runPlan(run: ActionRun): Promise<ActionResult> {
  const { inputs, event, workspace, temp } = run;
  const sources = await plannedSources(run);
  const jobs = await planReviews(sources, { cwd: workspace, maxJobs: inputs.maxJobs });
  for (const { id, repositories, count: transcripts, bytes } of jobs)
    log(
      `job ${id}: ${count(transcripts, "transcript")}, ${bytes} bytes, ${repositories.join(", ")}`,
    );
  const matrix = matrixText(jobs);
  const context = resolve(workspace, inputs.context ?? join(temp, "skillpr-context.json"));
  const known = await proposalsOf(run);
  await writeContext(context, known);
  const waiting = known.open.filter((one) => isAsked(one, event)).length;
  return actionResult({
    outcome: "ok",
    outputs: {
      matrix,
      jobs: String(jobs.length),
      "context-path": context,
      waiting: String(waiting),
    },
  });
}

/** The transcripts that the workflow names, and those of the inbox. */
async function plannedSources(run: ActionRun): Promise<TranscriptSource[]> {
  const { inputs, workspace } = run;
  // Only what was said on the proposals is wanted, for `revise`.
  if (!inputs.isInbox && inputs.transcripts.length === 0 && inputs.context !== null) return [];
  if (!inputs.isInbox) return sourcesOf(run);
  const dir = resolve(workspace, inputs.path);
  const repository = await openRepository(dir, { isTrusted: true });
  const { files, notes } = await exportInbox(repository, join(workspace, INBOX_FOLDER));
  for (const note of notes) notice(note);
  log(`${count(files.length, "transcript")} in the inbox`);
  const named = inputs.transcripts.length === 0 ? [] : await sourcesOf(run);
  return [...named, ...files.map((path) => ({ kind: "file", path }) as const)];
}

/** Nothing is known without a token: what was declined may then be proposed again, and publishing refuses it. */
async function proposalsOf(run: ActionRun) {
  if (run.credentials.githubToken === null) {
    notice("No github-token: the review jobs won't know what was declined or said on GitHub.");
    return { open: [], declined: [] };
  }
  const place = await openCheckout(run, { ...run.inputs.flags, publish: "pr" });
  const known = await (await pullRequestsIn(run, place))?.onGithub();
  const { open = [], declined = [] } = known ?? {};
  log(
    `${count(open.length, "open proposal")} and ${count(declined.length, "declined one")} on GitHub`,
  );
  return { open, declined };
}

/** @throws SkillprError `input` when an output can't hold it */
function matrixText(jobs: readonly PlannedJob[]): string {
  const matrix = JSON.stringify(matrixOf(jobs));
  if (matrix.length <= OUTPUT_MAX_CHARS) return matrix;
  throw new SkillprError(
    "input",
    `the names of the transcripts of ${count(jobs.length, "job")} are too long for an output`,
    "put the transcripts into archives, or plan them in several runs",
  );
}

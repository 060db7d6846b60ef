/** Where a reviewer works, and for how long: the same for a session and for people's comments. */
import * as limits from "./core/limits.ts";
import type { ObjectReader } from "./git/objects.ts";
import { GitProjectFiles } from "./git/project-files.ts";
import type { Base } from "./git/repository.ts";
import { openWorkspace, type Workspace } from "./git/workspace.ts";
import { type OpenProposal, overlaysOf } from "./publish/open-proposals.ts";
import { startDeadline, unlessStopped } from "./review/deadline.ts";
import type { Reviewer, ReviewResult, Usage } from "./review/reviewer.ts";
import { type ReviewInputOptions, reviewInput } from "./review-input.ts";
import type { Run } from "./run.ts";
import { listSkills } from "./skills/list-skills.ts";

type Given = Pick<ReviewInputOptions, "base" | "existing" | "project" | "workspace" | "baseDate">;

export interface ReviewPlace extends Given, AsyncDisposable {}

/**
 * A workspace of the base with the open proposals laid over it, and the project's files.
 * @param open branches of open proposals
 * @throws SkillprError `git`
 */
export async function openReviewPlace(
  base: Base,
  reader: ObjectReader,
  open: readonly OpenProposal[],
  { repository, config, onStep, onNote }: Run,
): Promise<ReviewPlace> {
  const { skillsRoot } = config;
  onStep("opening the workspace");
  const { overlays, notes } = await overlaysOf(reader, open);
  for (const note of notes) onNote(note);
  const baseDate = (await reader.commit(base.commit)).committer.date;
  const workspace = await openWorkspace(repository, { base, skillsRoot, overlays });
  const project = new GitProjectFiles(repository, base);
  const close = () => closeBoth(project, workspace);
  try {
    const proposed = new Set(open.map(({ skill }) => skill));
    const existing = listSkills(workspace.sourceFiles(), skillsRoot, proposed);
    return { base, existing, project, workspace, baseDate, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function closeBoth(project: AsyncDisposable, workspace: Workspace): Promise<void> {
  try {
    await project[Symbol.asyncDispose]();
  } finally {
    await workspace[Symbol.asyncDispose]();
  }
}

export interface Reviewed {
  readonly redact: Awaited<ReturnType<typeof reviewInput>>["redact"];
  readonly result: ReviewResult;
  readonly usage: Usage;
}

/** Lets the reviewer work there, as long as a review may take. @throws SkillprError `model`, `interrupted` */
export async function letReview(
  given: ReviewInputOptions,
  { config, reviewer, signal }: Run & { readonly reviewer: Reviewer },
): Promise<Reviewed> {
  const startedAt = performance.now();
  using deadline = startDeadline(config.timeoutSeconds * 1000, signal);
  const input = { ...(await reviewInput(given)), signal: deadline.signal };
  const reviewing = reviewer.review(input);
  const result = await unlessStopped(reviewing, deadline.signal, limits.REVIEW_STOP_GRACE_MS);
  const usage = { ...result.usage, durationMs: Math.round(performance.now() - startedAt) };
  return { redact: input.redact, result, usage };
}

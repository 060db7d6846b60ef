/** What is done to a pull request once it is there, each for itself and at best effort: none of it may cost the pull request. */
import { SkillprError } from "../core/errors.ts";
import { fill } from "../core/fill.ts";
import * as limits from "../core/limits.ts";
import type { PullRequestConfig } from "../core/pull-request-config.ts";
import type { PullRequest } from "./github-answers.ts";
import type { GithubExtras } from "./github-extras.ts";
import type { PullRequestPlace } from "./pull-request-place.ts";

/** `due`: a run was stopped before it could set them. `tried`: whatever is missing, people or GitHub want it so. */
export type ExtrasState = "due" | "tried" | "unknown";

type Wanted = Pick<
  PullRequestConfig,
  "labels" | "assignees" | "milestone" | "reviewers" | "teamReviewers"
>;

/** Sets those of the config's labels, assignees, milestone, reviewers and teams that a pull request lacks. */
export async function addExtras(place: PullRequestPlace, pull: PullRequest): Promise<void> {
  const { github, target, config, onNote } = place;
  const { number } = pull;
  const { labels, assignees, milestone, reviewers, teamReviewers: teams } = lacking(config, pull);
  const set = (extra: (extras: GithubExtras) => Promise<void>) =>
    attempt(onNote, () => extra(github.extras));
  if (labels.length > 0) await set((extras) => extras.addLabels(target, number, labels));
  if (assignees.length > 0 && milestone !== null) {
    // In one request: of a fork, with everything set, there may be no more than eight.
    const all = [...pull.assignees, ...assignees];
    await set((extras) =>
      extras.assignAndSetMilestone(target, number, { assignees: all, milestone }),
    );
  } else if (assignees.length > 0) {
    await set((extras) => extras.addAssignees(target, number, assignees));
  } else if (milestone !== null) {
    await set((extras) => extras.setMilestone(target, number, milestone));
  }
  if (reviewers.length === 0 && teams.length === 0) return;
  // In one request: it notifies people.
  await set((extras) => extras.requestReviewers(target, number, { reviewers, teams }));
}

/**
 * Sets what a run that was stopped after opening the pull request didn't get to. What people took away stays
 * away: where this clone doesn't know of such a run, only a pull request on which nothing was ever set lacks it.
 */
export async function addMissedExtras(
  place: PullRequestPlace,
  pull: PullRequest,
  state: ExtrasState,
): Promise<void> {
  const { github, target, config, onNote } = place;
  const missing = countOf(lacking(config, pull));
  if (state === "tried" || missing === 0) return;
  if (state === "due") return await addExtras(place, pull);
  if (missing < countOf(config)) return;
  await attempt(onNote, async () => {
    if (await github.extras.wereEverSet(target, pull.number)) return;
    await addExtras(place, pull);
  });
}

function lacking(config: Wanted, pull: PullRequest): Wanted {
  // GitHub's names have no case.
  const without = (wanted: readonly string[], there: readonly string[]) => {
    const known = new Set(there.map((name) => name.toLowerCase()));
    return wanted.filter((name) => !known.has(name.toLowerCase()));
  };
  return {
    labels: without(config.labels, pull.labels),
    assignees: without(config.assignees, pull.assignees),
    milestone: config.milestone === pull.milestone ? null : config.milestone,
    reviewers: without(config.reviewers, pull.reviewers),
    teamReviewers: without(config.teamReviewers, pull.teams),
  };
}

function countOf({ labels, assignees, milestone, reviewers, teamReviewers }: Wanted): number {
  const names = [...labels, ...assignees, ...reviewers, ...teamReviewers];
  return names.length + (milestone === null ? 0 : 1);
}

/** A failure of GitHub is told, and is no more than that. */
export async function attempt(
  onNote: (note: string) => void,
  extra: () => Promise<void>,
): Promise<void> {
  try {
    await extra();
  } catch (error) {
    if (!(error instanceof SkillprError) || error.code !== "github") throw error;
    onNote(`${error.message} (${error.hint})`);
  }
}

const EDITED = "<!-- skillpr:edited -->";

/** Says once that the branch is somebody else's now, and how to hand it back. @param commit theirs */
export async function commentOnce(
  place: PullRequestPlace,
  { number }: PullRequest,
  commit: string,
): Promise<void> {
  const { github, target, config, editedTemplate, onNote } = place;
  await attempt(onNote, async () => {
    // Ours may stand behind a long conversation.
    const pages = limits.FEEDBACK_PAGES_MAX;
    const comments = await github.conversation.comments(target, number, pages);
    if (comments.some(({ body }) => body.includes(EDITED))) return;
    const body = fill(editedTemplate, { commit, stopLabel: config.stopLabel });
    await github.conversation.comment(target, number, `${EDITED}\n${body}`);
  });
}

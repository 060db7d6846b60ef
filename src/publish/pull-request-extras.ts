/** What is done to a pull request once it is there, each for itself and at best effort: none of it may cost the pull request. */
import { SkillprError } from "../core/errors.ts";
import type { PullRequest } from "./github-answers.ts";
import type { PullRequestPlace } from "./pull-request-place.ts";

/** Labels, reviewers, teams, assignees and the milestone of the config. */
export async function addExtras(place: PullRequestPlace, { number }: PullRequest): Promise<void> {
  const { github, target, config, onNote } = place;
  const { labels, reviewers, teamReviewers: teams, assignees, milestone } = config;
  if (labels.length > 0) await attempt(onNote, () => github.addLabels(target, number, labels));
  if (assignees.length > 0)
    await attempt(onNote, () => github.addAssignees(target, number, assignees));
  if (milestone !== null)
    await attempt(onNote, () => github.setMilestone(target, number, milestone));
  if (reviewers.length === 0 && teams.length === 0) return;
  // In one request: it notifies people.
  await attempt(onNote, () => github.requestReviewers(target, number, { reviewers, teams }));
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
    const comments = await github.comments(target, number);
    if (comments.some(({ body }) => body.includes(EDITED))) return;
    const values: Readonly<Record<string, string>> = { commit, stopLabel: config.stopLabel };
    const body = editedTemplate.replace(
      /\{(\w+)\}/g,
      (whole, name: string) => values[name] ?? whole,
    );
    await github.comment(target, number, `${EDITED}\n${body}`);
  });
}

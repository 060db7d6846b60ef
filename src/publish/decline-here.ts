/** A pull request that was closed without a merge counts here as `skillpr reject`. */
import { SkillprError } from "../core/errors.ts";
import { checkedOutAt } from "../git/refs.ts";
import { contentKeyOfTree, descriptionOfTree } from "./content-of.ts";
import { recordDeclined } from "./declined.ts";
import type { PullRequest } from "./github-answers.ts";
import type { OpenProposal, ProposalContext } from "./open-proposals.ts";
import { whyDeclined } from "./proposals-on-github.ts";
import type { PullRequestPlace } from "./pull-request-place.ts";
import { rejectProposal } from "./reject.ts";

/**
 * Remembers it in the words of those who may decide, and removes the branch here unless it is checked out.
 * @param closed the pull request; @param reason what is remembered where their words can't be read
 */
export async function declineHere(
  place: PullRequestPlace,
  { repository, reader }: ProposalContext,
  branch: OpenProposal,
  closed: { readonly pullRequest: PullRequest; readonly reason: string },
): Promise<void> {
  const { stateDir } = place;
  const decision = {
    contentKey: await contentKeyOfTree(reader, branch.folderTree),
    description: await descriptionOfTree(reader, branch.folderTree),
    reason: await wordsOn(place, closed),
    pullRequest: closed.pullRequest.number,
  };
  if ((await checkedOutAt(repository.git, branch.ref)) === null)
    return await rejectProposal({ repository, branch, ...decision, stateDir });
  const { skill, tip: commit } = branch;
  const at = new Date().toISOString();
  await recordDeclined(stateDir, { skill, ...decision, commit, at });
}

/** Without GitHub's answer, that it was. */
async function wordsOn(
  place: PullRequestPlace,
  { pullRequest, reason }: { readonly pullRequest: PullRequest; readonly reason: string },
): Promise<string> {
  try {
    return await whyDeclined(place, pullRequest);
  } catch (error) {
    if (!(error instanceof SkillprError) || error.code !== "github") throw error;
    place.onNote(`why #${pullRequest.number} was closed is not known: ${error.message}`);
    return reason;
  }
}

/** Publishes the proposals of one review, each on its own branch, and from there as a pull request where that is wanted. */
import type { Proposal } from "../proposal/proposal.ts";
import type { PullRequestReceipt } from "./publish-pull-request.ts";
import { type BranchTarget, publishToBranch, type Receipt } from "./publish-to-branch.ts";
import type { PullRequests } from "./pull-requests.ts";

export interface Published {
  readonly proposal: Proposal;
  readonly receipt: Receipt;
  /** Absent where no pull request was wanted, or nothing is open. */
  readonly pullRequest?: PullRequestReceipt;
}

export interface PublishTarget extends BranchTarget {
  /** Absent: what is published stays on local branches. */
  readonly pullRequests?: PullRequests | undefined;
  /** The proposals are of several reviews: one that is refused keeps none of the others back. */
  readonly areApart?: boolean;
}

/**
 * Stops at the first proposal that the verifier refuses (see `areApart`): what was published before it stays. With pull
 * requests, what an earlier run left waiting is published too.
 */
export async function publishProposals(
  proposals: readonly Proposal[],
  target: PublishTarget,
): Promise<Published[]> {
  const pullRequests = target.isDryRun ? undefined : target.pullRequests;
  const published: Published[] = [];
  for (const proposal of proposals) {
    const result = await publishOne(proposal, target, pullRequests);
    published.push(result);
    if (result.receipt.status === "refused" && target.areApart !== true) return published;
  }
  return pullRequests === undefined
    ? published
    : [...published, ...(await publishWaiting(published, pullRequests, target))];
}

async function publishOne(
  proposal: Proposal,
  target: PublishTarget,
  pullRequests: PullRequests | undefined,
): Promise<Published> {
  if (pullRequests === undefined)
    return { proposal, receipt: await publishToBranch(proposal, target) };
  const known = await pullRequests.announce(proposal.skill);
  const receipt = await publishToBranch(proposal, target);
  if (receipt.status !== "done") {
    await pullRequests.withdraw(proposal.skill, known);
    return { proposal, receipt };
  }
  const opened = await pullRequests.publish(proposal.skill, target.base);
  return { proposal, receipt, ...(opened !== null && { pullRequest: opened.receipt }) };
}

/** What was made by an earlier run, and couldn't be opened then. */
async function publishWaiting(
  published: readonly Published[],
  pullRequests: PullRequests,
  { base }: PublishTarget,
): Promise<Published[]> {
  const done = new Set(published.map(({ proposal }) => proposal.skill));
  const more: Published[] = [];
  for (const skill of await pullRequests.waiting()) {
    const opened = done.has(skill) ? null : await pullRequests.publish(skill, base);
    if (opened === null) continue;
    const { proposal, receipt: pullRequest } = opened;
    const { branch, commit } = opened.local;
    const receipt: Receipt = {
      status: "done",
      operation: "unchanged",
      branch,
      commit,
      parent: proposal.parent,
      findings: [],
    };
    more.push({ proposal, receipt, pullRequest });
  }
  return more;
}

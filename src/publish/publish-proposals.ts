/** Publishes the proposals of one review, each on its own branch, and from there as a pull request where that is wanted. */
import type { Proposal } from "../proposal/proposal.ts";
import type { Preview } from "./preview-pull-request.ts";
import type { PullRequestReceipt } from "./publish-pull-request.ts";
import {
  type BranchTarget,
  isBlocked,
  publishToBranch,
  type Receipt,
} from "./publish-to-branch.ts";
import type { PullRequests } from "./pull-requests.ts";

export interface Published {
  readonly proposal: Proposal;
  readonly receipt: Receipt;
  /** Absent where no pull request was wanted, or nothing is open. */
  readonly pullRequest?: PullRequestReceipt | Preview;
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
  const { pullRequests, isDryRun } = target;
  const published: Published[] = [];
  for (const proposal of proposals) {
    const result = await publishOne(proposal, target);
    published.push(result);
    if (result.receipt.status === "refused" && target.areApart !== true) return published;
  }
  return pullRequests === undefined || isDryRun
    ? published
    : [...published, ...(await publishWaiting(published, pullRequests, target))];
}

async function publishOne(proposal: Proposal, target: PublishTarget): Promise<Published> {
  const { pullRequests, isDryRun, base } = target;
  if (pullRequests === undefined)
    return { proposal, receipt: await publishToBranch(proposal, target) };
  const { skill } = proposal;
  const known = isDryRun ? null : await pullRequests.announce(skill);
  const receipt = await toBranch(proposal, target, pullRequests);
  if (receipt.status === "done" && isDryRun) {
    const planned = await pullRequests.preview(proposal, base);
    return { proposal, receipt, ...(planned !== null && { pullRequest: planned }) };
  }
  if (receipt.status !== "done") {
    if (!isDryRun) await pullRequests.withdraw(skill, known);
    return { proposal, receipt };
  }
  const opened = await pullRequests.publish(skill, base);
  return { proposal, receipt, ...(opened !== null && { pullRequest: opened.receipt }) };
}

/** What was declined by closing its pull request is proposed again once that is open again. */
async function toBranch(
  proposal: Proposal,
  target: PublishTarget,
  pullRequests: PullRequests,
): Promise<Receipt> {
  const receipt = await publishToBranch(proposal, target);
  if (!isBlocked(receipt, "declined")) return receipt;
  const back = await pullRequests.takenBack(proposal.skill, target.isDryRun);
  if (back.length === 0) return receipt;
  const keys = new Set(back.map(({ contentKey }) => contentKey));
  const declined = target.declined.filter(
    ({ skill, contentKey }) => skill !== proposal.skill || !keys.has(contentKey),
  );
  return await publishToBranch(proposal, { ...target, declined });
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

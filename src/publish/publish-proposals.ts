/** Publishes the proposals of one review, each on its own branch. */
import { stateDir } from "../git/repository.ts";
import type { Proposal } from "../proposal/proposal.ts";
import { rememberProposal } from "../proposal/proposal-files.ts";
import { type BranchTarget, publishToBranch, type Receipt } from "./publish-to-branch.ts";

export interface Published {
  readonly proposal: Proposal;
  readonly receipt: Receipt;
}

/** Stops at the first proposal that the verifier refuses: what was published before it stays. */
export async function publishProposals(
  proposals: readonly Proposal[],
  target: BranchTarget,
): Promise<Published[]> {
  const published: Published[] = [];
  for (const proposal of proposals) {
    const receipt = await publishToBranch(proposal, target);
    published.push({ proposal, receipt });
    if (receipt.status === "refused") break;
    if (receipt.status === "done" && receipt.commit !== null && receipt.operation !== "unchanged")
      await rememberProposal(stateDir(target.repository), receipt.commit, proposal);
  }
  return published;
}

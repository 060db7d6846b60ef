/** What publishing would do, from what is seen on the remote. Nothing is written but objects that no ref names. */
import { ObjectReader } from "../git/objects.ts";
import type { Proposal } from "../proposal/proposal.ts";
import { contentKeyOfProposal } from "./content-of.ts";
import type { PullRequest } from "./github-answers.ts";
import { findProposalBranch, isOpen, type ProposalContext } from "./open-proposals.ts";
import { planPullRequest } from "./plan-pull-request.ts";
import type { PullRequestReceipt } from "./publish-pull-request.ts";
import type { PullRequestPlace } from "./pull-request-place.ts";
import { seePullRequest } from "./see-pull-request.ts";

/** A dry run looked, and did nothing. */
export interface PlannedPullRequest {
  readonly status: "planned";
  readonly operation: "created" | "updated" | "unchanged";
  readonly pullRequest: PullRequest | null;
}

export type Preview = PlannedPullRequest | Extract<PullRequestReceipt, { status: "blocked" }>;

/**
 * @param base what counts as accepted here
 * @throws SkillprError `git`, `github`, `input`
 */
export async function previewPullRequest(
  place: PullRequestPlace,
  proposal: Proposal,
  base: ProposalContext["base"],
): Promise<Preview> {
  const { repository, skillsRoot } = place;
  await using reader = new ObjectReader(repository.git, repository.objectFormat);
  const { skill, tree: folderTree } = proposal;
  const local = await findProposalBranch({ repository, reader, base, skillsRoot }, skill);
  const fork = local !== null && isOpen(local) ? local.forkPoint : null;
  const { tree } = await reader.commit(fork ?? base.commit);
  const startFolder = await reader.treeAt(tree, `${skillsRoot}/${skill}`);
  const contentKey = await contentKeyOfProposal(reader, proposal);
  const seen = await seePullRequest(place, reader, { skill, folderTree, startFolder, contentKey });
  const plan = planPullRequest(seen);
  switch (plan.operation) {
    case "blocked": {
      const { why, reason, hint, pullRequest } = plan;
      const url = pullRequest?.url ?? null;
      return { status: "blocked", why, reason, hint, pullRequest, url };
    }
    case "unchanged":
      return { status: "planned", operation: "unchanged", pullRequest: plan.pullRequest };
    case "publish": {
      const { pullRequest, push } = plan;
      const later = push === null ? "unchanged" : "updated";
      return {
        status: "planned",
        operation: pullRequest === null ? "created" : later,
        pullRequest,
      };
    }
  }
}

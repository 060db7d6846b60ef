/** Decides what publishing to a branch will do, from what is seen, before anything is written. */

import { AUTHOR_NAME_MAX_CHARS, DECLINE_REASON_MAX_CHARS } from "../core/limits.ts";
import { cut, safeLine, shortCommit } from "../core/text.ts";
import { shortRef } from "../git/refs.ts";
import type { Proposal } from "../proposal/proposal.ts";
import { SKILLBOOK_FOLDER } from "../skills/skillbook-files.ts";
import type { Declined } from "./declined.ts";
import type { ProposalBranch } from "./open-proposals.ts";

export type BranchPlan =
  /** Make a commit on `parent` and move the branch from `expectedTip` (null: it must not exist). */
  | {
      operation: "created" | "updated";
      parent: string;
      expectedTip: string | null;
      /** The commit goes on from this tip too: it is the first parent, `parent` the second. */
      continues?: string;
    }
  | { operation: "unchanged"; commit: string }
  | {
      operation: "blocked";
      reason: string;
      hint: string;
      why: BlockedWhy;
    };

/**
 * `declined`: a person said no, that is final. `stale`: the branch moved since the review, so
 * reviewing again goes on from where it is now. `in-the-way`: somebody has to do something first.
 */
export type BlockedWhy = "declined" | "stale" | "in-the-way";

export interface BranchSituation {
  readonly proposal: Proposal;
  readonly branch: ProposalBranch | null;
  /** Work tree that has the branch checked out, if one has. */
  readonly checkedOutAt: string | null;
  readonly declined: readonly Declined[];
  readonly contentKey: string;
  /** Tree of the skill's folder at the base; null when it has none. */
  readonly baseFolderTree: string | null;
  /** The proposal's parent is in the base's history. A proposal may name any commit it likes. */
  readonly isParentInBase: boolean;
}

export function planBranch(situation: BranchSituation): BranchPlan {
  const { proposal, branch } = situation;
  const declined = situation.declined.find(
    (one) => one.skill === proposal.skill && one.contentKey === situation.contentKey,
  );
  if (declined !== undefined) {
    const why =
      declined.reason === null
        ? ""
        : `: "${cut(safeLine(declined.reason), DECLINE_REASON_MAX_CHARS)}"`;
    return blocked(
      "declined",
      `this was declined before${why}`,
      "to propose it again all the same, remove its file under skillpr/declined in the git folder",
    );
  }
  if (situation.baseFolderTree === proposal.tree)
    return { operation: "unchanged", commit: proposal.base.commit };
  if (branch !== null && !branch.isMerged && branch.folderTree === proposal.tree)
    return { operation: "unchanged", commit: branch.tip };
  // Also where the skill is merged already: the rest of their work would hang on no branch any more.
  if (branch !== null && branch.foreign !== null) {
    return blocked(
      "in-the-way",
      `${shortRef(branch.ref)} has a commit by ${cut(safeLine(branch.foreign.author.name), AUTHOR_NAME_MAX_CHARS)} (${shortCommit(branch.foreign.id)})`,
      "accept, reject or rename that branch; skillpr leaves a branch alone once somebody else worked on it",
    );
  }
  if (branch === null || branch.isMerged) return planNew(situation);
  if (situation.checkedOutAt !== null) return isCheckedOut(branch.ref, situation.checkedOutAt);
  if (isMadeAgain(situation, branch.tip))
    return {
      operation: "updated",
      parent: proposal.parent,
      expectedTip: branch.tip,
      continues: branch.tip,
    };
  if (branch.tip !== proposal.parent)
    return stale(`${shortRef(branch.ref)} has moved since this was reviewed`);
  return { operation: "updated", parent: branch.tip, expectedTip: branch.tip };
}

/**
 * Whether the branch's changes are in a proposal on the base: only the Skillbook's are made of operations,
 * which can be applied again.
 */
function isMadeAgain({ proposal, isParentInBase }: BranchSituation, tip: string): boolean {
  return proposal.skill === SKILLBOOK_FOLDER && proposal.continues === tip && isParentInBase;
}

/** No open proposal: a new branch on the base, or an old merged branch that starts again from it. */
function planNew(situation: BranchSituation): BranchPlan {
  const { proposal, branch, checkedOutAt } = situation;
  if (branch !== null && checkedOutAt !== null) return isCheckedOut(branch.ref, checkedOutAt);
  if (!situation.isParentInBase)
    return stale(
      "the commit that this was reviewed on is neither in the base's history nor the tip of its branch",
    );
  return {
    operation: "created",
    parent: proposal.parent,
    expectedTip: branch === null ? null : branch.tip,
  };
}

function isCheckedOut(ref: string, path: string): BranchPlan {
  return blocked(
    "in-the-way",
    `${shortRef(ref)} is checked out at ${safeLine(path)}`,
    "switch that work tree to another branch, then run this again",
  );
}

function stale(reason: string): BranchPlan {
  return blocked("stale", reason, "review the session again");
}

function blocked(why: BlockedWhy, reason: string, hint: string): BranchPlan {
  return { operation: "blocked", why, reason, hint };
}

/** Rejects a proposal: removes its branch and remembers what was declined. */
import { SkillprError } from "../core/errors.ts";
import { safeLine } from "../core/text.ts";
import { checkedOutAt, deleteRef, shortRef } from "../git/refs.ts";
import type { Repository } from "../git/repository.ts";
import { forgetDeclined, recordDeclined } from "./declined.ts";
import type { ProposalBranch } from "./open-proposals.ts";

/**
 * @param stateDir skillpr's folder in the git common dir
 * @param contentKey of the proposal at its tip
 * @throws SkillprError `input` when the branch is checked out, `git` when it moved meanwhile
 */
export async function rejectProposal(options: {
  readonly repository: Repository;
  readonly branch: ProposalBranch;
  readonly contentKey: string;
  /** The skill's own description at its tip. */
  readonly description: string | null;
  readonly reason: string | null;
  /** Where it was decided; absent: here. */
  readonly pullRequest?: number | undefined;
  readonly stateDir: string;
}): Promise<void> {
  const { repository, branch } = options;
  const path = await checkedOutAt(repository.git, branch.ref);
  if (path !== null) {
    throw new SkillprError(
      "input",
      `${shortRef(branch.ref)} is checked out at ${safeLine(path)}`,
      "switch that work tree to another branch, then reject again",
    );
  }
  // Remembered first: a crash in between leaves a branch that can be rejected again, not a lost decision.
  const declined = {
    skill: branch.skill,
    contentKey: options.contentKey,
    description: options.description,
    reason: options.reason,
    commit: branch.tip,
    pullRequest: options.pullRequest,
    at: new Date().toISOString(),
  };
  await recordDeclined(options.stateDir, declined);
  const deleted = await deleteRef(repository.git, branch.ref, branch.tip);
  if (deleted !== "deleted") {
    await forgetDeclined(options.stateDir, declined);
    throw new SkillprError(
      "git",
      `${shortRef(branch.ref)} was not removed: ${deleted === "lost-race" ? "it moved meanwhile" : deleted.blocked}`,
      "look at it with `skillpr show`, then reject again",
    );
  }
}

/** Accepts a proposal: merges its branch into the local base branch, and nothing but the skill's folder. */
import { SkillprError } from "../core/errors.ts";
import type { RuleLevels } from "../core/rule-levels.ts";
import { safeLine } from "../core/text.ts";
import { identityOf, updateSkillFolder } from "../git/checkout.ts";
import type { Git } from "../git/git.ts";
import { type ObjectReader, writeObjects } from "../git/objects.ts";
import { openQuarantine } from "../git/quarantine.ts";
import {
  checkedOutAt,
  commitTree,
  deleteRef,
  isAncestor,
  mergeBase,
  moveRef,
  readRef,
  shortRef,
} from "../git/refs.ts";
import type { Repository } from "../git/repository.ts";
import { replaceFolder } from "../git/skills-tree.ts";
import { listWorktrees } from "../git/worktree-list.ts";
import { hasError, verifyTrees } from "../proposal/verify-trees.ts";
import type { Finding } from "../verify/finding.ts";
import type { ProposalBranch } from "./open-proposals.ts";

export type Acceptance =
  | {
      status: "accepted";
      /** Full name of the branch that moved. */
      ref: string;
      commit: string;
      /** Work tree whose copy of the skill changed; null when the branch is checked out nowhere. */
      checkedOutAt: string | null;
      /** The proposal's branch was removed; false when it is in use or moved meanwhile. */
      isBranchRemoved: boolean;
    }
  | { status: "refused"; findings: readonly Finding[] };

export interface AcceptInput {
  readonly repository: Repository;
  readonly reader: ObjectReader;
  readonly branch: ProposalBranch;
  /** Full name of the local branch to merge into. */
  readonly targetRef: string;
  readonly skillsRoot: string;
  /** How grave the verifier's rules are here. */
  readonly levels?: RuleLevels;
}

/** @throws SkillprError `input` when the merge would not be clean, and says what is in the way */
export async function acceptProposal(input: AcceptInput): Promise<Acceptance> {
  const { repository, branch, targetRef } = input;
  const { git } = repository;
  const target = await readRef(git, targetRef);
  if (target === null) {
    throw new SkillprError(
      "input",
      `there is no local branch ${shortRef(targetRef)} to accept into`,
      `create it (git branch ${shortRef(targetRef)} …) or name another with --base`,
    );
  }
  const merge = await planMerge(input, target);
  const findings = await verifyMerge(input, merge);
  if (hasError(findings)) return { status: "refused", findings };

  // Objects, then the work tree, then the ref: stopped anywhere, running accept again finishes it.
  const commit = await merge.commit();
  const workTree = await workTreeOn(git, targetRef);
  if (workTree !== null) await updateSkillFolder({ workTree, ...merge });
  const moved = await moveRef(git, targetRef, commit, target);
  if (moved !== "moved" && !(await isAccepted(git, targetRef, branch.tip))) {
    throw new SkillprError(
      "git",
      `${shortRef(targetRef)} could not be moved: ${moved === "lost-race" ? "another process moved it" : moved.blocked}`,
      "run accept again",
    );
  }
  return { ...(await finishAccept(git, branch, targetRef, commit)), checkedOutAt: workTree };
}

/**
 * The work tree whose HEAD is on the branch; null when it is checked out nowhere.
 * @throws SkillprError `input` in the middle of a rebase or a bisection that comes back to it
 */
async function workTreeOn(git: Git, ref: string): Promise<string | null> {
  const holder = (await listWorktrees(git)).find(({ branch }) => branch === ref);
  if (holder !== undefined) return holder.path;
  const busy = await checkedOutAt(git, ref);
  if (busy === null) return null;
  throw new SkillprError(
    "input",
    `${shortRef(ref)} is being rebased or bisected at ${safeLine(busy)}`,
    "finish or abort that, then accept again",
  );
}

/** Another accept was faster: what this one wanted is done. */
async function isAccepted(git: Git, ref: string, tip: string): Promise<boolean> {
  const now = await readRef(git, ref);
  return now !== null && (await isAncestor(git, tip, now));
}

/**
 * What an accept that was killed after the merge left to do: the proposal's branch.
 * @param ref full name of the branch that has it
 */
export async function finishAccept(
  git: Git,
  branch: ProposalBranch,
  ref: string,
  commit: string,
): Promise<Extract<Acceptance, { status: "accepted" }>> {
  const isInUse = (await checkedOutAt(git, branch.ref)) !== null;
  const isBranchRemoved = !isInUse && (await deleteRef(git, branch.ref, branch.tip)) === "deleted";
  return { status: "accepted", ref, commit, checkedOutAt: null, isBranchRemoved };
}

interface Merge {
  readonly folder: string;
  readonly targetTree: string;
  /** Root tree after the merge. */
  readonly tree: string;
  /** Tree that the proposal's changes are measured against. */
  readonly forkTree: string;
  readonly commit: () => Promise<string>;
}

/**
 * Only two shapes are clean: the base hasn't moved since (fast-forward), or it moved without
 * touching the skill's folder (merge commit, by the person who accepts).
 */
async function planMerge(input: AcceptInput, target: string): Promise<Merge> {
  const { repository, reader, branch, targetRef } = input;
  const { git } = repository;
  const folder = `${input.skillsRoot}/${branch.skill}`;
  const fork = await mergeBase(git, target, branch.tip);
  if (fork === null || branch.folderTree === null) {
    throw new SkillprError(
      "input",
      `${shortRef(branch.ref)} ${fork === null ? "shares no history with" : "has no such folder for"} ${shortRef(targetRef)}`,
      "reject it, and review the session again",
    );
  }
  const targetTree = (await reader.commit(target)).tree;
  const forkTree = (await reader.commit(fork)).tree;
  if (await isAncestor(git, target, branch.tip)) {
    return { folder, targetTree, tree: branch.tree, forkTree, commit: async () => branch.tip };
  }
  const ours = await reader.treeAt(targetTree, folder);
  if (ours !== (await reader.treeAt(forkTree, folder)) && ours !== branch.folderTree) {
    throw new SkillprError(
      "input",
      `${folder} has changed on ${shortRef(targetRef)} since this was proposed`,
      "merge the branch by hand, or reject it and review the session again",
    );
  }
  const spliced = await replaceFolder(reader, targetTree, folder, branch.folderTree);
  const who = await identityOf(git);
  return {
    folder,
    targetTree,
    tree: spliced.tree,
    forkTree,
    commit: async () => {
      await using quarantine = await openQuarantine(repository);
      await writeObjects(git, spliced.objects, quarantine.scratchDir);
      const message = `skill: accept ${branch.skill}\n`;
      return await commitTree(git, {
        tree: spliced.tree,
        parents: [target, branch.tip],
        message,
        author: who,
        committer: who,
      });
    },
  };
}

/**
 * The branch's own changes are verified once more, and they must be all that it brings: a base
 * that lags behind the fork would otherwise take other people's commits along.
 */
async function verifyMerge(input: AcceptInput, merge: Merge): Promise<readonly Finding[]> {
  const { repository, reader, branch, skillsRoot } = input;
  const { changes, findings } = await verifyTrees({
    git: repository.git,
    reader,
    skillsRoot,
    // People may have worked on the branch: their rules hold, and the paths are checked below.
    profile: branch.foreign === null ? "proposal" : "pull-request",
    parentTree: merge.forkTree,
    newTree: branch.tree,
    ...(input.levels === undefined ? {} : { extras: { levels: input.levels } }),
  });
  const stray = changes.find(({ path }) => !path.startsWith(`${merge.folder}/`));
  if (stray !== undefined) {
    throw new SkillprError(
      "input",
      `${shortRef(branch.ref)} also changes ${safeLine(stray.path)} compared to ${shortRef(input.targetRef)}`,
      `bring ${shortRef(input.targetRef)} up to date first (git pull), or merge the branch by hand`,
    );
  }
  return findings;
}

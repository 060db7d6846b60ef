/**
 * Accepts a proposal: merges its branch into the local base branch, and nothing but the skill's folder. A
 * Skillbook's operations are made again where the base's Skillbook moved.
 */
import { SkillprError } from "../core/errors.ts";
import type { RuleLevels } from "../core/rule-levels.ts";
import { safeLine } from "../core/text.ts";
import { identityOf, updateSkillFolder } from "../git/checkout.ts";
import type { Git } from "../git/git.ts";
import { type NewObject, ObjectReader, writeObjects } from "../git/objects.ts";
import { openQuarantine, type Quarantine } from "../git/quarantine.ts";
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
import { SKILLBOOK_FOLDER } from "../skills/skillbook-files.ts";
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
      /** Of a Skillbook whose base moved: its operations were made again, and what no longer applies, a sentence each. */
      madeAgain?: { readonly dropped: readonly string[] };
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
  /**
   * Makes what is proposed again where the base's version moved; null when the base has all of it. Absent: of
   * this skill there is a text, which isn't merged.
   */
  readonly makeAgain?: (target: Target) => Promise<FolderAgain | null>;
}

/** What is merged into. */
export interface Target {
  readonly commit: string;
  readonly tree: string;
}

/** The folder, made again on another base. */
export interface FolderAgain {
  readonly folderTree: string;
  readonly objects: readonly NewObject[];
  /** What no longer applies, a sentence each. */
  readonly dropped: readonly string[];
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
  await using quarantine = await openQuarantine(repository);
  const merge = await planMerge(input, target, quarantine);
  if (merge === null) return finishAccept(git, branch, targetRef, target);
  const findings = await verifyMerge(input, merge, quarantine);
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
  const { madeAgain } = merge;
  return {
    ...(await finishAccept(git, branch, targetRef, commit)),
    checkedOutAt: workTree,
    ...(madeAgain !== undefined && { madeAgain }),
  };
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
  readonly madeAgain?: { readonly dropped: readonly string[] };
}

/**
 * Two shapes are clean: the base hasn't moved since (fast-forward), or it moved without touching the skill's
 * folder (merge commit, by the person who accepts). Where it did touch it, what can be made again is.
 * @returns null when the target has all of it
 */
async function planMerge(
  input: AcceptInput,
  target: string,
  quarantine: Quarantine,
): Promise<Merge | null> {
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
  const isClean = ours === (await reader.treeAt(forkTree, folder)) || ours === branch.folderTree;
  const from = { folder, targetTree, forkTree };
  if (isClean) {
    const spliced = await replaceFolder(reader, targetTree, folder, branch.folderTree);
    const commit = () => commitMerge(input, target, spliced);
    return { ...from, tree: spliced.tree, commit };
  }
  if (input.makeAgain === undefined) throw hasChanged(input, folder, []);
  const again = await input.makeAgain({ commit: target, tree: targetTree });
  if (again === null) return null;
  if (again.folderTree === ours) throw hasChanged(input, folder, again.dropped);
  const spliced = await replaceFolder(reader, targetTree, folder, again.folderTree);
  const objects = [...again.objects, ...spliced.objects];
  // Verified where nobody else sees it: what is refused never enters the store.
  await writeObjects(quarantine.gitFor(repository), objects);
  const { tree } = spliced;
  const commit = () => commitMerge(input, target, { tree, objects });
  return { ...from, tree, commit, madeAgain: { dropped: again.dropped } };
}

/** @param dropped why nothing of a Skillbook's operations is left, a sentence each */
function hasChanged(
  { branch, targetRef }: AcceptInput,
  folder: string,
  dropped: readonly string[],
): SkillprError {
  const what = `${folder} has changed on ${shortRef(targetRef)} since this was proposed`;
  if (branch.skill !== SKILLBOOK_FOLDER) {
    const hint = "merge the branch by hand, or reject it and review the session again";
    return new SkillprError("input", what, hint);
  }
  const why = dropped.map(safeLine).join("; ");
  const hint =
    "reject it: its marks wait for the next change of the Skillbook, where they still apply";
  return new SkillprError("input", `${what}, and nothing of it is new there: ${why}`, hint);
}

/** A merge commit by the person who accepts. */
async function commitMerge(
  { repository, branch }: AcceptInput,
  target: string,
  { tree, objects }: { readonly tree: string; readonly objects: readonly NewObject[] },
): Promise<string> {
  const { git } = repository;
  const who = await identityOf(git);
  await writeObjects(git, objects);
  const message = `skill: accept ${branch.skill}\n`;
  const parents = [target, branch.tip];
  return commitTree(git, { tree, parents, message, author: who, committer: who });
}

/**
 * The branch's own changes are verified once more, and they must be all that it brings: a base
 * that lags behind the fork would otherwise take other people's commits along. What was made again is
 * verified as it will be.
 */
async function verifyMerge(
  input: AcceptInput,
  merge: Merge,
  quarantine: Quarantine,
): Promise<readonly Finding[]> {
  const { repository, reader, branch, skillsRoot, levels } = input;
  const how = {
    skillsRoot,
    // People may have worked on the branch: their rules hold, and the paths are checked below.
    profile: branch.foreign === null ? "proposal" : "pull-request",
    ...(levels === undefined ? {} : { extras: { levels } }),
  } as const;
  const own = { parentTree: merge.forkTree, newTree: branch.tree };
  const { changes, findings } = await verifyTrees({ git: repository.git, reader, ...how, ...own });
  const stray = changes.find(({ path }) => !path.startsWith(`${merge.folder}/`));
  if (stray !== undefined) {
    throw new SkillprError(
      "input",
      `${shortRef(branch.ref)} also changes ${safeLine(stray.path)} compared to ${shortRef(input.targetRef)}`,
      `bring ${shortRef(input.targetRef)} up to date first (git pull), or merge the branch by hand`,
    );
  }
  if (merge.madeAgain === undefined) return findings;
  const git = quarantine.gitFor(repository);
  await using inside = new ObjectReader(git, repository.objectFormat);
  const again = { parentTree: merge.targetTree, newTree: merge.tree };
  return (await verifyTrees({ git, reader: inside, ...how, ...again })).findings;
}

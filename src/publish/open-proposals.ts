/** The proposals of a repository: its `auto-skill/<skill>` branches, as they stand now. */
import * as limits from "../core/limits.ts";
import type { Commit, ObjectReader } from "../git/objects.ts";
import { isAncestor, listRefs, mergeBase } from "../git/refs.ts";
import { PROPOSAL_REFS, type Repository } from "../git/repository.ts";
import { listTree } from "../git/skills-tree.ts";
import { isSkillName } from "../skills/skill-name.ts";
import { isGithub, isOurs } from "./identity.ts";

export interface ProposalBranch {
  readonly skill: string;
  /** Full ref name. */
  readonly ref: string;
  readonly tip: string;
  /** Root tree of the tip. */
  readonly tree: string;
  /** Tree of the skill's folder at the tip; null when it isn't there. */
  readonly folderTree: string | null;
  /** Where it left the base; null when they share no history. */
  readonly forkPoint: string | null;
  /** Commits on it that the base doesn't have, newest first. */
  readonly commits: readonly Commit[];
  /** The newest commit that skillpr did not make, if there is one. */
  readonly foreign: Commit | null;
  /** The base holds this version of the skill already: nothing is open. */
  readonly isMerged: boolean;
}

/** One that waits for a decision. */
export type OpenProposal = ProposalBranch & { readonly folderTree: string };

/** A branch that proposes something which the base doesn't have. */
export function isOpen(branch: ProposalBranch): branch is OpenProposal {
  return !branch.isMerged && branch.folderTree !== null;
}

export function branchRef(skill: string): string {
  return `${PROPOSAL_REFS}${skill}`;
}

export interface ProposalContext {
  readonly repository: Repository;
  readonly reader: ObjectReader;
  readonly base: { readonly commit: string; readonly tree: string };
  readonly skillsRoot: string;
}

/** All proposal branches, merged ones too, by name. */
export async function listProposalBranches(context: ProposalContext): Promise<ProposalBranch[]> {
  const refs = await listRefs(context.repository.git, PROPOSAL_REFS);
  const branches: ProposalBranch[] = [];
  // Other names under the prefix are not ours to read meaning into.
  for (const { name, id } of refs)
    if (isSkillName(name.slice(PROPOSAL_REFS.length)) && (await isCommit(context, id)))
      branches.push(await describeBranch(context, name, id));
  return branches;
}

/** Those of them that wait for a decision. */
export async function listOpenProposals(context: ProposalContext): Promise<OpenProposal[]> {
  return (await listProposalBranches(context)).filter(isOpen);
}

/** Where each of them stands, by skill: what a change of the same skill goes on from. */
export function tipsOf(
  open: readonly OpenProposal[],
): ReadonlyMap<string, { readonly commit: string; readonly tree: string }> {
  return new Map(open.map(({ skill, tip, tree }) => [skill, { commit: tip, tree }]));
}

/** A ref may be made to point anywhere; what is no commit proposes nothing. */
async function isCommit({ reader }: ProposalContext, id: string): Promise<boolean> {
  return (await reader.info(id))?.type === "commit";
}

/**
 * The folders of open proposals that are laid over the base's skills. A branch whose folder is
 * larger than a skill may ever be is left out, and said so: it must not stop all other reviews.
 */
export async function overlaysOf(
  reader: ObjectReader,
  open: readonly OpenProposal[],
): Promise<{ overlays: { folder: string; tree: string }[]; notes: string[] }> {
  const overlays = [];
  const notes = [];
  for (const { skill, ref, folderTree } of open) {
    if (await isSmall(reader, folderTree)) overlays.push({ folder: skill, tree: folderTree });
    else notes.push(`${ref} is no skill (its folder is too large), and is passed over`);
  }
  return { overlays, notes };
}

async function isSmall(reader: ObjectReader, folderTree: string): Promise<boolean> {
  let size = 0;
  for (const { id, mode } of await listTree(reader, folderTree, "")) {
    if (mode === "160000") continue;
    size += (await reader.info(id))?.size ?? 0;
    if (size > limits.OVERLAY_MAX_BYTES) return false;
  }
  return true;
}

/** The branch of one skill; null when there is none. */
export async function findProposalBranch(
  context: ProposalContext,
  skill: string,
): Promise<ProposalBranch | null> {
  const refs = await listRefs(context.repository.git, branchRef(skill));
  const found = refs.find(({ name }) => name === branchRef(skill));
  if (found === undefined || !(await isCommit(context, found.id))) return null;
  return describeBranch(context, found.name, found.id);
}

/**
 * What a proposal's branch holds, here or on a remote.
 * @param ref full name; @param tip its commit, whose history is here
 */
export async function describeBranch(
  context: ProposalContext,
  ref: string,
  tip: string,
): Promise<ProposalBranch> {
  const { reader, base, skillsRoot } = context;
  const skill = ref.slice(PROPOSAL_REFS.length);
  const { tree } = await reader.commit(tip, ref);
  const folderTree = await reader.treeAt(tree, `${skillsRoot}/${skill}`);
  const baseFolder = await reader.treeAt(base.tree, `${skillsRoot}/${skill}`);
  const { commits, forkPoint } =
    (await walkToBase(context, tip)) ?? (await askForCommits(context, tip));
  return {
    skill,
    ref,
    tip,
    tree,
    folderTree,
    forkPoint,
    commits,
    foreign: await firstForeign(context, commits, `${skillsRoot}/${skill}`),
    // A branch without the skill proposes nothing, but what people did on it is theirs all the same.
    isMerged: commits.length === 0 || (folderTree !== null && folderTree === baseFolder),
  };
}

type OwnCommits = Pick<ProposalBranch, "commits" | "forkPoint">;

/**
 * Most branches are a few commits on top of the base: following the parents there needs no git process of its own, which
 * with many open proposals would be most of a review's work.
 * @returns null when the base isn't met within a few commits, behind a merge, or in a shallow clone
 */
async function walkToBase(
  { repository, reader, base }: ProposalContext,
  tip: string,
): Promise<OwnCommits | null> {
  if (repository.isShallow) return null;
  const commits = [];
  let id = tip;
  while (id !== base.commit) {
    if (commits.length === limits.BRANCH_WALK_MAX_COMMITS) return null;
    // A clone may have been made shallow meanwhile.
    if ((await reader.info(id))?.type !== "commit") return null;
    const commit = await reader.commit(id);
    const [parent, ...others] = commit.parents;
    if (parent === undefined || others.length > 0) return null;
    commits.push(commit);
    id = parent;
  }
  return { commits, forkPoint: base.commit };
}

async function askForCommits(
  { repository, reader, base }: ProposalContext,
  tip: string,
): Promise<OwnCommits> {
  const { git } = repository;
  const max = `--max-count=${limits.BRANCH_MAX_COMMITS}`;
  const listing = await git.text(["rev-list", max, tip, `^${base.commit}`]);
  const commits = [];
  for (const id of listing.split("\n").filter((line) => line !== ""))
    commits.push(await reader.commit(id));
  const forkPoint = commits.length === 0 ? tip : await mergeBase(git, tip, base.commit);
  return { commits, forkPoint };
}

async function firstForeign(
  context: ProposalContext,
  commits: ProposalBranch["commits"],
  folder: string,
): Promise<ProposalBranch["foreign"]> {
  for (const commit of commits)
    if (!isOurs(commit) && !(await isUpdateFromBase(context, commit, folder))) return commit;
  return null;
}

/** The merge that GitHub's button "Update branch" makes: nobody worked on the skill. */
async function isUpdateFromBase(
  { repository, reader, base }: ProposalContext,
  commit: Commit,
  folder: string,
): Promise<boolean> {
  const [ours, theirs] = commit.parents;
  if (!isGithub(commit) || commit.parents.length !== 2 || ours === undefined) return false;
  if (theirs === undefined || !(await isAncestor(repository.git, theirs, base.commit)))
    return false;
  const before = await reader.treeAt((await reader.commit(ours)).tree, folder);
  return (await reader.treeAt(commit.tree, folder)) === before;
}

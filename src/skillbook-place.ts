/** Where the Skillbook of a repository stands: at the base, and on its branch when a proposal is open. */
import { stateDir } from "./git/repository.ts";
import type { FolderAgain } from "./publish/accept.ts";
import {
  describeBranch,
  findProposalBranch,
  isOpen,
  type OpenProposal,
  type ProposalBranch,
  type ProposalContext,
} from "./publish/open-proposals.ts";
import { listPublishedSkillbooks } from "./publish/published-skillbooks.ts";
import { folderVersions, readSkillbookAt, skillbookObjects } from "./publish/skillbook-at.ts";
import { heldBy } from "./publish/skillbook-held.ts";
import { isSquashed, squashedIn } from "./publish/skillbook-squash.ts";
import { rebaseSkillbook } from "./skills/rebase-skillbook.ts";
import { EMPTY_SKILLBOOK, type Skillbook } from "./skills/skillbook.ts";
import { SKILLBOOK_FOLDER } from "./skills/skillbook-files.ts";

export interface SkillbookPlace {
  /** What the next operations apply to: the open proposal's, else the base's. */
  readonly skillbook: Skillbook;
  /** The base's. */
  readonly base: Skillbook;
  /** The open proposal; null when there is none. */
  readonly open: OpenProposal | null;
  /**
   * Tip of the branch, where the base's Skillbook changed since it left: what of its changes is open was
   * made again on the base, `skillbook` goes on from there, and the next commit continues both.
   */
  readonly continues: string | null;
  /** What of the open proposal no longer applies, a sentence each. */
  readonly dropped: readonly string[];
}

/** @throws SkillprError `input` when a Skillbook can't be read */
export async function findSkillbook(context: ProposalContext): Promise<SkillbookPlace> {
  return placeWith(context, await findProposalBranch(context, SKILLBOOK_FOLDER));
}

/** @throws SkillprError `input` when a Skillbook can't be read */
export async function placeWith(
  context: ProposalContext,
  branch: ProposalBranch | null,
): Promise<SkillbookPlace> {
  const { reader, base, skillsRoot } = context;
  const atBase = await readSkillbookAt(reader, base.tree, skillsRoot);
  const none = { skillbook: atBase, base: atBase, open: null, continues: null, dropped: [] };
  if (branch === null || !isOpen(branch)) return none;
  const tip = await readSkillbookAt(reader, branch.tree, skillsRoot);
  const fork = branch.forkPoint === null ? null : (await reader.commit(branch.forkPoint)).tree;
  const folder = `${skillsRoot}/${SKILLBOOK_FOLDER}`;
  const isUnmoved =
    fork !== null &&
    (await reader.treeAt(fork, folder)) === (await reader.treeAt(base.tree, folder));
  if (isUnmoved) return { ...none, skillbook: tip, open: branch };
  const merged = await newestMerged(context, branch);
  // A squash took all of it, and the base went on from there.
  if (merged !== null && (await reader.treeAt(merged, folder)) === branch.folderTree)
    return { ...none, continues: branch.tip };
  const start = merged ?? fork;
  const from = start === null ? EMPTY_SKILLBOOK : await readSkillbookAt(reader, start, skillsRoot);
  const { skillbook, dropped } = rebaseSkillbook(from, tip, atBase, new Date().toISOString());
  return { ...none, skillbook, open: branch, continues: branch.tip, dropped };
}

/**
 * Root tree of the newest commit of the branch whose Skillbook the base's history had since: what it holds
 * was merged (as a squash, else the branch would have left the base there), and must not be applied twice.
 * The same file, or what became of it on GitHub; where a person edited it before they merged, by its trailers, or by
 * what its file says of it.
 */
async function newestMerged(
  { repository, reader, base, skillsRoot }: ProposalContext,
  { commits, forkPoint: after }: OpenProposal,
): Promise<string | null> {
  const range = { after, upTo: base.commit, skillsRoot };
  const versions = await folderVersions(repository, reader, range);
  if (versions.size === 0) return null;
  const published = await listPublishedSkillbooks(stateDir(repository));
  const squashed = await squashedIn(repository, range);
  const isHeld = await heldBy({ reader, skillsRoot }, versions);
  for (const commit of commits) {
    const { tree } = commit;
    const folder = await reader.treeAt(tree, `${skillsRoot}/${SKILLBOOK_FOLDER}`);
    const as = folder === null ? [] : [folder, ...(published.get(folder) ?? [])];
    if (as.some((each) => versions.has(each)) || isSquashed(commit, squashed)) return tree;
    if (await isHeld(commit)) return tree;
  }
  return null;
}

/**
 * What a branch proposes, made again on another base.
 * @param context with the base that it is made on
 * @returns null when that base has all of it
 * @throws SkillprError `input` when a Skillbook can't be read
 */
export async function makeAgainOn(
  context: ProposalContext,
  { ref, tip }: Pick<ProposalBranch, "ref" | "tip">,
): Promise<FolderAgain | null> {
  const place = await placeWith(context, await describeBranch(context, ref, tip));
  if (place.open === null) return null;
  return { ...skillbookObjects(context.repository, place.skillbook), dropped: place.dropped };
}

/** Where the Skillbook of a repository stands: at the base, and on its branch when a proposal is open. */
import { SkillprError } from "./core/errors.ts";
import { SKILLBOOK_MAX_BYTES } from "./core/limits.ts";
import { safeLine } from "./core/text.ts";
import type { ObjectReader } from "./git/objects.ts";
import {
  findProposalBranch,
  isOpen,
  type ProposalBranch,
  type ProposalContext,
} from "./publish/open-proposals.ts";
import { rebaseSkillbook } from "./skills/rebase-skillbook.ts";
import { EMPTY_SKILLBOOK, parseSkillbook, type Skillbook } from "./skills/skillbook.ts";
import { SKILLBOOK_FILE_NAME, SKILLBOOK_FOLDER } from "./skills/skillbook-files.ts";

export interface SkillbookPlace {
  /** What the next operations apply to: the open proposal's, else the base's. */
  readonly skillbook: Skillbook;
  /** The base's. */
  readonly base: Skillbook;
  /** The open proposal; null when there is none. */
  readonly open: (ProposalBranch & { readonly folderTree: string }) | null;
  /**
   * The base's Skillbook changed since the proposal was made, so its changes were made again on the
   * base: `skillbook` goes on from there, not from the branch's tip.
   */
  readonly isMadeAgain: boolean;
  /** What of the open proposal no longer applies, a sentence each. */
  readonly dropped: readonly string[];
}

/** @throws SkillprError `input` when a Skillbook can't be read */
export async function findSkillbook(context: ProposalContext): Promise<SkillbookPlace> {
  const { reader, base, skillsRoot } = context;
  const atBase = await readSkillbookAt(reader, base.tree, skillsRoot);
  const branch = await findProposalBranch(context, SKILLBOOK_FOLDER);
  if (branch === null || !isOpen(branch))
    return { skillbook: atBase, base: atBase, open: null, isMadeAgain: false, dropped: [] };
  const tip = await readSkillbookAt(reader, branch.tree, skillsRoot);
  const common = { base: atBase, open: branch };
  const fork = branch.forkPoint === null ? null : (await reader.commit(branch.forkPoint)).tree;
  const folder = `${skillsRoot}/${SKILLBOOK_FOLDER}`;
  const isUnmoved =
    fork !== null &&
    (await reader.treeAt(fork, folder)) === (await reader.treeAt(base.tree, folder));
  if (isUnmoved) return { ...common, skillbook: tip, isMadeAgain: false, dropped: [] };
  const from = fork === null ? EMPTY_SKILLBOOK : await readSkillbookAt(reader, fork, skillsRoot);
  const { skillbook, dropped } = rebaseSkillbook(from, tip, atBase, new Date().toISOString());
  return { ...common, skillbook, isMadeAgain: true, dropped };
}

/**
 * The Skillbook in a tree; an empty one where there is none.
 * @throws SkillprError `input` naming the first thing that is wrong with it
 */
export async function readSkillbookAt(
  reader: ObjectReader,
  rootTree: string,
  skillsRoot: string,
): Promise<Skillbook> {
  const folder = await reader.treeAt(rootTree, `${skillsRoot}/${SKILLBOOK_FOLDER}`);
  const entry = folder === null ? undefined : await reader.entry(folder, SKILLBOOK_FILE_NAME);
  if (entry === undefined) return EMPTY_SKILLBOOK;
  const bytes = await reader.blob(entry.id, SKILLBOOK_MAX_BYTES);
  const text = bytes === null ? "" : Buffer.from(bytes).toString("utf8");
  return skillbookOf(text, `${skillsRoot}/${SKILLBOOK_FOLDER}/${SKILLBOOK_FILE_NAME}`);
}

/** @throws SkillprError `input` naming the file and the first thing that is wrong with it */
function skillbookOf(text: string, file: string): Skillbook {
  const parsed = parseSkillbook(text);
  if (parsed.ok) return parsed.skillbook;
  const [first, ...others] = parsed.problems;
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  throw new SkillprError(
    "input",
    safeLine(`${file}: ${first?.message ?? "can't be read"}${more}`),
    "correct the file; `skillpr skillbook validate` lists all that is wrong, `skillpr skillbook import` reads older formats",
  );
}

/** The skills folder as trees: finding it, listing it, replacing one folder in it, comparing. */
import { SkillprError } from "../core/errors.ts";
import { WORKSPACE_MAX_ENTRIES } from "../core/limits.ts";
import type { Git } from "./git.ts";
import { requireId } from "./names.ts";
import {
  canonicalMode,
  hashObject,
  isTree,
  type RawTreeEntry,
  TREE_MODE,
  type TreeObject,
} from "./object-format.ts";
import type { ObjectReader } from "./object-reader.ts";
import { notAFolder } from "./skills-root.ts";
import { spliceEntry } from "./tree-bytes.ts";

/** A file, link or submodule of a tree. */
export interface ListedFile {
  /** `/`-separated; bytes that are not UTF-8 appear as U+FFFD. */
  readonly path: string;
  /** Git's six digits. */
  readonly mode: string;
  readonly id: string;
}

/** One changed path between two trees. */
export interface TreeChange {
  readonly path: string;
  /** `A`, `M`, `D`, `T`, as git says it. */
  readonly status: string;
  /** `000000` when absent. */
  readonly oldMode: string;
  readonly mode: string;
  readonly oldId: string;
  readonly id: string;
}

/** Everything under the skills root of a root tree, with paths from the repository's root; empty when it is no folder. */
export async function listSkillsRoot(
  reader: ObjectReader,
  rootTree: string,
  skillsRoot: string,
): Promise<ListedFile[]> {
  const tree = await reader.treeAt(rootTree, skillsRoot);
  return tree === null ? [] : listTree(reader, tree, skillsRoot);
}

/**
 * How many entries right below the skills root are new or different: known long before git has compared all. 0 for
 * trees that can't be read; whoever needs them hears why.
 */
export async function countChangedSkills(
  reader: ObjectReader,
  {
    parentTree,
    newTree,
    skillsRoot,
  }: { readonly parentTree: string; readonly newTree: string; readonly skillsRoot: string },
): Promise<number> {
  try {
    const [before, after] = await Promise.all(
      [parentTree, newTree].map(async (root) => {
        const tree = await reader.treeAt(root, skillsRoot);
        return tree === null ? [] : await reader.tree(tree);
      }),
    );
    const known = new Set(before?.map(({ id }) => id));
    return after?.filter(({ id }) => !known.has(id)).length ?? 0;
  } catch (error) {
    if (error instanceof SkillprError && error.code === "git") return 0;
    throw error;
  }
}

/**
 * Every file, link and submodule below a tree, in git's order.
 * @param prefix put before each path with a `/`; empty for none
 * @throws SkillprError `input` beyond WORKSPACE_MAX_ENTRIES
 */
export async function listTree(
  reader: ObjectReader,
  tree: string,
  prefix: string,
): Promise<ListedFile[]> {
  await expectBelow(reader, tree);
  const files: ListedFile[] = [];
  let visited = 0;
  const visit = async (id: string, above: string): Promise<void> => {
    const entries = reader.knownTree(id) ?? (await reader.tree(id));
    visited += entries.length;
    if (visited > WORKSPACE_MAX_ENTRIES) throw tooMany(prefix);
    for (const entry of entries) {
      const path = above === "" ? decode(entry.name) : `${above}/${decode(entry.name)}`;
      if (isTree(entry)) await visit(entry.id, path);
      else files.push({ path, mode: canonicalMode(entry.mode), id: entry.id });
    }
  };
  await visit(tree, prefix);
  return files;
}

/** Reads the trees below one, a level at a time: one after the other, each would wait for git. */
async function expectBelow(reader: ObjectReader, tree: string): Promise<void> {
  let read = 0;
  for (let level = new Set([tree]); level.size > 0 && read <= WORKSPACE_MAX_ENTRIES; ) {
    await reader.expectTrees(level);
    read += level.size;
    const entries = [...level].flatMap((id) => reader.knownTree(id) ?? []);
    level = new Set(entries.filter(isTree).map(({ id }) => id));
  }
}

function tooMany(prefix: string): SkillprError {
  return new SkillprError(
    "input",
    `${prefix === "" ? "the folder" : prefix} holds more than ${WORKSPACE_MAX_ENTRIES} files and folders`,
    "A skills folder holds small text files: check that --skills-root names the right one.",
  );
}

/**
 * Puts one folder into a root tree (null: takes it out, with parents that become empty). All other
 * entries stay byte for byte; nothing is written.
 * @returns the new root tree, and the tree objects on the way that it needs, deepest first
 * @throws SkillprError `input` when something above the folder is no folder
 */
export async function replaceFolder(
  reader: ObjectReader,
  rootTree: string,
  folderPath: string,
  folderTree: string | null,
): Promise<{ tree: string; objects: TreeObject[] }> {
  const parts = folderPath.split("/");
  const levels = await openLevels(reader, rootTree, parts);
  const objects: TreeObject[] = [];
  let below = folderTree;
  for (const [depth, bytes] of [...levels.entries()].reverse()) {
    const name = Buffer.from(parts[depth] ?? "");
    const entry = below === null ? null : { mode: TREE_MODE, name, id: below };
    const next = spliceEntry(bytes, name, entry, reader.objectFormat);
    if (next === null)
      throw new Error(`a tree above ${folderPath} is cut off, but was read before`);
    if (next.length === 0 && depth > 0) {
      below = null;
      continue;
    }
    const object = {
      type: "tree",
      bytes: next,
      id: hashObject("tree", next, reader.objectFormat),
    } as const;
    objects.push(object);
    below = object.id;
  }
  const tree = below ?? rootTree;
  return { tree, objects: tree === rootTree ? [] : objects };
}

/** The bytes of the root and of every folder above the last part; empty where there is none yet. */
async function openLevels(
  reader: ObjectReader,
  rootTree: string,
  parts: readonly string[],
): Promise<Buffer[]> {
  let tree: string | null = rootTree;
  const levels = [await reader.treeBytes(rootTree)];
  for (const [index, part] of parts.slice(0, -1).entries()) {
    const entry: RawTreeEntry | undefined =
      tree === null ? undefined : await reader.entry(tree, part);
    if (entry !== undefined && !isTree(entry)) {
      const path = parts.slice(0, index + 1).join("/");
      throw await notAFolder(reader, path, entry, parts.join("/"));
    }
    tree = entry?.id ?? null;
    levels.push(tree === null ? Buffer.alloc(0) : await reader.treeBytes(tree));
  }
  return levels;
}

const DIFF_OPTIONS: readonly string[] = [
  "-r",
  "-z", // names as bytes, not quoted
  "--raw",
  "--no-abbrev",
  "--no-renames", // a rename is a deletion and an addition, and judged as both
  "--no-ext-diff",
  "--no-textconv",
  "--no-relative", // nothing outside some folder is left out
  "--ignore-submodules=none", // nor does any setting hide a submodule
];

/** Every path that differs between two trees; needs neither index nor work tree nor history. */
export async function diffTrees(git: Git, a: string, b: string): Promise<TreeChange[]> {
  requireId(a);
  requireId(b);
  const { stdout } = await git.run(["diff-tree", ...DIFF_OPTIONS, a, b]);
  const changes: TreeChange[] = [];
  for (let at = 0; at < stdout.length; ) {
    const tab = stdout.indexOf(0, at);
    const end = stdout.indexOf(0, tab + 1);
    const header = stdout.toString("latin1", at, tab);
    const [, oldMode, mode, oldId, id, status] =
      /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) ([A-Z]\d*)$/.exec(header) ?? [];
    if (tab === -1 || end === -1 || !oldMode || !mode || !oldId || !id || !status) {
      throw new Error(`diff-tree answered ${JSON.stringify(header)}`);
    }
    const path = decode(stdout.subarray(tab + 1, end));
    changes.push({ path, status, oldMode, mode, oldId, id });
    at = end + 1;
  }
  return changes;
}

function decode(name: Buffer): string {
  return name.toString("utf8");
}

/** The way to the skills root, and what may stand in it. */
import { SkillprError } from "../core/errors.ts";
import { QUOTE_MAX_CHARS } from "../core/limits.ts";
import { safeLine } from "../core/text.ts";
import { canonicalMode, isTree, type RawTreeEntry } from "./object-format.ts";
import type { ObjectReader } from "./object-reader.ts";
import type { ListedFile } from "./skills-tree.ts";

/**
 * The tree of the skills root below a root tree.
 * @param skillsRoot `/`-separated, e.g. `.qwen/skills`
 * @returns `tree: null` when there is none yet
 * @throws SkillprError `input` when it or a folder above it is a symlink, a submodule or a file
 */
export async function readSkillsRoot(
  reader: ObjectReader,
  rootTree: string,
  skillsRoot: string,
): Promise<{ tree: string | null }> {
  const { tree, obstacle } = await goToRoot(reader, rootTree, skillsRoot);
  if (obstacle !== null) throw await notAFolder(reader, obstacle.path, obstacle.entry, skillsRoot);
  return { tree };
}

/** What stands where the skills root or a folder above it should be: a link, a submodule or a file; null when nothing does. */
export async function skillsRootObstacle(
  reader: ObjectReader,
  rootTree: string,
  skillsRoot: string,
): Promise<ListedFile | null> {
  const { obstacle } = await goToRoot(reader, rootTree, skillsRoot);
  if (obstacle === null) return null;
  const { path, entry } = obstacle;
  return { path, mode: canonicalMode(entry.mode), id: entry.id };
}

interface WayToRoot {
  /** Null when there is none. */
  readonly tree: string | null;
  readonly obstacle: { readonly path: string; readonly entry: RawTreeEntry } | null;
}

async function goToRoot(
  reader: ObjectReader,
  rootTree: string,
  skillsRoot: string,
): Promise<WayToRoot> {
  const parts = skillsRoot.split("/");
  let tree = rootTree;
  for (const [index, part] of parts.entries()) {
    const entry = await reader.entry(tree, part);
    if (entry === undefined) return { tree: null, obstacle: null };
    const path = parts.slice(0, index + 1).join("/");
    if (!isTree(entry)) return { tree: null, obstacle: { path, entry } };
    tree = entry.id;
  }
  return { tree, obstacle: null };
}

/** The error that names what stands in a folder's place. */
export async function notAFolder(
  reader: ObjectReader,
  path: string,
  entry: RawTreeEntry,
  skillsRoot: string,
): Promise<SkillprError> {
  const mode = canonicalMode(entry.mode);
  if (mode === "120000") {
    const target = await reader.blob(entry.id, QUOTE_MAX_CHARS);
    const to = target === null ? "" : ` to ${safeLine(target.toString("utf8"))}`;
    return new SkillprError(
      "input",
      `${path} is a symbolic link${to} in the base, not a folder`,
      "Name the folder that holds the skills with --skills-root, e.g. the link's target.",
    );
  }
  return new SkillprError(
    "input",
    `${path} is a ${mode === "160000" ? "submodule" : "file"} in the base, not a folder`,
    mode === "160000"
      ? "Run skillpr inside the submodule's own repository, or name another folder with --skills-root."
      : `Move the file away, so that ${skillsRoot} can be a folder, or name another with --skills-root.`,
  );
}

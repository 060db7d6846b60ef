/** The Skillbook in a tree, and a tree of a Skillbook. */
import { SkillprError } from "../core/errors.ts";
import { SKILLBOOK_HISTORY_MAX, SKILLBOOK_MAX_BYTES } from "../core/limits.ts";
import { safeLine } from "../core/text.ts";
import { hashObject, type NewObject, type ObjectReader, writeObjects } from "../git/objects.ts";
import type { Repository } from "../git/repository.ts";
import { buildFolderTree } from "../proposal/folder-tree.ts";
import { EMPTY_SKILLBOOK, parseSkillbook, type Skillbook } from "../skills/skillbook.ts";
import {
  renderSkillbookFiles,
  SKILLBOOK_FILE_NAME,
  SKILLBOOK_FOLDER,
} from "../skills/skillbook-files.ts";

/**
 * The Skillbook of a root tree; an empty one where there is none.
 * @throws SkillprError `input` naming the first thing that is wrong with it
 */
export async function readSkillbookAt(
  reader: ObjectReader,
  rootTree: string,
  skillsRoot: string,
): Promise<Skillbook> {
  const path = `${skillsRoot}/${SKILLBOOK_FOLDER}`;
  return readSkillbookFolder(reader, await reader.treeAt(rootTree, path), path);
}

/**
 * @param folder tree of the Skillbook's folder; null: there is none
 * @param path how the folder is named in errors
 * @throws SkillprError `input` naming the first thing that is wrong with it
 */
export async function readSkillbookFolder(
  reader: ObjectReader,
  folder: string | null,
  path: string,
): Promise<Skillbook> {
  const entry = folder === null ? undefined : await reader.entry(folder, SKILLBOOK_FILE_NAME);
  if (entry === undefined) return EMPTY_SKILLBOOK;
  const bytes = await reader.blob(entry.id, SKILLBOOK_MAX_BYTES);
  const text = bytes === null ? "" : Buffer.from(bytes).toString("utf8");
  return skillbookOf(text, `${path}/${SKILLBOOK_FILE_NAME}`);
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

/** Writes the Skillbook's folder. @returns its tree */
export async function writeSkillbookFolder(
  repository: Repository,
  skillbook: Skillbook,
): Promise<string> {
  const { folderTree, objects } = skillbookObjects(repository, skillbook);
  await writeObjects(repository.git, objects);
  return folderTree;
}

/** The Skillbook's folder as objects that nobody wrote yet, and its tree. */
export function skillbookObjects(
  { objectFormat }: Pick<Repository, "objectFormat">,
  skillbook: Skillbook,
): { readonly folderTree: string; readonly objects: readonly NewObject[] } {
  const blobs = renderSkillbookFiles(skillbook).map(({ path, content }) => {
    const bytes = Buffer.from(content);
    return { path, type: "blob" as const, id: hashObject("blob", bytes, objectFormat), bytes };
  });
  const files = blobs.map(({ path, id }) => ({ path, mode: "100644", id }));
  const built = buildFolderTree(files, objectFormat);
  const objects = [...blobs.map(({ type, id, bytes }) => ({ type, id, bytes })), ...built.objects];
  return { folderTree: built.tree, objects };
}

/**
 * Trees that the Skillbook's folder had in a history, the newest first: what a squash merged is found by
 * its content, because its commit is another one.
 * @param after a commit whose history doesn't count; null: all counts
 */
export async function folderVersions(
  { git }: Repository,
  reader: ObjectReader,
  range: { readonly after: string | null; readonly upTo: string; readonly skillsRoot: string },
): Promise<ReadonlySet<string>> {
  const path = `${range.skillsRoot}/${SKILLBOOK_FOLDER}`;
  const not = range.after === null ? [] : [`^${range.after}`];
  const max = `--max-count=${SKILLBOOK_HISTORY_MAX}`;
  const listing = await git.text(["rev-list", max, range.upTo, ...not, "--", path]);
  const versions = new Set<string>();
  for (const commit of listing.split("\n").filter((line) => line !== "")) {
    const folder = await reader.treeAt((await reader.commit(commit)).tree, path);
    if (folder !== null) versions.add(folder);
  }
  return versions;
}

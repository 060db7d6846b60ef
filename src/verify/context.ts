/** What the rules look at: the input of verify(), grouped by skill and read once. */
import { type Marker, markerOf, mentionsMarker } from "../skills/marker.ts";
import { type ParsedSkillFile, parseSkillFile } from "../skills/skill-file.ts";
import { parseSkillPath, SKILL_FILE_NAME } from "../skills/skill-path.ts";
import type { SkillSummary } from "../skills/skill-summary.ts";
import type { Change, TreeFile, VerifyInput } from "./change.ts";
import { indexSkills } from "./skill-index.ts";

/** A blob as text. `missing`: too large to load, or no blob. */
export type BlobText =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "missing" | "not-utf8" };

/** One version of a skill's SKILL.md. */
export interface SkillVersion {
  readonly file: TreeFile;
  readonly blob: BlobText;
  /** null when the file can't be read as text. */
  readonly parsed: ParsedSkillFile | null;
  readonly marker: Marker | null;
}

/** A skill folder with at least one change that is no deletion. */
export interface ChangedFolder {
  readonly folder: string;
  /** From the repository's root. */
  readonly path: string;
  /** Path of its SKILL.md from the repository's root, whether it exists or not. */
  readonly skillPath: string;
  readonly changes: readonly Change[];
  readonly parentFiles: readonly TreeFile[];
  readonly nextFiles: readonly TreeFile[];
  /** null when that tree has no `SKILL.md` (spelled exactly) in the folder, or more than one. */
  readonly parent: SkillVersion | null;
  readonly next: SkillVersion | null;
  /** SKILL.md is among the changes. */
  readonly isSkillFileChanged: boolean;
  /**
   * In a pull request: nothing in the new version could be taken for the marker, so it is a person's
   * skill, also when a person takes it over by removing the marker. The rules for auto-skills are not for it.
   */
  readonly isPersonal: boolean;
}

/** As much of the input as the rules about single files may read. */
export type FileInput = Pick<
  VerifyInput,
  "skillsRoot" | "profile" | "changes" | "next" | "blob" | "grounded"
>;

/** What the rules about single files may read: so much is there in every thread that works on a share of the files. */
export interface FileContext {
  readonly input: FileInput;
  readonly skillsRoot: string;
  /** Changes that put a regular file somewhere, with mode `100…`. */
  readonly written: readonly Change[];
  /** The files of the new tree in a folder with a written file; the folder is named from the repository's root. */
  readonly filesIn: (folder: string) => readonly TreeFile[];
  /** Text of a blob, decoded once. */
  readonly text: (id: string) => BlobText;
}

export interface VerifyContext extends FileContext {
  readonly input: VerifyInput;
  /** The changes that are this tool's business: all, or in a pull request those that touch the skills root in any spelling. */
  readonly changes: readonly Change[];
  readonly folders: readonly ChangedFolder[];
  /** Every skill of the new tree and of the project's other roots; read when a rule first asks. */
  readonly skills: () => readonly SkillSummary[];
  /** Those with a name, in lower case. */
  readonly skillsNamed: (name: string) => readonly SkillSummary[];
}

export function createContext(input: VerifyInput): VerifyContext {
  const changes = ownChanges(input);
  const files = createFileContext(input, changes);
  const { text } = files;
  return {
    ...files,
    input,
    changes,
    folders: changedFolders(input, changes, text),
    ...indexSkills(input, text),
  };
}

export function createFileContext(input: FileInput, changes = ownChanges(input)): FileContext {
  return {
    input,
    skillsRoot: input.skillsRoot,
    written: changes.filter(({ status, mode }) => status !== "D" && mode.startsWith("100")),
    filesIn: filesByFolder(input),
    text: memoize((id) => decode(input.blob(id))),
  };
}

function ownChanges({ profile, changes, skillsRoot }: FileInput): readonly Change[] {
  if (profile === "proposal") return changes;
  const root = foldPath(skillsRoot);
  return changes.filter(({ path }) => touchesRoot(path, root));
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII is what is meant
const IS_ASCII = /^[\u0000-\u007f]*$/;

/**
 * A path as the most forgiving file system compares it: two paths with the same fold may be one
 * file there.
 */
export function foldPath(path: string): string {
  // Of ASCII nothing else is left to do, and most paths are ASCII.
  if (IS_ASCII.test(path)) return path.toLowerCase();
  return path
    .normalize("NFC")
    .replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, "")
    .toUpperCase()
    .toLowerCase()
    .normalize("NFC");
}

/** True for the skills root itself and for the folders that lead to it. */
export function isRootOrParent(path: string, skillsRoot: string): boolean {
  return `${skillsRoot}/`.startsWith(`${path}/`);
}

/** @param root the folded path of the skills root */
function touchesRoot(path: string, root: string): boolean {
  const folded = foldPath(path);
  return folded.startsWith(`${root}/`) || isRootOrParent(folded, root);
}

function changedFolders(
  input: VerifyInput,
  changes: readonly Change[],
  text: (id: string) => BlobText,
): ChangedFolder[] {
  const { skillsRoot, profile } = input;
  const folderOf = ({ path }: { path: string }) => parseSkillPath(path, skillsRoot)?.folder;
  const parentFiles = groupBy(input.parent, folderOf);
  const nextFiles = groupBy(input.next, folderOf);
  const folders: ChangedFolder[] = [];
  for (const [folder, inFolder] of groupBy(changes, folderOf)) {
    const after = nextFiles.get(folder) ?? [];
    // Of what is gone as a whole nothing is left to look at; what lost a file may lack it.
    if (after.length === 0) continue;
    const path = `${skillsRoot}/${folder}`;
    const skillPath = `${path}/${SKILL_FILE_NAME}`;
    const before = parentFiles.get(folder) ?? [];
    const parent = versionIn(before, skillPath, text);
    const next = versionIn(after, skillPath, text);
    folders.push({
      folder,
      path,
      skillPath,
      changes: inFolder,
      parentFiles: before,
      nextFiles: after,
      parent,
      next,
      isSkillFileChanged: inFolder.some((change) => change.path === skillPath),
      isPersonal: profile === "pull-request" && isUnmarked(next ?? parent),
    });
  }
  return folders;
}

function filesByFolder({ next, skillsRoot }: FileInput): VerifyContext["filesIn"] {
  let byFolder: ReadonlyMap<string, readonly TreeFile[]> | null = null;
  const depth = skillsRoot.split("/").length + 1;
  const folderOf = ({ path }: TreeFile) => {
    const parts = path.split("/");
    return parts.length > depth ? parts.slice(0, depth).join("/") : undefined;
  };
  return (folder) => {
    byFolder ??= groupBy(next, folderOf);
    return byFolder.get(folder) ?? [];
  };
}

function versionIn(
  files: readonly TreeFile[],
  skillPath: string,
  text: (id: string) => BlobText,
): SkillVersion | null {
  const [file, other] = files.filter(({ path }) => path === skillPath);
  // Of two, neither is the version: structure.tree refuses them.
  if (!file || other) return null;
  const blob = text(file.id);
  const parsed = blob.kind === "text" ? parseSkillFile(blob.text) : null;
  return { file, blob, parsed, marker: parsed && markerOf(parsed) };
}

function isUnmarked(version: SkillVersion | null): boolean {
  if (version === null) return true;
  return version.blob.kind === "text" && !mentionsMarker(version.blob.text);
}

/** A byte order mark stays: the rules refuse it, so they must see it. One for all: to make it costs more than to use it. */
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decode(bytes: Uint8Array | undefined): BlobText {
  if (bytes === undefined) return { kind: "missing" };
  try {
    return { kind: "text", text: UTF8.decode(bytes) };
  } catch (error) {
    if (error instanceof TypeError) return { kind: "not-utf8" };
    throw error;
  }
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string | undefined): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

function memoize<T>(compute: (id: string) => T): (id: string) => T {
  const known = new Map<string, T>();
  return (id) => {
    const found = known.get(id);
    if (found !== undefined) return found;
    const value = compute(id);
    known.set(id, value);
    return value;
  };
}

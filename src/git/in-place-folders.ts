/**
 * Skills that lie in the work tree and that git doesn't track: what an agent wrote in place, what it
 * staged for a person's answer, and what people keep for themselves. Only looked at, by lstat and
 * O_NOFOLLOW; nothing here is ever written.
 */
import { isUtf8 } from "node:buffer";
import { join } from "node:path";
import {
  IN_PLACE_ENTRIES_MAX,
  IN_PLACE_FOLDERS_MAX,
  IN_PLACE_MAX_BYTES,
  WALK_FILE_MAX_BYTES,
  WORKSPACE_MAX_DEPTH,
} from "../core/limits.ts";
import { safeLine } from "../core/text.ts";
import { listEntries, lookAt, readExactly } from "./disk-entry.ts";
import { gitInWorkTree, type Repository } from "./repository.ts";
import type { WalkedEntry } from "./workspace.ts";

/** Where Qwen Code stages new skills, a folder per task, until a person says yes. */
export const PENDING_ROOT = ".qwen/pending-skills";
const SKILL_FILE = "SKILL.md";

export interface InPlaceFolder {
  /** From the work tree's root, `/`-separated. */
  readonly path: string;
  /** The skill's own folder, the last part of it. */
  readonly folder: string;
  readonly isPending: boolean;
}

export interface InPlaceListing {
  /** By path; of the skills root before the pending ones. */
  readonly folders: readonly InPlaceFolder[];
  /** One sentence each, without a full stop: what was not looked at. */
  readonly notes: readonly string[];
}

/** The folders in place of one work tree, ignored ones too; empty for a bare repository. */
export async function listInPlaceFolders(
  repository: Repository,
  skillsRoot: string,
): Promise<InPlaceListing> {
  const { root } = repository;
  const notes: string[] = [];
  if (root === null) return { folders: [], notes };
  const below = (path: string) => {
    const problem = folderProblem(root, path);
    if (problem !== null && problem !== "absent") notes.push(`${safeLine(path)} ${problem}`);
    return problem === null ? childrenOf(root, path) : { folders: [], links: [] };
  };
  const own = below(skillsRoot);
  const hasAny = own.folders.length + own.links.length > 0;
  const tracked = hasAny ? await trackedFolders(repository, skillsRoot) : new Set();
  const isUntracked = (name: string) => !tracked.has(name);
  for (const name of own.links.filter(isUntracked))
    notes.push(`${safeLine(`${skillsRoot}/${name}`)} is a symbolic link, and is not looked at`);
  const inPlace = own.folders
    .filter(isUntracked)
    .map((folder) => ({ path: `${skillsRoot}/${folder}`, folder, isPending: false }));
  const staged = (path: string, folder: string) => ({ path, folder, isPending: true });
  const pending = below(PENDING_ROOT).folders.flatMap((task) => {
    const path = `${PENDING_ROOT}/${task}`;
    // Without a task's folder around it.
    if (lookAt(Buffer.from(join(root, path, SKILL_FILE))) !== null) return [staged(path, task)];
    return below(path).folders.map((folder) => staged(`${path}/${folder}`, folder));
  });
  const folders = [...inPlace, ...pending];
  if (folders.length > IN_PLACE_FOLDERS_MAX)
    notes.push(
      `only the first ${IN_PLACE_FOLDERS_MAX} of ${folders.length} folders in place were looked at`,
    );
  return { folders: folders.slice(0, IN_PLACE_FOLDERS_MAX), notes };
}

/** Names under the skills root in which the index has a file. */
async function trackedFolders(repository: Repository, skillsRoot: string): Promise<Set<string>> {
  const listing = await gitInWorkTree(repository).text(["ls-files", "-z", "--", skillsRoot]);
  return new Set(
    listing.split("\0").map((path) => path.slice(skillsRoot.length + 1).split("/")[0] ?? ""),
  );
}

/** Whether git tracks a path of the work tree, or something in it. @param path absolute, or from the work tree's root */
export async function isTracked(repository: Repository, path: string): Promise<boolean> {
  return (await gitInWorkTree(repository).text(["ls-files", "-z", "--", path])) !== "";
}

/**
 * Why a path below the work tree is no folder to read: it or a folder above it is a link or
 * something else; `absent` when there is nothing, null when it is one.
 */
export function folderProblem(root: string, path: string): string | null {
  let at = root;
  for (const part of path.split("/")) {
    at = join(at, part);
    const info = lookAt(Buffer.from(at));
    if (info === null) return "absent";
    if (info.isSymbolicLink()) return "is reached through a symbolic link, and is not looked at";
    if (!info.isDirectory()) return "is not a folder";
  }
  return null;
}

/** Real folders and links in a folder, by name; names that are no text are passed over. */
function childrenOf(root: string, path: string): { folders: string[]; links: string[] } {
  const names = (listEntries(Buffer.from(join(root, path))) ?? [])
    .filter((name) => isUtf8(name))
    .map((name) => ({
      name: name.toString("utf8"),
      info: lookAt(Buffer.from(join(root, path, name.toString("utf8")))),
    }));
  return {
    folders: names.filter(({ info }) => info?.isDirectory()).map(({ name }) => name),
    links: names.filter(({ info }) => info?.isSymbolicLink()).map(({ name }) => name),
  };
}

export interface InPlaceContent {
  /** Everything in the folder, paths relative to it. */
  readonly entries: readonly WalkedEntry[];
  /** Bytes of every regular file that is small enough, by path. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** It holds more than is looked at. */
  readonly isTooMuch: boolean;
}

/** Reads one folder as it lies there. @param path as listInPlaceFolders gives it */
export function readInPlaceFolder(root: string, path: string): InPlaceContent {
  const entries: WalkedEntry[] = [];
  const files = new Map<string, Buffer>();
  let bytes = 0;
  for (const { entry, content } of entriesBelow(join(root, path), "", WORKSPACE_MAX_DEPTH)) {
    bytes += content?.length ?? 0;
    if (entries.length === IN_PLACE_ENTRIES_MAX || bytes > IN_PLACE_MAX_BYTES)
      return { entries, files, isTooMuch: true };
    entries.push(entry);
    if (content !== null) files.set(entry.path, content);
  }
  return { entries, files, isTooMuch: false };
}

/** Everything below a folder, read as it is reached; what lies deeper than `levels` is not. */
function* entriesBelow(root: string, folder: string, levels: number): Generator<ReadEntry> {
  for (const name of listEntries(Buffer.from(join(root, folder))) ?? []) {
    const path = folder === "" ? name.toString("utf8") : `${folder}/${name.toString("utf8")}`;
    const read = readEntry(join(root, path), path, isUtf8(name));
    yield read;
    if (read.entry.kind === "folder" && levels > 1) yield* entriesBelow(root, path, levels - 1);
  }
}

/** The text of one small file of such a folder; null when it is no regular file or too large. */
export function readInPlaceFile(root: string, path: string, maxBytes: number): Buffer | null {
  const disk = Buffer.from(join(root, path));
  const info = lookAt(disk);
  const isSmall = info?.isFile() === true && info.nlink === 1 && info.size <= maxBytes;
  return isSmall ? readExactly(disk, info) : null;
}

interface ReadEntry {
  readonly entry: WalkedEntry;
  /** Of a regular file. */
  readonly content: Buffer | null;
}

function readEntry(disk: string, path: string, isText: boolean): ReadEntry {
  const only = (kind: WalkedEntry["kind"]) => ({ entry: { path, kind }, content: null });
  const info = isText ? lookAt(Buffer.from(disk)) : null;
  if (info === null) return only("unreadable");
  if (info.isDirectory()) {
    const children = listEntries(Buffer.from(disk));
    if (children === null) return only("unreadable");
    return { entry: { path, kind: "folder", children: children.length }, content: null };
  }
  if (info.isSymbolicLink()) return only("symlink");
  if (!info.isFile()) return only("special");
  if (info.nlink > 1) return only("hard-link");
  if (info.size > WALK_FILE_MAX_BYTES) return only("oversize");
  const content = readExactly(Buffer.from(disk), info);
  return content === null ? only("unreadable") : { entry: { path, kind: "file" }, content };
}

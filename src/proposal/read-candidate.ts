/** What a reviewer left in the workspace, as plain values to verify and to build trees from. */
import { hashObject } from "../git/objects.ts";
import { type Workspace, walkWorkspace } from "../git/workspace.ts";
import type { Change, DiskEntry, TreeFile } from "../verify/change.ts";
import type { FolderFile } from "./folder-tree.ts";

export interface ChangedFolder {
  /** The skill's folder under the skills root. */
  readonly name: string;
  /** True when the folder was not there before. */
  readonly isNew: boolean;
  /** Every file of the folder as it will be, relative to it. */
  readonly files: readonly FolderFile[];
  /** Those that are new or changed, with their bytes. */
  readonly changed: readonly {
    readonly path: string;
    readonly id: string;
    readonly bytes: Uint8Array;
  }[];
}

export interface Candidate {
  readonly changes: readonly Change[];
  readonly parent: readonly TreeFile[];
  readonly next: readonly TreeFile[];
  readonly disk: readonly DiskEntry[];
  readonly blob: (id: string) => Uint8Array | undefined;
  readonly folders: readonly ChangedFolder[];
}

/**
 * Reads every file once (walkWorkspace) and compares with what was materialised. A link or
 * submodule of the base stands on disk as a small text file or an empty folder; untouched, it
 * keeps its mode and is no change.
 */
export async function readCandidate(
  workspace: Workspace,
  skillsRoot: string,
  objectFormat: "sha1" | "sha256",
): Promise<Candidate> {
  const walked = await walkWorkspace(workspace);
  const parent = workspace.source;
  const before = new Map(parent.map((file) => [file.path, file]));
  const bytesOf = new Map<string, Uint8Array>(workspace.sourceBytes);
  const next = new Map<string, TreeFile>();
  for (const [path, bytes] of walked.files) {
    const id = hashObject("blob", bytes, objectFormat);
    const old = before.get(path);
    next.set(path, { path, id, mode: old?.id === id ? old.mode : "100644" });
    bytesOf.set(id, bytes);
  }
  const emptyFolders = new Set(
    walked.entries.filter((e) => e.kind === "folder" && e.children === 0).map((e) => e.path),
  );
  for (const file of parent)
    if (file.mode === "160000" && emptyFolders.has(file.path)) next.set(file.path, file);

  const changes = compare(before, next);
  const folderOf = (path: string) =>
    path.startsWith(`${skillsRoot}/`)
      ? path.slice(skillsRoot.length + 1).split("/", 1)[0]
      : undefined;
  const changedFolders = new Set(
    changes.map(({ path }) => folderOf(path)).filter((f) => f !== undefined),
  );
  const knownFolders = new Set(parent.map(({ path }) => folderOf(path)));
  // What an untouched folder of the base holds is not this review's doing.
  const disk = walked.entries.filter((entry) => {
    const folder = folderOf(entry.path);
    const isOdd = entry.kind !== "folder" && entry.kind !== "file";
    return isOdd || folder === undefined || changedFolders.has(folder) || !knownFolders.has(folder);
  });
  return {
    changes,
    parent,
    next: [...next.values()],
    disk,
    blob: (id) => bytesOf.get(id),
    folders: [...changedFolders]
      .sort()
      .map((name) => toFolder(`${skillsRoot}/${name}`, name, before, next, bytesOf)),
  };
}

/** Every new or changed file with its bytes, paths from the repository's root. */
export function changedFiles(
  { folders }: Candidate,
  skillsRoot: string,
): { path: string; bytes: Uint8Array }[] {
  return folders.flatMap(({ name, changed }) =>
    changed.map(({ path, bytes }) => ({ path: `${skillsRoot}/${name}/${path}`, bytes })),
  );
}

function toFolder(
  path: string,
  name: string,
  before: ReadonlyMap<string, TreeFile>,
  next: ReadonlyMap<string, TreeFile>,
  bytesOf: ReadonlyMap<string, Uint8Array>,
): ChangedFolder {
  const inFolder = (file: TreeFile) => file.path.startsWith(`${path}/`);
  const files = [...next.values()].filter(inFolder);
  const relative = (file: TreeFile) => ({ ...file, path: file.path.slice(path.length + 1) });
  return {
    name,
    isNew: ![...before.values()].some(inFolder),
    files: files.map(relative),
    changed: files
      .filter((file) => before.get(file.path)?.id !== file.id)
      .map((file) => ({ ...relative(file), bytes: bytesOf.get(file.id) ?? new Uint8Array() })),
  };
}

/** The changes from one listing to another, as git reports them without rename detection. */
function compare(
  before: ReadonlyMap<string, TreeFile>,
  next: ReadonlyMap<string, TreeFile>,
): Change[] {
  const zero = { mode: "000000", id: "0" };
  const changes: Change[] = [];
  for (const path of new Set([...before.keys(), ...next.keys()])) {
    const old = before.get(path) ?? zero;
    const now = next.get(path) ?? zero;
    if (old.id === now.id && old.mode === now.mode) continue;
    const status =
      old === zero ? "A" : now === zero ? "D" : typeOf(old.mode) === typeOf(now.mode) ? "M" : "T";
    changes.push({ path, status, oldMode: old.mode, mode: now.mode, oldId: old.id, id: now.id });
  }
  return changes;
}

function typeOf(mode: string): string {
  return mode.slice(0, 2);
}

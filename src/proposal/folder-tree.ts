/** Builds the git tree of one skill folder in memory: what is hashed is what was read. */
import { hashObject, type RawTreeEntry, serializeTree } from "../git/objects.ts";

export interface FolderFile {
  /** Relative to the folder, `/`-separated. */
  readonly path: string;
  readonly mode: string;
  readonly id: string;
}

export interface GitObject {
  readonly type: "blob" | "tree";
  readonly id: string;
  readonly bytes: Uint8Array;
}

type ObjectFormat = "sha1" | "sha256";

/**
 * @param files every file of the folder; no path may be below another's
 * @returns the folder's tree id, and the tree objects that it needs (all levels)
 */
export function buildFolderTree(
  files: readonly FolderFile[],
  objectFormat: ObjectFormat,
): { tree: string; objects: GitObject[] } {
  const entries: RawTreeEntry[] = [];
  const objects: GitObject[] = [];
  const below = new Map<string, FolderFile[]>();
  for (const file of files) {
    const slash = file.path.indexOf("/");
    if (slash === -1) {
      entries.push({ mode: file.mode, name: Buffer.from(file.path), id: file.id });
      continue;
    }
    const folder = file.path.slice(0, slash);
    const rest = { ...file, path: file.path.slice(slash + 1) };
    below.set(folder, [...(below.get(folder) ?? []), rest]);
  }
  for (const [folder, rest] of below) {
    const built = buildFolderTree(rest, objectFormat);
    entries.push({ mode: "40000", name: Buffer.from(folder), id: built.tree });
    objects.push(...built.objects);
  }
  const bytes = serializeTree(entries, objectFormat);
  const id = hashObject("tree", bytes, objectFormat);
  return { tree: id, objects: [...objects, { type: "tree", id, bytes }] };
}

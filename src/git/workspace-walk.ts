/**
 * Reading a workspace after somebody untrusted wrote into it: by lstat and O_NOFOLLOW, never with
 * git, which would run filters, obey ignore rules and follow a changed `.git` file.
 */

import { isUtf8 } from "node:buffer";
import type { Stats } from "node:fs";
import { SkillprError } from "../core/errors.ts";
import {
  WALK_FILE_MAX_BYTES,
  WALK_MAX_BYTES,
  WORKSPACE_MAX_DEPTH,
  WORKSPACE_MAX_ENTRIES,
} from "../core/limits.ts";
import { listEntries, lookAt, readExactly } from "./disk-entry.ts";
import type { Workspace } from "./workspace.ts";

export interface WalkedEntry {
  /** From the workspace's root, `/`-separated. */
  readonly path: string;
  readonly kind:
    | "file"
    | "folder"
    | "symlink"
    | "hard-link"
    | "special"
    | "unreadable"
    | "oversize";
  /** For folders: how many entries they hold. */
  readonly children?: number;
  /** For files: the permission bits. */
  readonly permissions?: number;
}

export interface DiskListing {
  /** Everything below the root, the worktree's own untouched `.git` file excepted. */
  readonly entries: readonly WalkedEntry[];
  /** Bytes of every entry of kind `file`, by path. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

interface Folder {
  /** As bytes: names on a disk need not be text. */
  readonly disk: Buffer;
  readonly path: string;
  /** Levels below the root. */
  readonly depth: number;
}

const SLASH = Buffer.from("/");

/**
 * Lists everything in the workspace and reads every regular file once.
 * @throws SkillprError `input` when there is too much of it
 */
export async function walkWorkspace(
  workspace: Pick<Workspace, "dir" | "gitFile" | "source" | "sourceBytes">,
): Promise<DiskListing> {
  return new Walk(workspace).all();
}

class Walk {
  readonly #workspace: Parameters<typeof walkWorkspace>[0];
  /** Sizes of what was written there: such a file may be larger than a new one. */
  readonly #knownSizes: ReadonlyMap<string, number | undefined>;
  readonly #entries: WalkedEntry[] = [];
  readonly #files = new Map<string, Uint8Array>();
  #bytesRead = 0;

  constructor(workspace: Parameters<typeof walkWorkspace>[0]) {
    this.#workspace = workspace;
    const { source, sourceBytes } = workspace;
    this.#knownSizes = new Map(source.map(({ path, id }) => [path, sourceBytes.get(id)?.length]));
  }

  all(): DiskListing {
    const root = Buffer.from(this.#workspace.dir);
    if (lookAt(root)?.isDirectory() !== true) throw tooMuch("its folder was removed or replaced");
    if (listEntries(root) === null) throw tooMuch("its folder can't be read");
    if (!this.#hasOwnGitFile()) this.#record({ path: ".git", kind: "special" });
    const folders: Folder[] = [{ disk: root, path: "", depth: 0 }];
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      folders.push(...this.#visitFolder(folder));
    }
    return { entries: this.#entries, files: this.#files };
  }

  /** Records a folder and the files in it; returns the folders in it. */
  #visitFolder({ disk, path, depth }: Folder): Folder[] {
    const names = depth > WORKSPACE_MAX_DEPTH ? null : listEntries(disk);
    if (path !== "") this.#recordFolder(path, names);
    const folders: Folder[] = [];
    for (const name of names ?? []) {
      const child = Buffer.concat([disk, SLASH, name]);
      const childPath = path === "" ? name.toString("utf8") : `${path}/${name.toString("utf8")}`;
      if (childPath === ".git") continue; // looked at before
      const info = isUtf8(name) ? lookAt(child) : null;
      if (info?.isDirectory()) folders.push({ disk: child, path: childPath, depth: depth + 1 });
      else this.#record(this.#visitFile(child, childPath, info));
    }
    // The last one first off the stack: entries come in the order of names.
    return folders.reverse();
  }

  /** @param names null for what can't be listed, or lies too deep to be */
  #recordFolder(path: string, names: readonly Buffer[] | null): void {
    if (names === null) this.#record({ path, kind: "unreadable" });
    else this.#record({ path, kind: "folder", children: names.length });
  }

  #record(entry: WalkedEntry): void {
    this.#entries.push(entry);
    if (this.#entries.length <= WORKSPACE_MAX_ENTRIES) return;
    throw tooMuch(`it holds more than ${WORKSPACE_MAX_ENTRIES} files and folders`);
  }

  /** @param info null for what can't be looked at, or has a name that is no text */
  #visitFile(disk: Buffer, path: string, info: Stats | null): WalkedEntry {
    if (info === null) return { path, kind: "unreadable" };
    if (info.isSymbolicLink()) return { path, kind: "symlink" };
    if (!info.isFile()) return { path, kind: "special" };
    if (info.nlink > 1) return { path, kind: "hard-link" };
    if (info.size > WALK_FILE_MAX_BYTES && info.size !== this.#knownSizes.get(path)) {
      return { path, kind: "oversize" };
    }
    this.#bytesRead += info.size;
    if (this.#bytesRead > WALK_MAX_BYTES) throw tooMuch(`its files exceed ${WALK_MAX_BYTES} bytes`);
    const bytes = readExactly(disk, info);
    if (bytes === null) return { path, kind: "unreadable" };
    this.#files.set(path, bytes);
    return { path, kind: "file", permissions: info.mode & 0o7777 };
  }

  /** The file that makes the folder a worktree; one byte changed could lead git anywhere. */
  #hasOwnGitFile(): boolean {
    const path = Buffer.from(`${this.#workspace.dir}/.git`);
    const expected = Buffer.from(this.#workspace.gitFile);
    const info = lookAt(path);
    if (info === null || !info.isFile() || info.nlink > 1) return false;
    return info.size === expected.length && readExactly(path, info)?.equals(expected) === true;
  }
}

function tooMuch(why: string): SkillprError {
  return new SkillprError(
    "input",
    `the workspace can't be sealed: ${why}`,
    "The reviewer did not write a skill there; review the session again.",
  );
}

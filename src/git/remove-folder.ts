/** Removing folders that somebody untrusted wrote into: whatever lies there, and nothing else. */
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  type Dirent,
  lstatSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  unlinkSync,
} from "node:fs";
import { dirname } from "node:path";
import { hasCode, SkillprError } from "../core/errors.ts";
import { safeLine } from "../core/text.ts";

/**
 * Removes a run folder with everything in it, however deep and whatever its permissions. Links are
 * removed, never followed: the folder itself may have become one, or a folder above it.
 * @param folder a real path when it was made
 * @throws SkillprError `git` when a folder above it was replaced: then nothing is removed
 */
export function removeRunFolder(folder: string): void {
  const parent = dirname(folder);
  const info = lookAt(parent) === null ? null : lookAt(folder);
  if (info === null) return;
  if (realpathSync(parent) !== parent) throw replaced(parent);
  if (!info.isDirectory()) unlinkSync(folder);
  else removeTree(folder);
}

function removeTree(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    // Closed to us, or deeper than a path can be long.
    if (!hasCode(error, "EACCES", "EPERM", "ENOTEMPTY", "ENAMETOOLONG")) throw error;
    removeByLevels(Buffer.from(folder));
  }
}

function lookAt(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return null;
    throw error;
  }
}

function replaced(parent: string): SkillprError {
  return new SkillprError(
    "git",
    `${safeLine(parent)} is not the folder that it was: a link took its place`,
    "Nothing was removed there. Look at the link, and remove it.",
  );
}

type Entry = Dirent<Buffer>;

/** Lifts what lies in a folder's folders up to it until it holds none: no path gets longer than two levels. */
function removeByLevels(root: Buffer): void {
  for (let folders = unlinkFiles(root); folders.length > 0; folders = unlinkFiles(root)) {
    for (const folder of folders) {
      for (const inner of unlinkFiles(folder)) {
        chmodSync(inner, 0o700); // a folder that is moved must be open
        renameSync(inner, pathIn(root, Buffer.from(randomBytes(16).toString("hex"))));
      }
      rmdirSync(folder);
    }
  }
  rmdirSync(root);
}

/** Leaves a folder with nothing but folders, and gives their paths. */
function unlinkFiles(folder: Buffer): Buffer[] {
  chmodSync(folder, 0o700);
  const entries: Entry[] = readdirSync(folder, { withFileTypes: true, encoding: "buffer" });
  const paths = (isWanted: (entry: Entry) => boolean) =>
    entries.filter(isWanted).map(({ name }) => pathIn(folder, name));
  for (const path of paths((entry) => !entry.isDirectory())) unlinkSync(path);
  return paths((entry) => entry.isDirectory());
}

function pathIn(folder: Buffer, name: Buffer): Buffer {
  return Buffer.concat([folder, Buffer.from("/"), name]);
}

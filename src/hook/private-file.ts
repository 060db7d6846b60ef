/**
 * Files of the queue: private, and either whole or not there, whatever kills the process. A
 * temporary file says in its name whose it is, `.<name>.<pid>-<start>-<random>.tmp`, so that the
 * worker can remove those of dead processes.
 */
import {
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { hasCode } from "../core/errors.ts";
import { processStart } from "../git/process-owner.ts";

/** Name of a temporary file for `name`. The start is `0` where asking for it would start a process. */
export function temporaryName(name: string): string {
  const started = process.platform === "linux" ? (processStart(process.pid) ?? "0") : "0";
  return `.${name}.${process.pid}-${started}-${randomDigits()}.tmp`;
}

/** 12 hex digits. They keep names apart in a private folder; nobody has to be kept from guessing them. */
export function randomDigits(): string {
  return Math.floor(Math.random() * 2 ** 48)
    .toString(16)
    .padStart(12, "0");
}

/**
 * Writes a small file whole or not at all, mode 0600.
 * @param isWanted asked at the last moment, when everything but the rename is done
 * @returns false when it was not wanted any more
 * @throws what the system refuses; then nothing is left behind
 */
export function writePrivateFile(
  folder: string,
  name: string,
  text: string,
  isWanted: () => boolean = () => true,
): boolean {
  const temporary = join(folder, temporaryName(name));
  let isWritten = false;
  try {
    writeSynced(temporary, text);
    if (!isWanted()) return false;
    renameSync(temporary, join(folder, name));
    isWritten = true;
  } finally {
    if (!isWritten) rmSync(temporary, { force: true });
  }
  syncFolder(folder);
  return true;
}

function writeSynced(path: string, text: string): void {
  const file = openSync(path, "wx", 0o600);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Makes a rename in this folder survive a power cut. Windows has no folder handles and needs none. */
export function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const handle = openSync(folder, constants.O_RDONLY);
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/**
 * Makes a private folder and those above it, where they are missing.
 * @returns null, or why it can't hold what is private: a link or another user's folder took its place
 * @throws what the system refuses
 */
export function makePrivateFolder(folder: string): string | null {
  makeFolder(folder);
  const info = lstatSync(folder);
  if (!info.isDirectory()) return `${folder} is no folder`;
  const isOurs = process.getuid === undefined || info.uid === process.getuid();
  return isOurs ? null : `${folder} belongs to another user`;
}

/** Not mkdir's own recursion: that says ENOENT where the file system is read-only. */
function makeFolder(folder: string): void {
  if (lstatSync(folder, { throwIfNoEntry: false }) !== undefined) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, 0o700);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error; // another hook was faster
  }
  syncFolder(dirname(folder));
}

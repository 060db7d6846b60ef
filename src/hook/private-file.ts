/**
 * Files of the queue: private, and either whole or not there, whatever kills the process. A
 * temporary file says in its name whose it is, `.<name>.<pid>-<random>.tmp`, so that the worker can
 * remove those of dead processes.
 */
import {
  closeSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { hasCode } from "../core/errors.ts";
import { HOOK_SYNC_MAX_BYTES } from "../core/limits.ts";
import { makeFolders } from "../core/make-folders.ts";

/** Name of a temporary file for `name`. */
export function temporaryName(name: string): string {
  return `.${name}.${process.pid}-${randomDigits()}.tmp`;
}

/** 12 hex digits. They keep names apart in a private folder; nobody has to be kept from guessing them. */
export function randomDigits(): string {
  return Math.floor(Math.random() * 2 ** 48)
    .toString(16)
    .padStart(12, "0");
}

/** A file that is written, and not in its place yet. */
export interface StagedFile {
  /** Bytes. */
  readonly size: number;
  /** Waits until the disk has it. */
  flush(): void;
  /** Puts it in its place, whatever was there. */
  put(): void;
  /** Removes it, where it was not put in its place. */
  drop(): void;
}

/**
 * Writes a private file beside its place.
 * @param write makes the temporary file
 * @throws what the system refuses; then nothing is left behind
 */
export function stageFile(
  folder: string,
  name: string,
  write: (temporary: string) => void,
): StagedFile {
  const temporary = join(folder, temporaryName(name));
  let isStaged = true;
  const drop = () => {
    if (isStaged) removeIfThere(temporary);
  };
  const put = () => {
    renameSync(temporary, join(folder, name));
    isStaged = false;
  };
  try {
    write(temporary);
    const file = openSync(temporary, "r+");
    const { size } = fstatSync(file);
    return { size, flush: () => flushAndClose(file, size), put, drop };
  } catch (error) {
    drop();
    throw error;
  }
}

function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    // A read-only file system says so even of what isn't there, and would hide why it isn't.
    if (!hasCode(error, "ENOENT", "EROFS")) throw error;
  }
}

/** Waiting is cheaper than the threads that could wait meanwhile. */
function flushAndClose(file: number, size: number): void {
  try {
    if (size <= HOOK_SYNC_MAX_BYTES) fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** The same for a small text; mode 0600. */
export function stageText(folder: string, name: string, text: string): StagedFile {
  return stageFile(folder, name, (path) => writeFileSync(path, text, { flag: "wx", mode: 0o600 }));
}

/**
 * Makes a private folder and those above it, where they are missing.
 * @returns null, or why it can't hold what is private: a link or another user's folder took its place
 * @throws what the system refuses
 */
export function makePrivateFolder(folder: string): string | null {
  makeFolders(folder);
  const info = lstatSync(folder);
  if (!info.isDirectory()) return `${folder} is no folder`;
  const isOurs = process.getuid === undefined || info.uid === process.getuid();
  return isOurs ? null : `${folder} belongs to another user`;
}

/** Looking at a disk that somebody untrusted wrote to: no link is followed, no pipe waited for. */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  type Stats,
} from "node:fs";
import { hasCode } from "../core/errors.ts";

/** Never waits for the other end of a FIFO, never follows a link. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Sorted, so that every walk of the same files says the same; null when it can't be listed. */
export function listEntries(folder: Buffer): Buffer[] | null {
  try {
    return readdirSync(folder, { encoding: "buffer" }).sort(Buffer.compare);
  } catch (error) {
    if (hasCode(error, "EACCES", "EPERM", "ENOENT", "ENOTDIR", "ENAMETOOLONG")) return null;
    throw error;
  }
}

/** What lies there itself, never what a link leads to; null when it can't be looked at. */
export function lookAt(path: Buffer): Stats | null {
  try {
    return lstatSync(path);
  } catch (error) {
    if (hasCode(error, "EACCES", "EPERM", "ENOENT", "ENOTDIR", "ENAMETOOLONG")) return null;
    throw error;
  }
}

/** The bytes of exactly the file that was looked at; null when it can't be read or is another by now. */
export function readExactly(path: Buffer, seen: Stats): Buffer | null {
  let file: number;
  try {
    file = openSync(path, OPEN_FLAGS);
  } catch (error) {
    if (hasCode(error, "EACCES", "EPERM", "ENOENT", "ELOOP", "ENXIO", "ENOTDIR", "ENAMETOOLONG"))
      return null;
    throw error;
  }
  try {
    const info = fstatSync(file);
    const isSame = info.isFile() && info.ino === seen.ino && info.dev === seen.dev;
    if (!isSame || info.nlink > 1 || info.size !== seen.size) return null;
    const bytes = Buffer.alloc(info.size);
    let at = 0;
    for (let n = -1; n !== 0 && at < bytes.length; at += n)
      n = readSync(file, bytes, at, bytes.length - at, null);
    return at === bytes.length ? bytes : null;
  } finally {
    closeSync(file);
  }
}

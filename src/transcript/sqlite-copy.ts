/**
 * A copy of an SQLite database that its program may be writing to, made without locking it and without
 * writing anything beside it.
 *
 * In WAL mode what is new stands in the log (`-wal`) until it is moved into the database. The log is
 * copied last. While its header stays the same it only grows, and every page that was written into the
 * database meanwhile is in it, at that version or a newer one: read together, both copies are the
 * database at one moment, whatever the first holds of those pages. A new header means that the log was begun anew: then the
 * copy is made again. Without a log the database itself must not change (https://www.sqlite.org/walformat.html).
 */
import { constants } from "node:fs";
import { chmod, copyFile, type FileHandle, open, realpath } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { hasCode, SkillprError } from "../core/errors.ts";
import { STORE_COPY_PAUSE_MS, STORE_COPY_TRIES, STORE_DATABASE_MAX_BYTES } from "../core/limits.ts";

const HEADER_BYTES = 100;
const LOG_HEADER_BYTES = 32;
/** Where the header says whether the database has a log: 2 in both bytes. */
const [WRITE_VERSION, READ_VERSION, WITH_LOG] = [18, 19, 2];

/** What two looks at a database are compared by. */
interface Look {
  /** Of the database and its log together. */
  readonly bytes: number;
  /** Size, time and header of the database. */
  readonly database: string;
  /** Header of its log; null when it has none. */
  readonly log: string | null;
  /** True in the middle of a write without a log, or after one that was killed. */
  readonly isBeingWritten: boolean;
}

/**
 * Copies a database and its log into a folder.
 * @param folder only this user may enter it
 * @param hint what to do instead when it can't be copied
 * @returns path of the copy; null when the database is an empty file
 * @throws SkillprError code `input` naming the database when it can't be read, is too large, is no
 *   regular file, or was written to the whole time
 */
export async function copyDatabase(
  path: string,
  folder: string,
  hint: string,
): Promise<string | null> {
  const copy = join(folder, "copy.db");
  try {
    // SQLite finds the log beside the file, not beside a link to it.
    const real = await realpath(path);
    for (let tries = 0; tries < STORE_COPY_TRIES; tries += 1) {
      if (tries > 0) await pause(STORE_COPY_PAUSE_MS);
      const before = await lookAt(real);
      if (before === null) throw new SkillprError("input", `${path} is not a file`, hint);
      if (before.bytes === 0) return null;
      if (before.bytes > STORE_DATABASE_MAX_BYTES) throw tooLarge(path, before.bytes, hint);
      if (await isCopied(real, copy, before)) return copy;
    }
  } catch (error) {
    throw uncopied(path, error, hint);
  }
  throw new SkillprError(
    "input",
    `${path} was being written to each time it was read`,
    `Try again when the agent is idle. ${hint}`,
  );
}

/** False when what was copied is not the database of one moment. */
async function isCopied(path: string, copy: string, before: Look): Promise<boolean> {
  if (before.isBeingWritten) return false;
  try {
    await copyPrivate(path, copy);
    if (before.log !== null) await copyPrivate(`${path}-wal`, `${copy}-wal`);
  } catch (error) {
    // The last program that had it open removes the log; what is gone for good the next look finds.
    if (hasCode(error, "ENOENT")) return false;
    throw error;
  }
  const after = await lookAt(path);
  if (after === null || after.isBeingWritten || before.log !== after.log) return false;
  return before.log !== null || before.database === after.database;
}

async function copyPrivate(from: string, to: string): Promise<void> {
  // Where the file system can, the copy shares its blocks with the original.
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  await chmod(to, 0o600);
}

/** Null when it is no regular file: nothing is read from a FIFO. */
async function lookAt(path: string): Promise<Look | null> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const info = await file.stat({ bigint: true });
    if (!info.isFile()) return null;
    const header = await headOf(file, HEADER_BYTES);
    const hasLog = header[WRITE_VERSION] === WITH_LOG && header[READ_VERSION] === WITH_LOG;
    const log = hasLog ? await headOfFile(`${path}-wal`, LOG_HEADER_BYTES) : null;
    const journal = hasLog ? null : await headOfFile(`${path}-journal`, 1);
    return {
      bytes: Number(info.size) + (log?.size ?? 0),
      database: `${info.size} ${info.mtimeNs} ${header.toString("hex")}`,
      log: log !== null && log.head.length === LOG_HEADER_BYTES ? log.head.toString("hex") : null,
      isBeingWritten: journal !== null && (journal.head[0] ?? 0) !== 0,
    };
  } finally {
    await file.close();
  }
}

async function headOfFile(
  path: string,
  bytes: number,
): Promise<{ readonly head: Buffer; readonly size: number } | null> {
  let file: FileHandle;
  try {
    file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  }
  try {
    const info = await file.stat();
    return info.isFile() ? { head: await headOf(file, bytes), size: info.size } : null;
  } finally {
    await file.close();
  }
}

async function headOf(file: FileHandle, bytes: number): Promise<Buffer> {
  const head = Buffer.alloc(bytes);
  const { bytesRead } = await file.read(head, 0, bytes, 0);
  return head.subarray(0, bytesRead);
}

function tooLarge(path: string, bytes: number, hint: string): SkillprError {
  const [has, most] = [bytes, STORE_DATABASE_MAX_BYTES].map((n) => Math.ceil(n / 1024 ** 2));
  return new SkillprError("input", `${path} is too large to be read: ${has} of ${most} MB`, hint);
}

/** A failure of the file system as an error that somebody can act on; a bug stays what it is. */
function uncopied(path: string, error: unknown, hint: string): unknown {
  if (!(error instanceof Error) || !("syscall" in error)) return error;
  const what = hasCode(error, "ENOSPC", "EDQUOT")
    ? "can't be copied to the folder for temporary files, which is full"
    : `can't be read: ${error.message}`;
  return new SkillprError("input", `${path} ${what}`, hint, { cause: error });
}

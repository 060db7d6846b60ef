/**
 * The queue as it stands: captures and records joined into jobs. Reading changes nothing, takes no
 * lock and trusts no file; what can't be read is told, and only `setAside` moves it.
 */
import {
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
} from "node:fs";
import { join } from "node:path";
import { hasCode } from "../core/errors.ts";
import { QUEUE_FILE_MAX_BYTES } from "../core/limits.ts";
import { isCopyOf, type JobRecord, parseCapture, parseRecord } from "./job-record.ts";
import type { Capture, QueueFolders } from "./queue-files.ts";

/** One session's job: at least one of capture and record is there. */
export interface Job {
  readonly id: string;
  /** The newest capture; null when it was removed and the record kept. */
  readonly capture: Capture | null;
  /** What became of that capture; null when nothing did yet. */
  readonly record: JobRecord | null;
  /** What became of an earlier capture of the same session. */
  readonly earlier: JobRecord | null;
  /** A person asked for another try since. */
  readonly isRetried: boolean;
}

export interface DamagedFile {
  readonly folder: "captured" | "records";
  readonly name: string;
}

export interface Queue {
  /** In no particular order. */
  readonly jobs: readonly Job[];
  readonly damaged: readonly DamagedFile[];
}

const JOB_FILE = /^([0-9a-f]{16})\.json$/;

/** Reads the whole queue; an empty one when there is none yet. Some 10,000 jobs a half second. */
export function readQueue(folders: QueueFolders): Queue {
  const damaged: DamagedFile[] = [];
  const captures = readAll(folders.captured, "captured", parseCapture, damaged);
  const records = readAll(folders.records, "records", parseRecord, damaged);
  const retried = new Set(namesIn(folders.retries));
  const ids = new Set([...captures.keys(), ...records.keys()]);
  const jobs = [...ids].map((id) => {
    const parts = { capture: captures.get(id) ?? null, record: records.get(id) ?? null };
    return joined(id, parts, retried.has(id));
  });
  return { jobs, damaged };
}

/** One job as it is now: a hook may have replaced its capture since the queue was read. */
export function readJob(folders: QueueFolders, id: string): Job {
  const read = <T>(folder: string, parse: (text: string, id: string) => T | null) => {
    const text = readQueueFile(join(folder, `${id}.json`));
    return typeof text === "string" ? parse(text, id) : null;
  };
  const capture = read(folders.captured, parseCapture);
  const record = read(folders.records, parseRecord);
  return joined(id, { capture, record }, namesIn(folders.retries).includes(id));
}

function joined(
  id: string,
  { capture, record }: Pick<Job, "capture" | "record">,
  isRetried: boolean,
): Job {
  const isOfCapture = capture === null || record === null || record.copy === capture.copy;
  return isOfCapture
    ? { id, capture, record, earlier: null, isRetried }
    : { id, capture, record: null, earlier: record, isRetried };
}

function readAll<T>(
  dir: string,
  folder: DamagedFile["folder"],
  parse: (text: string, id: string) => T | null,
  damaged: DamagedFile[],
): Map<string, T> {
  const found = new Map<string, T>();
  for (const name of namesIn(dir)) {
    const id = JOB_FILE.exec(name)?.[1];
    if (id === undefined) continue; // temporary files, and what isn't ours
    const text = readQueueFile(join(dir, name));
    if (text === null) continue; // removed just now
    const value = text === "unreadable" ? null : parse(text, id);
    if (value === null) damaged.push({ folder, name });
    else found.set(id, value);
  }
  return found;
}

/** Text of a capture, a record or another small file of the queue; null when it isn't there. Never waits, follows no link. */
export function readQueueFile(path: string): string | "unreadable" | null {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return null;
    if (hasCode(error, "ELOOP", "EMLINK", "EACCES", "EPERM", "EISDIR", "ENXIO", "EIO"))
      return "unreadable";
    throw error;
  }
  try {
    // One byte more than allowed tells a file that is too large, without asking for its size first:
    // there may be ten thousand of them. A pipe gives nothing, and that is no JSON.
    const size = readSync(file, ROOM, 0, ROOM.length, 0);
    return size < ROOM.length ? ROOM.toString("utf8", 0, size) : "unreadable";
  } catch (error) {
    if (hasCode(error, "EIO", "EISDIR", "EAGAIN", "ESPIPE", "EINVAL")) return "unreadable";
    throw error;
  } finally {
    closeSync(file);
  }
}

const ROOM = Buffer.alloc(QUEUE_FILE_MAX_BYTES + 1);

/** What lies in a folder of the queue; nothing when it isn't there. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return [];
    throw error;
  }
}

/**
 * Moves a damaged file out of the way, a capture with the copies that it may have named: nothing
 * is lost, and nobody meets it again.
 * @returns a sentence for the log
 */
export function setAside(folders: QueueFolders, { folder, name }: DamagedFile): string {
  mkdirSync(folders.damaged, { recursive: true, mode: 0o700 });
  moveIfThere(join(folders[folder], name), join(folders.damaged, `${folder}-${name}`));
  if (folder === "records")
    return `a record of the queue was damaged (${name}): its session is looked at again`;
  const id = name.slice(0, 16);
  const copies = namesIn(folders.transcripts).filter((copy) => isCopyOf(id, copy));
  for (const copy of copies)
    moveIfThere(join(folders.transcripts, copy), join(folders.damaged, copy));
  const review = copies.map((copy) => join(folders.damaged, copy)).join(" ");
  return copies.length === 0
    ? `a capture was damaged (${name}), and its transcript is gone`
    : `a capture was damaged (${name}): its transcript can be reviewed by hand, skillpr review ${review}`;
}

function moveIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
}

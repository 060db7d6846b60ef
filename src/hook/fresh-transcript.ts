/**
 * The newest transcript of a captured session. A hook copies what is there when it runs; agents
 * write on for a moment, and a session may go on: so the original is looked at once more, and
 * copied when it only grew. What it was replaced by is somebody else's.
 */
import { randomBytes } from "node:crypto";
import { constants, lstatSync, rmSync } from "node:fs";
import { type FileHandle, open, rename } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { hasCode } from "../core/errors.ts";
import {
  TRANSCRIPT_CHUNK_BYTES,
  TRANSCRIPT_COPY_MAX_BYTES,
  TRANSCRIPT_SETTLE_MAX_MS,
  TRANSCRIPT_SETTLE_PAUSE_MS,
  TRANSCRIPT_SETTLED_MS,
} from "../core/limits.ts";
import { temporaryName } from "./private-file.ts";
import type { Capture, QueueFolders } from "./queue-files.ts";

export interface FreshOptions {
  readonly folders: QueueFolders;
  readonly capture: Capture;
  /** The newest copy that is known of; the capture's or a later one. */
  readonly current: string;
  /** Told the name of a new copy before it is there, so that a killed worker leaves none that nobody knows. */
  readonly onName: (name: string) => Promise<void>;
  readonly signal: AbortSignal;
  readonly onNote: (note: string) => void;
  /** Called when it has to wait until the original is quiet: time for what is needed next. */
  readonly onWait?: () => void;
}

/** @returns the name of the newest copy; null when there is neither a copy nor the original */
export async function freshTranscript(options: FreshOptions): Promise<string | null> {
  const { folders, capture } = options;
  const isThere = (name: string) => sizeOf(join(folders.transcripts, name)) !== null;
  const current = [options.current, capture.copy].find(isThere) ?? null;
  const original = await openRegular(capture.transcriptPath);
  if (original === null) return current;
  try {
    const size = await settledSize(original, options);
    if (size > TRANSCRIPT_COPY_MAX_BYTES) return current;
    const isNewer =
      current === null || (await hasGrown(original, size, join(folders.transcripts, current)));
    if (!isNewer) return current;
    const name = `${capture.id}-${randomBytes(6).toString("hex")}`;
    await options.onName(name);
    await copyTo(folders.transcripts, name, original, size);
    if (current !== null && current !== capture.copy)
      rmSync(join(folders.transcripts, current), { force: true });
    return name;
  } catch (error) {
    // The original can't be read to its end, or there is no room for it: what was captured is still there.
    if (!hasCode(error, "EIO", "ENOSPC", "EDQUOT", "EACCES", "EPERM", "ESTALE")) throw error;
    options.onNote("a session that went on can't be copied again: the older copy is reviewed");
    return current;
  } finally {
    await original.close();
  }
}

/** Never a link, a pipe or a device, and never waiting for one. */
async function openRegular(path: string): Promise<FileHandle | null> {
  let file: FileHandle;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch (error) {
    const isSystems = error instanceof Error && "syscall" in error;
    // A null byte or the like in the path of a damaged capture.
    if (isSystems || hasCode(error, "ERR_INVALID_ARG_VALUE")) return null;
    throw error;
  }
  if ((await file.stat()).isFile()) return file;
  await file.close();
  return null;
}

function sizeOf(path: string): number | null {
  try {
    const info = lstatSync(path);
    return info.isFile() ? info.size : null;
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR", "EACCES")) return null;
    throw error;
  }
}

/** Size of the file once it stopped changing, or when the longest wait is over. */
async function settledSize(
  file: FileHandle,
  { signal, onWait }: Pick<FreshOptions, "signal" | "onWait">,
): Promise<number> {
  const startedAt = performance.now();
  let seen = await file.stat();
  // Clocks jump: a time to come says nothing about how long the file has been quiet.
  const age = Date.now() - seen.mtimeMs;
  if (age >= TRANSCRIPT_SETTLED_MS) return seen.size;
  let changedAt = startedAt - Math.max(0, age);
  onWait?.();
  while (!signal.aborted && performance.now() - startedAt < TRANSCRIPT_SETTLE_MAX_MS) {
    const left = TRANSCRIPT_SETTLED_MS - (performance.now() - changedAt);
    if (left <= 0) break;
    await pause(Math.min(TRANSCRIPT_SETTLE_PAUSE_MS, Math.ceil(left)));
    const now = await file.stat();
    if (now.size !== seen.size || now.mtimeMs !== seen.mtimeMs) changedAt = performance.now();
    seen = now;
  }
  return seen.size;
}

/** Whether the original holds everything of the copy, and more. */
async function hasGrown(original: FileHandle, size: number, copyPath: string): Promise<boolean> {
  const copy = await openRegular(copyPath);
  if (copy === null) return true;
  try {
    const copied = (await copy.stat()).size;
    if (size <= copied) return false;
    for (let at = 0; at < copied; at += TRANSCRIPT_CHUNK_BYTES) {
      const length = Math.min(TRANSCRIPT_CHUNK_BYTES, copied - at);
      const [a, b] = await Promise.all([bytesAt(original, at, length), bytesAt(copy, at, length)]);
      if (!a.equals(b)) return false;
    }
    return true;
  } finally {
    await copy.close();
  }
}

async function copyTo(folder: string, name: string, from: FileHandle, size: number): Promise<void> {
  const temporary = join(folder, temporaryName(name));
  try {
    const to = await open(temporary, "wx", 0o600);
    try {
      for (let at = 0; at < size; at += TRANSCRIPT_CHUNK_BYTES)
        await to.write(await bytesAt(from, at, Math.min(TRANSCRIPT_CHUNK_BYTES, size - at)));
      await to.sync();
    } finally {
      await to.close();
    }
    await rename(temporary, join(folder, name));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Fewer bytes than asked for where the file ends. */
async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

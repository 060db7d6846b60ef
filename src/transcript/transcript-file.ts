import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { hasCode, SkillprError } from "../core/errors.ts";
import { TRANSCRIPT_CHUNK_BYTES } from "../core/limits.ts";

/**
 * The bytes of a transcript file, chunk by chunk, as far as it reached when it was opened: an agent
 * that still writes must not keep its reader busy. Never waits for a writer: a FIFO or a device is
 * refused before anything is read from it. A chunk is good until the next one is asked for: two buffers
 * take turns, so that memory doesn't follow the file's size.
 * @param notes is given a sentence when the file became shorter while it was read
 * @throws SkillprError code `input` naming the file when it is missing, unreadable or no regular file
 */
export async function* transcriptChunks(
  path: string,
  notes: string[] = [],
): AsyncGenerator<Uint8Array> {
  const { file, size } = await openRegular(path);
  // Some file systems don't tell a size.
  let left = size === 0 ? Number.POSITIVE_INFINITY : size;
  const buffers = new Buffers(Math.min(left, TRANSCRIPT_CHUNK_BYTES));
  let next = readChunk(file, buffers.take(left));
  try {
    for (;;) {
      const chunk = await next;
      left -= chunk.length;
      if (chunk.length === 0) break;
      // While this one is taken apart, the disk reads on.
      next = readChunk(file, buffers.take(left));
      // Its failure is seen when it is awaited; until then it must not pass for one that nobody handles.
      next.catch(() => undefined);
      yield chunk;
    }
    if (size > 0 && left > 0) notes.push("the file became shorter while it was read");
  } catch (error) {
    throw unreadable(path, error);
  } finally {
    // Nobody asks for it any more, whether or not it could be read.
    await Promise.allSettled([next]);
    await file.close();
  }
}

/** Two buffers by turns: one is read into while the other is taken apart. */
class Buffers {
  #next: Buffer;
  #other: Buffer;

  constructor(bytes: number) {
    this.#next = Buffer.allocUnsafeSlow(bytes);
    this.#other = Buffer.allocUnsafeSlow(bytes);
  }

  /** @param most bytes of it that may be filled */
  take(most: number): Buffer {
    const taken = this.#next;
    this.#next = this.#other;
    this.#other = taken;
    return taken.subarray(0, Math.min(most, taken.length));
  }
}

async function readChunk(file: FileHandle, buffer: Buffer): Promise<Uint8Array> {
  if (buffer.length === 0) return buffer;
  const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
  return buffer.subarray(0, bytesRead);
}

async function openRegular(path: string): Promise<{ file: FileHandle; size: number }> {
  let file: FileHandle;
  try {
    // Without O_NONBLOCK the open of a FIFO waits until somebody writes to it.
    file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    throw unreadable(path, error);
  }
  const stat = await file.stat().catch(async (error: unknown) => {
    await file.close();
    throw unreadable(path, error);
  });
  if (stat.isFile()) return { file, size: stat.size };
  await file.close();
  if (stat.isDirectory()) throw isFolder(path, undefined);
  throw new SkillprError(
    "input",
    `${path} is a pipe, device or socket, not a file`,
    "Give the transcript as a regular file, or pipe it in with `-`.",
  );
}

function isFolder(path: string, cause: unknown): SkillprError {
  const message = `${path} is a folder, not a transcript`;
  return new SkillprError("input", message, "Name the transcript file itself.", { cause });
}

/** A failure of the file system as an error that somebody can act on; a bug stays what it is. */
function unreadable(path: string, error: unknown): unknown {
  if (hasCode(error, "EISDIR")) return isFolder(path, error);
  if (hasCode(error, "ENOENT", "ENOTDIR")) {
    const hint = "Check the path; `--latest` finds the newest session of this repository.";
    return new SkillprError("input", `${path} does not exist`, hint, { cause: error });
  }
  if (isSystemError(error)) {
    const hint =
      "Check the file's permissions, that its disk is there, and that it is a plain file.";
    return new SkillprError("input", `${path} can't be read: ${error.message}`, hint, {
      cause: error,
    });
  }
  return error;
}

/** What the system answered, whatever its code: a file of `/proc` may say EAGAIN or EINVAL. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error && "code" in error;
}

import { chmodSync, closeSync, constants, copyFileSync, fstatSync, openSync } from "node:fs";
import { hasCode } from "../core/errors.ts";
import { HOOK_TRANSCRIPT_MAX_BYTES } from "../core/limits.ts";
import { type StagedFile, stageFile } from "./private-file.ts";
import { NOTHING_THERE } from "./small-file.ts";

/** An agent's transcript, open for reading. */
export interface OpenTranscript {
  readonly path: string;
  readonly descriptor: number;
  /** Bytes, when it was opened. */
  readonly size: number;
}

/**
 * Opens a transcript without waiting for a pipe or following a link; close the descriptor.
 * @returns why there is nothing to copy, where that is so
 */
export function openTranscript(path: string): OpenTranscript | string {
  // Windows knows neither flag.
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;
  let descriptor: number;
  try {
    descriptor = openSync(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return `the transcript ${path} doesn't exist`;
    if (hasCode(error, "ELOOP", "EMLINK")) return `the transcript ${path} is a link`;
    if (hasCode(error, ...NOTHING_THERE)) return `the transcript ${path} can't be opened`;
    throw error;
  }
  const info = fstatSync(descriptor);
  const problem = problemOf(info.isFile(), info.size);
  if (problem === null) return { path, descriptor, size: info.size };
  closeSync(descriptor);
  return `the transcript ${path} ${problem}`;
}

function problemOf(isFile: boolean, size: number): string | null {
  if (!isFile) return "is no regular file";
  if (size === 0) return "is empty";
  return size > HOOK_TRANSCRIPT_MAX_BYTES ? "is too large to be copied" : null;
}

/**
 * Copies a transcript into the queue, mode 0600, without moving its bytes where the file system
 * can share them.
 */
export function stageCopy(transcript: OpenTranscript, folder: string, name: string): StagedFile {
  const { COPYFILE_EXCL, COPYFILE_FICLONE } = constants;
  return stageFile(folder, name, (temporary) => {
    copyFileSync(sourceOf(transcript), temporary, COPYFILE_EXCL | COPYFILE_FICLONE);
    chmodSync(temporary, 0o600); // a copy takes the mode of its source
  });
}

/** The open file itself where its descriptor has a path: what lies at the old path may be a pipe by now. */
function sourceOf({ path, descriptor }: OpenTranscript): string {
  return process.platform === "linux" ? `/proc/self/fd/${descriptor}` : path;
}

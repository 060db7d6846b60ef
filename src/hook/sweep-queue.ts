/** Removes what killed hooks and workers left, and what has been kept long enough. Only for who holds the worker's lock. */
import { linkSync, lstatSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { hasCode } from "../core/errors.ts";
import * as limits from "../core/limits.ts";
import { processAgeMs } from "../git/process-owner.ts";
import { isCopyOf, parseCapture } from "./job-record.ts";
import { temporaryName } from "./private-file.ts";
import { type Job, namesIn, readQueue, readQueueFile } from "./queue.ts";
import type { QueueFolders } from "./queue-files.ts";

/** `<name>.<pid>-<random>.tmp`, with 12 digits as private-file.ts names them, with 8 of core/atomic-file.ts. */
const TEMPORARY = /^.+\.(\d{1,10})-(?:[0-9a-f]{8}|[0-9a-f]{12})\.tmp$/;

export function sweepQueue(folders: QueueFolders, nowMs: number): void {
  const state = dirname(folders.queue);
  for (const folder of [state, ...foldersIn(state), ...foldersIn(folders.queue)])
    removeTemporaries(folder, nowMs);
  // Copies are listed first: what a hook names between the two listings is named in the second.
  const copies = namesIn(folders.transcripts).filter(isCopy);
  const { jobs } = readQueue(folders);
  const needed = new Set(jobs.flatMap(neededCopies));
  const done = new Set(jobs.flatMap(doneCopies));
  const captured = new Map(
    jobs.map(({ id, capture }) => [id, Date.parse(capture?.capturedAt ?? "")]),
  );
  for (const name of copies) {
    if (needed.has(name)) continue;
    const path = join(folders.transcripts, name);
    // Whatever its age; a folder of that name stays, as everywhere here.
    if (done.has(name)) removeIfOlder(path, Number.NEGATIVE_INFINITY, nowMs);
    // Each turn's end makes a copy: those that a later one has replaced would fill the disk.
    else if (isOlder(path, captured.get(name.slice(0, 16)) ?? Number.NaN))
      removeIfOlder(path, limits.TEMPORARY_FILE_GRACE_MS, nowMs);
    else removeIfOlder(path, limits.UNNAMED_COPY_MAX_AGE_MS, nowMs);
  }
  const kept = [
    [folders.damaged, isSetAside],
    [folders.announced, isAnnounced],
  ] as const;
  for (const [folder, isOurs] of kept)
    for (const name of namesIn(folder).filter(isOurs))
      removeIfOlder(join(folder, name), limits.DONE_RECORD_MAX_AGE_MS, nowMs);
  for (const job of outlived(jobs, nowMs)) forget(folders, job);
}

/** What has another name was put there by somebody else, and is theirs to remove. */
const isCopy = (name: string) => isCopyOf(name.slice(0, 16), name);
const isSetAside = (name: string) =>
  isCopy(name) || /^(?:captured|records)-[0-9a-f]{16}\.json$/.test(name);
const isAnnounced = (name: string) => /^.+-(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(name);

/** Of parked jobs too: a person may want them tried again. */
function neededCopies({ capture, record }: Job): string[] {
  if (record?.state === "done") return [];
  return [capture?.copy, record?.transcript].filter((name) => name !== undefined);
}

function doneCopies({ record, earlier }: Job): string[] {
  return [record, earlier].flatMap((one) =>
    one?.state === "done" ? [one.copy, one.transcript] : [],
  );
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(folder, name));
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR", "EACCES")) return [];
    throw error;
  }
}

function removeTemporaries(folder: string, nowMs: number): void {
  for (const name of namesIn(folder)) {
    const pid = TEMPORARY.exec(name)?.[1];
    if (pid === undefined) continue;
    const ageMs = processAgeMs(Number(pid));
    // Older than its process: the pid was used again. By more than a clock is corrected.
    const allowedMs =
      ageMs === null ? limits.TEMPORARY_FILE_GRACE_MS : ageMs + limits.REUSED_PID_MARGIN_MS;
    removeIfOlder(join(folder, name), allowedMs, nowMs);
  }
}

/** Whether a file was there before a time, in milliseconds since 1970. */
function isOlder(path: string, timeMs: number): boolean {
  const info = lstatSync(path, { throwIfNoEntry: false });
  return info !== undefined && info.mtimeMs < timeMs;
}

/** A file from the future (clocks jump) stays for now. */
function removeIfOlder(path: string, ageMs: number, nowMs: number): void {
  try {
    const info = lstatSync(path);
    if (!info.isDirectory() && nowMs - info.mtimeMs > ageMs) rmSync(path, { force: true });
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
}

/** Done jobs beyond the number and the age that are kept. */
function outlived(jobs: readonly Job[], nowMs: number): Job[] {
  const endedAt = ({ record }: Job) => Date.parse(record?.endedAt ?? "") || 0;
  return jobs
    .filter(({ record }) => record?.state === "done")
    .sort((a, b) => endedAt(b) - endedAt(a))
    .filter(
      (job, index) =>
        index >= limits.DONE_RECORDS_KEPT || nowMs - endedAt(job) > limits.DONE_RECORD_MAX_AGE_MS,
    );
}

/** The capture first: a record without one is done with, a capture without a record is a job. */
function forget(folders: QueueFolders, job: Job): void {
  const { capture, id } = job;
  if (capture !== null && !removeCapture(folders, id, capture.copy)) return;
  rmSync(join(folders.records, `${id}.json`), { force: true });
  rmSync(join(folders.retries, id), { recursive: true, force: true });
}

/**
 * Removes a capture unless a hook replaced it meanwhile: it is moved aside in one step, and what
 * was moved is looked at.
 * @returns whether the one that was meant is gone
 */
function removeCapture(folders: QueueFolders, id: string, copy: string): boolean {
  const file = join(folders.captured, `${id}.json`);
  const aside = join(folders.captured, temporaryName(`${id}.json`));
  try {
    renameSync(file, aside);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return true;
    throw error;
  }
  const text = readQueueFile(aside);
  const isMeant = parseCapture(text ?? "", id)?.copy === copy;
  if (!isMeant) putBack(aside, file);
  rmSync(aside, { force: true });
  return isMeant;
}

/** A newer one that a hook has put there meanwhile stays. */
function putBack(aside: string, file: string): void {
  try {
    linkSync(aside, file);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  }
}

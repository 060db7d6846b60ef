/**
 * What went wrong where nobody could be told: one JSON line each, in the queue; where that can't be
 * written, in the user's own state folder. `status` reads both. Messages are ours: they name paths
 * and error codes, never what stood in a payload or a transcript.
 */
import {
  appendFileSync,
  closeSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
} from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { hasCode } from "../core/errors.ts";
import {
  HOOK_LOG_EVENT_MAX_CHARS,
  HOOK_LOG_MAX_BYTES,
  HOOK_LOG_MESSAGE_MAX_CHARS,
} from "../core/limits.ts";
import { cut } from "../core/text.ts";
import { homeFolder } from "./home-folder.ts";
import { isOutside } from "./outside.ts";
import { parseJsonObject, readSmallFile } from "./small-file.ts";

export interface LogEntry {
  /** ISO 8601. */
  readonly time: string;
  /** The agent's event (`SessionEnd`, …), or what the worker was about; may be empty. */
  readonly event: string;
  readonly message: string;
  /** Git common dir of the repository that it is about; null when none was found. */
  readonly repository: string | null;
}

export interface LogPlace {
  /** `log.jsonl` of the queue; null when no repository is known. */
  readonly queueLog: string | null;
  readonly userLog: string;
}

/** What the system refuses about one place, so that the other is worth a try. */
const REFUSED = [
  ...["EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT", "EIO", "ENOENT", "ENOTDIR", "EISDIR"],
  ...["ELOOP", "ENAMETOOLONG", "EMFILE", "ENFILE", "EEXIST", "EFBIG", "ENXIO", "ESTALE"],
];

/**
 * `$XDG_STATE_HOME/skillpr/hook.log.jsonl`, else `~/.local/state/skillpr/hook.log.jsonl`.
 * @param inside folders of the repository: a path that the repository's `.env` points into it doesn't count
 */
export function userLogFile(env: NodeJS.ProcessEnv, inside: readonly string[] = []): string {
  const base = env["XDG_STATE_HOME"] ?? "";
  const isUsable = isAbsolute(base) && isOutside(base, inside);
  const state = isUsable ? base : join(homeFolder(), ".local", "state");
  return join(state, "skillpr", "hook.log.jsonl");
}

/** Adds one line; false when neither place can be written: then there is nobody left to tell. */
export function writeLog(place: LogPlace, entry: LogEntry): boolean {
  const message = cut(entry.message, HOOK_LOG_MESSAGE_MAX_CHARS);
  const line = `${JSON.stringify({ ...entry, event: cut(entry.event, HOOK_LOG_EVENT_MAX_CHARS), message })}\n`;
  const files = [place.queueLog, place.userLog];
  return files.some((file) => file !== null && append(file, line));
}

/** @returns the lines of both places that are about this repository (or about none), oldest first */
export function readLog(place: LogPlace, commonDir: string): LogEntry[] {
  const files = [place.queueLog, place.userLog].flatMap((file) =>
    file === null ? [] : [before(file), file],
  );
  return files
    .flatMap((file) => (readSmallFile(file, 2 * HOOK_LOG_MAX_BYTES) ?? "").split("\n"))
    .flatMap((line) => parseEntry(line) ?? [])
    .filter(({ repository }) => repository === null || repository === commonDir)
    .sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
}

function append(file: string, line: string): boolean {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const info = lstatSync(file, { throwIfNoEntry: false });
    // A pipe would hold us up, and a link could lead to a file that runs what stands in it.
    if (info !== undefined && !info.isFile()) return false;
    if (info !== undefined && info.size > HOOK_LOG_MAX_BYTES) renameSync(file, before(file));
    appendFileSync(file, isCutOff(file) ? `\n${line}` : line, { mode: 0o600 });
    return true;
  } catch (error) {
    if (hasCode(error, ...REFUSED)) return false;
    throw error;
  }
}

/** True when the last writer was killed, or had no space left, within its line. */
function isCutOff(path: string): boolean {
  const file = openSync(path, "a+", 0o600);
  try {
    const { size } = fstatSync(file);
    const last = Buffer.alloc(1);
    return size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last.toString() !== "\n";
  } finally {
    closeSync(file);
  }
}

/** Where the log goes when it is full; what was there before is dropped. */
function before(file: string): string {
  return file.replace(/\.jsonl$/, ".old.jsonl");
}

/** Null for a line that a full disk or somebody else damaged. */
function parseEntry(line: string): LogEntry | null {
  const { time, event, message, repository = null } = parseJsonObject(line) ?? {};
  if (typeof time !== "string" || typeof event !== "string" || typeof message !== "string")
    return null;
  return { time, event, message, repository: typeof repository === "string" ? repository : null };
}

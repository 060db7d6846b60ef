/** Finds a session of a project in the stores where Qwen Code and Claude Code keep them. */
import { type FileHandle, open, readdir, realpath, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { hasCode, SkillprError } from "../core/errors.ts";
import { SESSION_HEAD_BYTES, SESSION_ID_MIN_CHARS } from "../core/limits.ts";
import { safeLine } from "../core/text.ts";
import { isWithin, resolveAgentPath } from "./agent-path.ts";
import { parseObject } from "./json-objects.ts";
import { asText } from "./json-values.ts";
import type { TranscriptSource } from "./read-transcript.ts";
import { storeFolders } from "./store-folders.ts";

export interface FindSessionOptions {
  /** Absolute paths of the project: its checkout and its linked worktrees. */
  readonly projectRoots: readonly string[];
  /** Absolute path of the user's home. */
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly select: { readonly sessionId: string } | { readonly latest: true };
}

/** What the agents' own scanners take for a session; sidecars and sub-agents are named otherwise. */
const SESSION_FILE = /^[0-9a-fA-F-]{32,36}\.jsonl$/;

interface Candidate {
  readonly path: string;
  readonly modifiedMs: number;
}

/**
 * The session with this id, or the one written last, whose folder lies in the project. Folder
 * names in the stores are ambiguous (`fix.bug` and `fix-bug` share one), so the records decide.
 * @throws SkillprError code `input` naming the folders that were searched
 */
export async function findStoredSession(options: FindSessionOptions): Promise<TranscriptSource> {
  const roots = await withRealPaths(options.projectRoots);
  const stores = await storeFolders(options.home, options.env);
  const candidates: Candidate[] = [];
  for (const store of stores)
    candidates.push(...(await candidatesIn(store, roots, options.select)));
  candidates.sort((a, b) => b.modifiedMs - a.modifiedMs || (a.path < b.path ? -1 : 1));
  for (const { path } of candidates) {
    const cwd = await sessionFolder(path);
    if (cwd !== null && roots.some((root) => isWithin(root, cwd))) return { kind: "file", path };
  }
  throw notFound(options, stores);
}

async function candidatesIn(
  store: string,
  roots: readonly string[],
  select: FindSessionOptions["select"],
): Promise<Candidate[]> {
  const wanted = "sessionId" in select ? select.sessionId : "";
  // The beginning of an id is enough, as with git's; the newest one that has it is taken.
  const isWanted = (name: string) =>
    name === `${wanted}.jsonl` ||
    (SESSION_FILE.test(name) &&
      (wanted === "" || wanted.length >= SESSION_ID_MIN_CHARS) &&
      name.startsWith(wanted));
  const buckets = await entriesOf(store);
  const folders = buckets
    .filter((bucket) => roots.some((root) => mayBelong(bucket, root)))
    // Claude Code keeps the files in the bucket itself, Qwen Code in `chats`.
    .flatMap((bucket) =>
      ["", "chats", join("chats", "archive")].map((name) => join(store, bucket, name)),
    );
  const found: Candidate[] = [];
  for (const folder of folders) {
    for (const name of (await entriesOf(folder)).filter(isWanted)) {
      const path = join(folder, name);
      const modifiedMs = await modifiedTime(path);
      if (modifiedMs !== null) found.push({ path, modifiedMs });
    }
  }
  return found;
}

/** When a file was written last; null when it is no file, or went away meanwhile. */
async function modifiedTime(path: string): Promise<number | null> {
  try {
    const info = await stat(path);
    return info.isFile() ? info.mtimeMs : null;
  } catch (error) {
    if (hasCode(error, "ENOENT", "ELOOP")) return null;
    throw error;
  }
}

/** Both agents name a bucket after the folder they were started in: every other character is `-`. */
function mayBelong(bucket: string, root: string): boolean {
  const name = root.replace(/[^a-zA-Z0-9]/g, "-").toLowerCase();
  const lower = bucket.toLowerCase();
  // A session may have been started in a folder below the root.
  return lower === name || lower.startsWith(`${name}-`);
}

async function withRealPaths(roots: readonly string[]): Promise<string[]> {
  const all = new Set<string>();
  for (const root of roots) {
    all.add(resolveAgentPath(resolve(root), null) ?? root);
    try {
      all.add(resolveAgentPath(await realpath(root), null) ?? root);
    } catch (error) {
      if (!hasCode(error, "ENOENT", "ENOTDIR")) throw error;
    }
  }
  return [...all];
}

/** The names in a folder; none when it doesn't exist. */
async function entriesOf(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return [];
    if (!hasCode(error, "EACCES", "EPERM")) throw error;
    const hint = "Make it readable, or name the transcript file itself.";
    throw new SkillprError("input", `${folder} can't be read`, hint, { cause: error });
  }
}

/** The folder that a session's first records name, resolved; null when none does. */
async function sessionFolder(path: string): Promise<string | null> {
  const file = await openOrNull(path);
  // Another user's, or gone: it is not this project's session.
  if (file === null) return null;
  try {
    const head = Buffer.alloc(SESSION_HEAD_BYTES);
    const { bytesRead } = await file.read(head, 0, head.length, 0);
    for (const line of head.subarray(0, bytesRead).toString("utf8").split("\n")) {
      const cwd = asText(parseObject(line)?.["cwd"]);
      if (cwd !== null) return resolveAgentPath(cwd, null);
    }
    return null;
  } finally {
    await file.close();
  }
}

async function openOrNull(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, "r");
  } catch (error) {
    if (hasCode(error, "ENOENT", "EACCES", "EPERM")) return null;
    throw error;
  }
}

function notFound(options: FindSessionOptions, stores: readonly string[]): SkillprError {
  const what =
    "sessionId" in options.select
      ? `session ${safeLine(options.select.sessionId)} of this project was not found`
      : "no session of this project was found";
  return new SkillprError(
    "input",
    `${what}; searched: ${stores.map(safeLine).join(", ")}`,
    "Name the transcript file, or run this in the repository that the session worked in.",
  );
}

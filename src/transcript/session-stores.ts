/** Finds a session of a project in the stores where the agents keep them. */
import { type FileHandle, open, readdir, realpath, stat } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import { hasCode, SkillprError } from "../core/errors.ts";
import {
  SESSION_HEAD_BYTES,
  SESSION_HEAD_STEP_BYTES,
  SESSION_ID_MIN_CHARS,
} from "../core/limits.ts";
import { safeLine } from "../core/text.ts";
import { isWithin, resolveAgentPath } from "./agent-path.ts";
import {
  AGENT_STORES,
  type AgentStore,
  CLOSED_STORES,
  type Search,
  type Step,
} from "./agent-stores.ts";
import type { TranscriptSource } from "./read-transcript.ts";
import type { StorePlace } from "./store-folders.ts";

export interface FindSessionOptions extends StorePlace {
  readonly select: { readonly sessionId: string } | { readonly latest: true };
}

interface Candidate {
  readonly path: string;
  readonly modifiedMs: number;
  readonly store: AgentStore;
}

/**
 * The session with this id, or the one written last, that belongs to the project, of whichever
 * agent.
 * @throws SkillprError code `input` naming the folders that were searched
 */
export async function findStoredSession(options: FindSessionOptions): Promise<TranscriptSource> {
  const search: Search = {
    roots: await withRealPaths(options.projectRoots),
    sessionId: "sessionId" in options.select ? options.select.sessionId : null,
  };
  const candidates: Candidate[] = [];
  const folders: string[] = [];
  for (const store of AGENT_STORES) {
    for (const folder of await store.folders(options)) {
      // That the project itself was searched helps nobody.
      if (!options.projectRoots.some((root) => isWithin(root, folder))) folders.push(folder);
      candidates.push(...(await candidatesIn(folder, store, search)));
    }
  }
  candidates.sort(
    (a, b) =>
      Number(a.store.isLast ?? false) - Number(b.store.isLast ?? false) ||
      b.modifiedMs - a.modifiedMs ||
      (a.path < b.path ? -1 : 1),
  );
  for (const { path, store } of candidates) {
    if (await belongs(path, store, search)) return { kind: "file", path };
  }
  throw await notFound(options, folders);
}

async function candidatesIn(
  folder: string,
  store: AgentStore,
  search: Search,
): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for (const steps of store.paths) {
    for (const path of await pathsBelow(folder, steps, search.roots)) {
      if (!isWanted(path, store, search.sessionId)) continue;
      const modifiedMs = await modifiedTime(path);
      if (modifiedMs !== null) found.push({ path, modifiedMs, store });
    }
  }
  return found;
}

/** What the steps lead to; the last may not exist. */
async function pathsBelow(
  folder: string,
  steps: readonly Step[],
  roots: readonly string[],
): Promise<string[]> {
  const [step, ...rest] = steps;
  if (step === undefined) return [folder];
  const names = typeof step === "string" ? [step] : await entriesOf(folder);
  const found: string[] = [];
  for (const name of names) {
    const fits =
      typeof step === "string" || (step instanceof RegExp ? step.test(name) : step(name, roots));
    if (fits) found.push(...(await pathsBelow(join(folder, name), rest, roots)));
  }
  return found;
}

/** The beginning of an id is enough, as with git's; the newest session that has it is taken. */
function isWanted(path: string, store: AgentStore, wanted: string | null): boolean {
  const id = store.id.exec(path.replaceAll(sep, "/"))?.[1]?.replace(/^session_/, "") ?? null;
  if (wanted === null) return id !== null;
  if (id === null) return path.endsWith(`${sep}${wanted}.jsonl`);
  if (id === wanted || (store.isIdCut === true && wanted.startsWith(id))) return true;
  return wanted.length >= SESSION_ID_MIN_CHARS && id.startsWith(wanted);
}

/** When a file was written last; null when it is no file, or went away meanwhile. */
async function modifiedTime(path: string): Promise<number | null> {
  try {
    const info = await stat(path);
    return info.isFile() ? info.mtimeMs : null;
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR", "ELOOP")) return null;
    throw error;
  }
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

/** Asks the file's beginning, as much of it as is needed. */
async function belongs(path: string, store: AgentStore, search: Search): Promise<boolean> {
  const file = await openOrNull(path);
  // Another user's, or gone: it is not this project's session.
  if (file === null) return false;
  try {
    const head = Buffer.alloc(SESSION_HEAD_BYTES);
    let length = 0;
    while (length < head.length) {
      const room = Math.min(SESSION_HEAD_STEP_BYTES, head.length - length);
      const { bytesRead } = await file.read(head, length, room, length);
      if (bytesRead === 0) return false;
      length += bytesRead;
      const verdict = store.belongs(head.subarray(0, length).toString("utf8"), search);
      if (verdict !== null) return verdict;
    }
    return false;
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

async function notFound(
  options: FindSessionOptions,
  folders: readonly string[],
): Promise<SkillprError> {
  const what =
    "sessionId" in options.select
      ? `session ${safeLine(options.select.sessionId)} of this project was not found`
      : "no session of this project was found";
  const there: string[] = [];
  for (const folder of folders) if (await isThere(folder)) there.push(folder);
  const hints = [
    "Name the transcript file, or run this in the repository that the session worked in.",
  ];
  for (const store of CLOSED_STORES)
    if (await isThere(store.folder(options))) hints.push(store.hint);
  const searched = (there.length > 0 ? there : folders).map(safeLine).join(", ");
  return new SkillprError("input", `${what}; searched: ${searched}`, hints.join(" "));
}

async function isThere(folder: string): Promise<boolean> {
  try {
    return (await stat(folder)).isDirectory();
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR", "ELOOP", "EACCES")) return false;
    throw error;
  }
}

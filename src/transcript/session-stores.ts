/** Finds a session of a project in the stores where the agents keep them. */
import { constants } from "node:fs";
import { type FileHandle, open, realpath, stat } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import { hasCode, SkillprError } from "../core/errors.ts";
import { SESSION_HEAD_BYTES, SESSION_HEAD_STEP_BYTES } from "../core/limits.ts";
import { safeLine } from "../core/text.ts";
import { isWithin, resolveAgentPath } from "./agent-path.ts";
import { AGENT_STORES, type AgentStore, type Step } from "./agent-stores.ts";
import { OPENCODE_DATABASE } from "./opencode-database.ts";
import { OPENCODE_FILES } from "./opencode-files.ts";
import { OPENHANDS } from "./openhands-store.ts";
import type { TranscriptSource } from "./read-transcript.ts";
import { entriesOf, modifiedTime } from "./store-files.ts";
import {
  type Candidate,
  isWantedId,
  type RecordStore,
  type Search,
  type SearchPlace,
} from "./store-search.ts";

export interface FindSessionOptions extends SearchPlace {
  readonly select: { readonly sessionId: string } | { readonly latest: true };
}

/** A session may be in two: the database has it as it is now. */
const RECORD_STORES: readonly RecordStore[] = [OPENCODE_DATABASE, OPENCODE_FILES, OPENHANDS];

/**
 * The session with this id, or the one written last, that belongs to the project, of whichever
 * agent. A store that can't be read stops the search for the newest session when it may hold that one, and the
 * search for an id when no other store has it.
 * @throws SkillprError code `input` naming the folders that were searched, or the store
 */
export async function findStoredSession(options: FindSessionOptions): Promise<TranscriptSource> {
  const search: Search = {
    roots: await withRealPaths(options.projectRoots),
    sessionId: "sessionId" in options.select ? options.select.sessionId : null,
    unreadable: [],
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
  for (const store of RECORD_STORES) {
    folders.push(...(await store.folders(options)));
    candidates.push(...(await store.candidates(options, search)));
  }
  const found = await firstOf(candidates, search);
  if (found !== null) return found;
  throw search.unreadable[0] ?? (await notFound(options, folders));
}

async function firstOf(
  candidates: readonly Candidate[],
  { sessionId }: Search,
): Promise<TranscriptSource | null> {
  // The first to be opened stands last.
  const waiting = candidates.toSorted(byTime).reverse();
  let failure: unknown = null;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    try {
      const found = await next.open();
      if (found !== null && "kind" in found) return found;
      if (found === null) continue;
      for (const candidate of found) waiting.push(candidate);
      waiting.sort(byTime).reverse();
    } catch (error) {
      if (sessionId === null || !(error instanceof SkillprError)) throw error;
      failure ??= error;
    }
  }
  if (failure !== null) throw failure;
  return null;
}

function byTime(a: Candidate, b: Candidate): number {
  return (
    Number(a.isLast) - Number(b.isLast) || b.modifiedMs - a.modifiedMs || (a.name < b.name ? -1 : 1)
  );
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
      const modifiedMs = await modifiedTime(path, "file");
      if (modifiedMs === null) continue;
      const open = async () =>
        (await belongs(path, store, search)) ? ({ kind: "file", path } as const) : null;
      found.push({ name: path, modifiedMs, isLast: store.isLast ?? false, open });
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

function isWanted(path: string, store: AgentStore, wanted: string | null): boolean {
  const id = store.id.exec(path.replaceAll(sep, "/"))?.[1]?.replace(/^session_/, "") ?? null;
  if (id === null) return wanted !== null && path.endsWith(`${sep}${wanted}.jsonl`);
  return (store.isIdCut === true && wanted?.startsWith(id)) || isWantedId(id, wanted);
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

/** Asks the file's beginning, as much of it as is needed. */
async function belongs(path: string, store: AgentStore, search: Search): Promise<boolean> {
  const file = await openOrNull(path, search);
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

/** Null when it is gone, or may not be read: another user's is not this project's session. */
async function openOrNull(path: string, { unreadable }: Search): Promise<FileHandle | null> {
  try {
    return await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    if (!hasCode(error, "EACCES", "EPERM") || !(error instanceof Error)) throw error;
    const hint = "Make it readable, or name the transcript file itself.";
    const message = `${path} can't be read: ${error.message}`;
    unreadable.push(new SkillprError("input", message, hint, { cause: error }));
    return null;
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
  for (const store of RECORD_STORES) {
    if (store.hint === undefined || "sessionId" in options.select) continue;
    for (const folder of await store.folders(options))
      if (await isThere(folder)) hints.push(store.hint);
  }
  const searched = (there.length > 0 ? there : folders).map(safeLine).join(", ");
  return new SkillprError("input", `${what}; searched: ${searched}`, [...new Set(hints)].join(" "));
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR", "ELOOP", "EACCES")) return false;
    throw error;
  }
}

/**
 * OpenCode's store before its database: `storage/session/<project>/<id>.json`, a file a message in
 * `storage/message/<session>`, a file a part in `storage/part/<message>`.
 */
import { join } from "node:path";
import { SkillprError } from "../core/errors.ts";
import { safeLine } from "../core/text.ts";
import { resolveAgentPath } from "./agent-path.ts";
import { asRecord, asText, type JsonRecord } from "./json-values.ts";
import { LeftOut } from "./left-out.ts";
import { EXPORT_HINT, opencodeLines } from "./opencode-lines.ts";
import type { TranscriptSource } from "./read-transcript.ts";
import { entriesOf, modifiedTime, readStored } from "./store-files.ts";
import { dataFolder, type StorePlace } from "./store-folders.ts";
import {
  type Candidate,
  isInProject,
  isWantedId,
  type RecordStore,
  type Search,
} from "./store-search.ts";

export const OPENCODE_FILES: RecordStore = {
  folders: async (place) => [join(storageOf(place), "session")],
  async candidates(place, search) {
    const storage = storageOf(place);
    const sessions = join(storage, "session");
    const found: Candidate[] = [];
    for (const project of await entriesOf(sessions)) {
      for (const file of await entriesOf(join(sessions, project))) {
        const id = /^(.+)\.json$/.exec(file)?.[1];
        if (id === undefined || !isWantedId(id, search.sessionId)) continue;
        const path = join(sessions, project, file);
        const modifiedMs = await modifiedTime(path, "file");
        if (modifiedMs === null) continue;
        // A message more changes its folder, not the session's file.
        const folderMs = (await modifiedTime(join(storage, "message", id), "folder")) ?? 0;
        const open = () => sessionIn({ storage, path, id, project }, search);
        const writtenMs = Math.max(modifiedMs, folderMs);
        found.push({ name: path, modifiedMs: writtenMs, isLast: false, open });
      }
    }
    return found;
  },
};

function storageOf(place: StorePlace): string {
  return join(dataFolder(place), "opencode", "storage");
}

interface Stored {
  readonly storage: string;
  /** Of the session's own file. */
  readonly path: string;
  readonly id: string;
  /** Its project's id. */
  readonly project: string;
}

async function sessionIn(stored: Stored, search: Search): Promise<TranscriptSource | null> {
  const info = await infoOf(stored);
  // A sub-agent has a session of its own: it is found by its id only.
  if (info === null || (search.sessionId === null && asText(info["parentID"]) !== null))
    return null;
  const folder = asText(info["directory"]) ?? (await worktreeOf(stored));
  const path = folder === null ? null : resolveAgentPath(folder, null);
  if (!isInProject(path, search)) return null;
  const chunks = (notes: string[]) => linesOf(stored, notes);
  return { kind: "stored", name: safeLine(stored.path), chunks };
}

/** Null when the file went away; OpenCode removes sessions, and moves them into its database. */
async function infoOf({ path }: Stored): Promise<JsonRecord | null> {
  const read = await readStored(path);
  if (read.kind === "object") return read.object;
  if (read.kind === "missing") return null;
  throw new SkillprError(
    "input",
    `${path} is ${read.kind === "large" ? "too large" : "damaged"}`,
    EXPORT_HINT,
  );
}

async function worktreeOf({ storage, project }: Stored): Promise<string | null> {
  const read = await readStored(join(storage, "project", `${project}.json`));
  return read.kind === "object" ? asText(read.object["worktree"]) : null;
}

async function* linesOf(stored: Stored, notes: string[]) {
  const { storage, path, id } = stored;
  const info = await infoOf(stored);
  if (info === null)
    throw new SkillprError("input", `${path} does not exist any more`, EXPORT_HINT);
  const left = new LeftOut();
  const messages: JsonRecord[] = [];
  for await (const message of recordsIn(join(storage, "message", id), left)) messages.push(message);
  messages.sort((a, b) => createdOf(a) - createdOf(b));
  const partsOf = (messageId: string) => recordsIn(join(storage, "part", messageId), left);
  yield* opencodeLines({ info: { ...info, id }, messages, partsOf });
  notes.push(...left.notes());
}

function createdOf(message: JsonRecord): number {
  return Number(asRecord(message["time"])?.["created"]) || 0;
}

/** The records of a folder, by their ids, which ascend with time. */
async function* recordsIn(folder: string, left: LeftOut): AsyncGenerator<JsonRecord> {
  for (const file of (await entriesOf(folder)).sort()) {
    const id = /^(.+)\.json$/.exec(file)?.[1];
    if (id === undefined) continue;
    const read = await readStored(join(folder, file));
    if (read.kind === "object") yield { ...read.object, id };
    else left.count(read.kind);
  }
}

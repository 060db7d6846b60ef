/**
 * OpenHands' stores: a folder a conversation, with a file an event.
 *
 * Version 1 (`conversations/<id>/events/event-00000-<uuid>.json`) says in `base_state.json` in which folder it works.
 * Version 0 (`sessions/<id>/events/0.json`, with a user `users/<user>/conversations/<id>`) works in a container as
 * a rule, where every folder is below `/workspace`: what tells the project there is the repository that was
 * selected, in `metadata.json`, or the folder of a command that ran outside of one.
 */
import { join } from "node:path";
import { SkillprError } from "../core/errors.ts";
import { STORE_EVENTS_LOOKED_AT } from "../core/limits.ts";
import { safeLine } from "../core/text.ts";
import { resolveAgentPath } from "./agent-path.ts";
import { asRecord, asText, type JsonRecord } from "./json-values.ts";
import { LeftOut } from "./left-out.ts";
import type { TranscriptSource } from "./read-transcript.ts";
import { entriesOf, lineOf, modifiedTime, readStored } from "./store-files.ts";
import { homeFolder, type StorePlace } from "./store-folders.ts";
import {
  type Candidate,
  isInProject,
  isWantedId,
  type RecordStore,
  type Search,
} from "./store-search.ts";

/** A folder that means another one in every container. */
const IN_CONTAINER = /^\/workspace(?:\/|$)/;
const EVENT = /^(?:event-)?(\d+)(?:-[\da-f-]+)?\.json$/i;
const HINT = "Name a file with the list of its events, or another session.";

export const OPENHANDS: RecordStore = {
  folders: async (place) => [...(await foldersOf(place))],
  async candidates(place, search) {
    const found: Candidate[] = [];
    for (const folder of await foldersOf(place)) {
      for (const id of await entriesOf(folder)) {
        // With and without hyphens, it is the same.
        if (!isWantedId(plain(id), search.sessionId && plain(search.sessionId))) continue;
        const path = join(folder, id);
        const modifiedMs = await modifiedTime(join(path, "events"), "folder");
        if (modifiedMs === null) continue;
        const open = () => sessionIn({ path, id }, place, search);
        found.push({ name: path, modifiedMs, isLast: false, open });
      }
    }
    return found;
  },
  hint: "A session of OpenHands that worked in a container without a repository selected names no folder of this machine: `--session <id>` finds it.",
};

async function foldersOf(place: StorePlace): Promise<string[]> {
  const base = homeFolder(place, "OPENHANDS_PERSISTENCE_DIR", ".openhands");
  const conversations = homeFolder(
    place,
    "OPENHANDS_CONVERSATIONS_DIR",
    ".openhands",
    "conversations",
  );
  const isMoved = asText(place.env["OPENHANDS_CONVERSATIONS_DIR"]) !== null;
  const users = (await entriesOf(join(base, "users"))).sort();
  return [
    isMoved ? conversations : join(base, "conversations"),
    join(base, "sessions"),
    ...users.map((user) => join(base, "users", user, "conversations")),
  ];
}

function plain(id: string): string {
  return id.replaceAll("-", "");
}

interface Stored {
  /** Of the conversation's folder. */
  readonly path: string;
  readonly id: string;
}

async function sessionIn(
  stored: Stored,
  place: StorePlace,
  search: Search,
): Promise<TranscriptSource | null> {
  const facts = await factsOf(stored);
  const selected = asText(facts["selected_repository"])?.toLowerCase();
  const folder = asText(facts["working_dir"]) ?? (await ranIn(stored));
  const path = folder === null ? null : resolveAgentPath(folder, null);
  const names = place.repositories ?? [];
  const isOurs = isInProject(path, search) || (selected !== undefined && names.includes(selected));
  const isUnknown =
    (path === null || IN_CONTAINER.test(path)) && (selected === undefined || names.length === 0);
  // Only somebody who knows the id knows whose a session without a folder is.
  if (!isOurs && !(isUnknown && search.sessionId !== null)) return null;
  const chunks = (notes: string[]) => linesOf(stored, facts, notes);
  return { kind: "stored", name: safeLine(stored.path), chunks };
}

/** What the store says of a conversation beside its events. */
async function factsOf({ path, id }: Stored): Promise<JsonRecord> {
  const state = await objectIn(join(path, "base_state.json"));
  const metadata = await objectIn(join(path, "metadata.json"));
  return {
    conversation_id: id,
    working_dir: asText(asRecord(state?.["workspace"])?.["working_dir"]),
    model: asText(asRecord(asRecord(state?.["agent"])?.["llm"])?.["model"]),
    selected_repository: asText(metadata?.["selected_repository"]),
    selected_branch: asText(metadata?.["selected_branch"]),
  };
}

/** Null for one that isn't there or is being written: the events may still say it. */
async function objectIn(path: string): Promise<JsonRecord | null> {
  const read = await readStored(path);
  return read.kind === "object" ? read.object : null;
}

/** The folder of the first command whose result names it. */
async function ranIn(stored: Stored): Promise<string | null> {
  for (const path of (await eventsOf(stored)).slice(0, STORE_EVENTS_LOOKED_AT)) {
    const event = await objectIn(path);
    const result = asRecord(event?.["extras"]) ?? asRecord(event?.["observation"]);
    const folder = asText(asRecord(result?.["metadata"])?.["working_dir"]);
    if (folder !== null) return folder;
  }
  return null;
}

/** The files of the events, in order. */
async function eventsOf({ path }: Stored): Promise<string[]> {
  const folder = join(path, "events");
  return (await entriesOf(folder))
    .flatMap((name) => {
      const number = EVENT.exec(name)?.[1];
      return number === undefined ? [] : [{ name, number: Number(number) }];
    })
    .sort((a, b) => a.number - b.number || (a.name < b.name ? -1 : 1))
    .map(({ name }) => join(folder, name));
}

async function* linesOf(
  stored: Stored,
  facts: JsonRecord,
  notes: string[],
): AsyncGenerator<Uint8Array> {
  const left = new LeftOut();
  const events = await eventsOf(stored);
  if (events.length === 0) {
    throw new SkillprError("input", `${stored.path} holds no events`, HINT);
  }
  yield lineOf(facts);
  for (const path of events) {
    const read = await readStored(path);
    if (read.kind === "object") yield lineOf(read.object);
    else left.count(read.kind);
  }
  notes.push(...left.notes());
}

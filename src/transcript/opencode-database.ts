/**
 * OpenCode's database, `opencode.db` (`opencode-<channel>.db` of other builds): the tables `project`,
 * `session`, `message` and `part`; a message and a part are JSON without the ids that are columns.
 */
import { isAbsolute, join } from "node:path";
import { SkillprError } from "../core/errors.ts";
import { TRANSCRIPT_LINE_MAX_BYTES } from "../core/limits.ts";
import { safeLine } from "../core/text.ts";
import { resolveAgentPath } from "./agent-path.ts";
import { parseObject } from "./json-objects.ts";
import { asText, type JsonRecord } from "./json-values.ts";
import { LeftOut } from "./left-out.ts";
import { EXPORT_HINT, opencodeLines } from "./opencode-lines.ts";
import type { TranscriptSource } from "./read-transcript.ts";
import { openSqlite, type SqliteFile, type SqliteRow } from "./sqlite-file.ts";
import { entriesOf, modifiedTime } from "./store-files.ts";
import { dataFolder, type StorePlace } from "./store-folders.ts";
import {
  type Candidate,
  isInProject,
  isWantedId,
  type RecordStore,
  type Search,
  type SearchPlace,
} from "./store-search.ts";

type MakeFolder = SearchPlace["makeFolder"];

const TABLES = ["project", "session", "message", "part"];

export const OPENCODE_DATABASE: RecordStore = {
  folders: databasesOf,
  async candidates(place, search) {
    const found: Candidate[] = [];
    for (const path of await databasesOf(place)) {
      const modifiedMs = await writtenTime(path);
      const open = () => sessionsIn(path, search, place.makeFolder);
      if (modifiedMs !== null) found.push({ name: path, modifiedMs, isLast: false, open });
    }
    return found;
  },
};

async function databasesOf(place: StorePlace): Promise<string[]> {
  const folder = join(dataFolder(place), "opencode");
  const named = asText(place.env["OPENCODE_DB"]);
  if (named === ":memory:") return [];
  if (named !== null) return [isAbsolute(named) ? named : join(folder, named)];
  const names = (await entriesOf(folder)).filter((name) => /^opencode(?:-.+)?\.db$/.test(name));
  return names.sort().map((name) => join(folder, name));
}

/** The log is written first. */
async function writtenTime(path: string): Promise<number | null> {
  const database = await modifiedTime(path, "file");
  if (database === null) return null;
  return Math.max(database, (await modifiedTime(`${path}-wal`, "file")) ?? 0);
}

async function sessionsIn(
  path: string,
  search: Search,
  makeFolder: MakeFolder,
): Promise<readonly Candidate[]> {
  using database = await openSqlite(path, { makeFolder, hint: EXPORT_HINT });
  if (database === null) return [];
  requireTables(path, database);
  return database
    .all(
      "SELECT s.id, s.parent_id, s.directory, s.time_updated, p.worktree FROM session s LEFT JOIN project p ON p.id = s.project_id",
    )
    .filter((row) => isWanted(row, search))
    .map((row) => {
      const id = String(row["id"]);
      const name = `${path}: ${id}`;
      const chunks = (notes: string[]) => linesOf({ path, id, makeFolder }, notes);
      const source: TranscriptSource = { kind: "stored", name: safeLine(name), chunks };
      const modifiedMs = Math.max(Number(row["time_updated"]) || 0, lastWritten(database, id));
      return { name, modifiedMs, isLast: false, open: async () => source };
    });
}

function requireTables(path: string, { tables }: SqliteFile): void {
  const missing = TABLES.filter((name) => !tables.has(name));
  if (missing.length === 0) return;
  const what = `${path} is no database of OpenCode's that skillpr knows: it has no table ${missing.join(", ")}`;
  throw new SkillprError("input", what, EXPORT_HINT);
}

/** A sub-agent has a session of its own: it is found by its id only. */
function isWanted(row: SqliteRow, { roots, sessionId }: Search): boolean {
  if (!isWantedId(String(row["id"]), sessionId)) return false;
  if (sessionId === null && row["parent_id"] !== null) return false;
  const folder = asText(row["directory"]) ?? asText(row["worktree"]);
  const path = folder === null ? null : resolveAgentPath(folder, null);
  return isInProject(path, { roots });
}

function lastWritten(database: SqliteFile, id: string): number {
  const [row] = database.all("SELECT max(time_updated) AS last FROM message WHERE session_id = ?", [
    id,
  ]);
  return Number(row?.["last"]) || 0;
}

interface Stored {
  readonly path: string;
  readonly id: string;
  readonly makeFolder: MakeFolder;
}

async function* linesOf({ path, id, makeFolder }: Stored, notes: string[]) {
  using database = await openSqlite(path, { makeFolder, hint: EXPORT_HINT });
  if (database !== null) requireTables(path, database);
  const session = database?.all(
    "SELECT s.id, s.parent_id, s.directory, s.version, s.time_created, s.time_updated, s.revert, p.worktree FROM session s LEFT JOIN project p ON p.id = s.project_id WHERE s.id = ?",
    [id],
  )[0];
  if (database === null || session === undefined)
    throw new SkillprError("input", `${path} has no session ${safeLine(id)} any more`, EXPORT_HINT);
  const left = new LeftOut();
  const rows = (sql: string, key: string) =>
    database.all(sql, [TRANSCRIPT_LINE_MAX_BYTES, key]).flatMap((row) => recordOf(row, left));
  const messages = rows(
    "SELECT id, CASE WHEN octet_length(data) <= ? THEN data END AS data FROM message WHERE session_id = ? ORDER BY time_created, id",
    id,
  );
  if (messages.length === 0) requireOldForm(database, path, id);
  const partsOf = (messageId: string) =>
    rows(
      "SELECT id, CASE WHEN octet_length(data) <= ? THEN data END AS data FROM part WHERE message_id = ? ORDER BY id",
      messageId,
    );
  yield* opencodeLines({ info: infoOf(session), messages, partsOf });
  notes.push(...left.notes());
}

/** OpenCode 2 keeps a session's messages in a table of another form. */
function requireOldForm(database: SqliteFile, path: string, id: string): void {
  if (!database.tables.has("session_message")) return;
  const sql = "SELECT id FROM session_message WHERE session_id = ? LIMIT 1";
  if (database.all(sql, [id]).length === 0) return;
  const what = `${path}: session ${safeLine(id)} is kept in a newer form than skillpr reads`;
  throw new SkillprError("input", what, EXPORT_HINT);
}

function recordOf({ id, data }: SqliteRow, left: LeftOut): JsonRecord[] {
  if (data === null) left.count("large");
  else {
    const record = parseObject(String(data));
    if (record !== null) return [{ ...record, id: asText(id) }];
    left.count("damaged");
  }
  return [];
}

/** A session's row as `opencode export` writes it. */
function infoOf(row: SqliteRow): JsonRecord {
  return {
    id: asText(row["id"]),
    parentID: asText(row["parent_id"]) ?? undefined,
    directory: asText(row["directory"]) ?? asText(row["worktree"]),
    version: asText(row["version"]),
    // A number too large for JSON comes as another type.
    time: { created: Number(row["time_created"]), updated: Number(row["time_updated"]) },
    revert: parseObject(asText(row["revert"]) ?? "") ?? undefined,
  };
}

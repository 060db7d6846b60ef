/** Stores of OpenCode's, as the agent itself leaves them: a database with its log, and the older folder of files. */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import sqlite from "node-sqlite3-wasm";

type Json = Readonly<Record<string, unknown>>;

/** A session as `opencode export` writes it. */
export interface Exported {
  readonly info: Json & { readonly id: string; readonly directory: string };
  readonly messages: readonly { readonly info: Json; readonly parts: readonly Json[] }[];
}

export const SCHEMA = `
CREATE TABLE project (id text PRIMARY KEY, worktree text NOT NULL, vcs text, time_created integer NOT NULL, time_updated integer NOT NULL);
CREATE TABLE session (id text PRIMARY KEY, project_id text NOT NULL, parent_id text, slug text NOT NULL, directory text NOT NULL, title text NOT NULL, version text NOT NULL, revert text, time_created integer NOT NULL, time_updated integer NOT NULL, time_archived integer);
CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
CREATE INDEX message_session_time_created_id_idx ON message (session_id, time_created, id);
CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
CREATE INDEX part_message_id_id_idx ON part (message_id, id);
`;

export const START = Date.UTC(2026, 2, 2, 10);

/** A small session: a question, a command that fails and then works, an edit. */
export function sampleSession(id: string, directory: string, more: Json = {}): Exported {
  const at = (seconds: number) => ({ created: START + seconds * 1000 });
  const tool = (n: number, state: Json) => ({
    id: `prt_${id}_b${n}`,
    type: "tool",
    tool: n === 3 ? "edit" : "bash",
    callID: `call_${n}`,
    state,
  });
  return {
    info: {
      id,
      directory,
      version: "1.2.24",
      time: { created: START, updated: START + 60_000 },
      ...more,
    },
    messages: [
      {
        info: { id: `msg_${id}_1`, role: "user", time: at(1), agent: "build" },
        parts: [{ id: `prt_${id}_a`, type: "text", text: "Sort the parcels." }],
      },
      {
        info: {
          id: `msg_${id}_2`,
          role: "assistant",
          time: at(2),
          modelID: "model-one",
          path: { cwd: directory, root: directory },
        },
        parts: [
          { id: `prt_${id}_b0`, type: "text", text: "I look at the tests." },
          tool(1, {
            status: "completed",
            input: { command: "npm test" },
            output: "1 failed",
            metadata: { exit: 1 },
          }),
          tool(2, {
            status: "completed",
            input: { command: "npm test" },
            output: "all passed",
            metadata: { exit: 0 },
          }),
          tool(3, {
            status: "completed",
            input: { filePath: `${directory}/src/parcels.js`, oldString: "a", newString: "b" },
            output: "",
          }),
        ],
      },
    ],
  };
}

/** Runs statements on a database that stays open while `during` runs: with a log, what is new stands in it. */
export async function withDatabase(
  path: string,
  mode: "wal" | "delete",
  during: (database: InstanceType<typeof sqlite.Database>) => void | Promise<void>,
): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  const database = new sqlite.Database(path);
  try {
    database.exec("PRAGMA locking_mode = EXCLUSIVE");
    database.exec(`PRAGMA journal_mode = ${mode}`);
    await during(database);
  } finally {
    database.close();
  }
}

export function insertSession(
  database: InstanceType<typeof sqlite.Database>,
  { info, messages }: Exported,
  updated = START + 60_000,
): void {
  const text = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
  database.run("INSERT OR IGNORE INTO project VALUES (?, ?, 'git', ?, ?)", [
    `p${info.directory}`,
    info.directory,
    START,
    START,
  ]);
  database.run("INSERT INTO session VALUES (?, ?, ?, 'slug', ?, 'Title', ?, ?, ?, ?, NULL)", [
    info.id,
    `p${info.directory}`,
    (info["parentID"] as string | undefined) ?? null,
    info.directory,
    String(info["version"]),
    text(info["revert"]),
    START,
    updated,
  ]);
  for (const { info: message, parts } of messages) {
    const { id, ...data } = message as Json & { id: string; time: { created: number } };
    const created = data.time.created;
    database.run("INSERT INTO message VALUES (?, ?, ?, ?, ?)", [
      id,
      info.id,
      created,
      created,
      JSON.stringify(data),
    ]);
    for (const { id: partId, ...part } of parts as readonly (Json & { id: string })[])
      database.run("INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)", [
        partId,
        id,
        info.id,
        created,
        created,
        JSON.stringify(part),
      ]);
  }
}

/** A database with these sessions, whole, without a log. */
export async function writeDatabase(path: string, sessions: readonly Exported[]): Promise<void> {
  await withDatabase(path, "delete", (database) => {
    database.exec(`BEGIN; ${SCHEMA}`);
    for (const [n, session] of sessions.entries())
      insertSession(database, session, START + (n + 1) * 60_000);
    database.exec("COMMIT");
  });
}

/** A database whose sessions stand in its log alone, as those of an agent that runs do. */
export async function writeDatabaseWithLog(
  path: string,
  sessions: readonly Exported[],
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "opencode-log-"));
  const own = join(folder, "own.db");
  try {
    await withDatabase(own, "wal", (database) => {
      database.exec(SCHEMA);
      database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      database.exec("BEGIN");
      for (const session of sessions) insertSession(database, session);
      database.exec("COMMIT");
      mkdirSync(dirname(path), { recursive: true });
      copyFileSync(own, path);
      copyFileSync(`${own}-wal`, `${path}-wal`);
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  if (!existsSync(`${path}-wal`)) throw new Error("the database has no log");
}

/** The older store: a file each for the session, its messages and their parts. */
export function writeFiles(storage: string, { info, messages }: Exported, project = "p1"): string {
  const put = (path: string, value: unknown) => {
    const file = join(storage, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(value, null, 2));
    return file;
  };
  put(`project/${project}.json`, { id: project, worktree: info.directory, vcs: "git" });
  for (const { info: message, parts } of messages) {
    const id = String(message["id"]);
    put(`message/${info.id}/${id}.json`, { ...message, sessionID: info.id });
    for (const part of parts)
      put(`part/${id}/${String(part["id"])}.json`, { ...part, messageID: id, sessionID: info.id });
  }
  return put(`session/${project}/${info.id}.json`, { ...info, projectID: project });
}

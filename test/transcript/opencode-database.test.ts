import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Worker } from "node:worker_threads";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { STORE_DATABASE_MAX_BYTES, TRANSCRIPT_LINE_MAX_BYTES } from "../../src/core/limits.ts";
import { readTranscript, type TranscriptSource } from "../../src/transcript/read-transcript.ts";
import { findStoredSession } from "../../src/transcript/session-stores.ts";
import { openSqlite } from "../../src/transcript/sqlite-file.ts";
import {
  insertSession,
  SCHEMA,
  START,
  sampleSession,
  withDatabase,
  writeDatabase,
  writeDatabaseWithLog,
  writeFiles,
} from "./opencode-samples.ts";
import { makeFolders } from "./temporary-folder.ts";

let home: string;
let project: string;
let database: string;
const folders = makeFolders();

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "opencode-")));
  project = join(home, "work", "parcels");
  mkdirSync(project, { recursive: true });
  database = join(home, ".local/share/opencode/opencode.db");
});
afterEach(() => {
  expect([...folders.open]).toEqual([]);
  rmSync(home, { recursive: true, force: true });
});

function find(sessionId?: string, env: NodeJS.ProcessEnv = {}): Promise<TranscriptSource> {
  const select = sessionId === undefined ? ({ latest: true } as const) : { sessionId };
  const place = { projectRoots: [project], home, env, makeFolder: folders.make };
  return findStoredSession({ ...place, select });
}

async function nameOf(finding: Promise<TranscriptSource>): Promise<string> {
  const source = await finding;
  return source.kind === "file" ? source.path : source.name;
}

/** What lies in the store's folder, with its bytes. */
function contents(): Record<string, string> {
  const folder = dirname(database);
  const names = readdirSync(folder).sort();
  return Object.fromEntries(
    names.map((name) => [name, readFileSync(join(folder, name)).toString("base64")]),
  );
}

const EXPORT = { code: "input", hint: expect.stringContaining("opencode export") };

describe("OpenCode's database", () => {
  it("gives the same session as OpenCode's export of it", async () => {
    const sample = sampleSession("ses_1111aaaa", project);
    await writeDatabase(database, [sample]);
    const bytes = Buffer.from(JSON.stringify(sample));
    const exported = await readTranscript({ kind: "bytes", name: "export", bytes });
    const stored = await readTranscript(await find());
    const { digest, rawBytes } = stored;
    expect(stored).toEqual({ ...exported, digest, rawBytes });
    expect(stored).toMatchObject({ id: "ses_1111aaaa", toolCallCount: 3, failedToolCallCount: 1 });
    expect(stored.notes).toEqual([]);
  });

  it("gives the same bytes each time it is read", async () => {
    await writeDatabase(database, [sampleSession("ses_1111aaaa", project)]);
    const source = await find();
    expect((await readTranscript(source)).digest).toBe((await readTranscript(source)).digest);
  });

  it("keeps what was reverted and who a sub-agent is, as an export does", async () => {
    const child = sampleSession("ses_2222bbbb", project, {
      parentID: "ses_1111aaaa",
      revert: { messageID: "msg_ses_2222bbbb_2" },
    });
    await writeDatabase(database, [child]);
    const session = await readTranscript(await find("ses_2222bbbb"));
    expect(session.turns.map(({ subagent, rewound }) => [subagent, rewound])).toEqual([
      ["build", false],
      ["build", true],
    ]);
    expect(session.subagentToolCallCount).toBe(3);
  });

  it("finds the newest of this repository, also below its root, and no sub-agent", async () => {
    await writeDatabase(database, [
      sampleSession("ses_1111aaaa", project),
      sampleSession("ses_2222bbbb", join(project, "packages/one")),
      sampleSession("ses_3333cccc", project, { parentID: "ses_1111aaaa" }),
      sampleSession("ses_4444dddd", `${project}-two`),
      sampleSession("ses_5555eeee", "/"),
    ]);
    expect(await nameOf(find())).toBe(`${database}: ses_2222bbbb`);
  });

  it("finds one by its id or how that begins, of this repository only", async () => {
    await writeDatabase(database, [
      sampleSession("ses_1111aaaa", project),
      sampleSession("ses_2222bbbb", project),
      sampleSession("ses_4444dddd", `${project}-two`),
    ]);
    expect(await nameOf(find("ses_1111aaaa"))).toBe(`${database}: ses_1111aaaa`);
    expect(await nameOf(find("ses_1111"))).toBe(`${database}: ses_1111aaaa`);
    await expect(find("ses_4444dddd")).rejects.toThrow("was not found");
    await expect(find("ses_1' OR '1'='1")).rejects.toThrow("was not found");
  });

  it("takes the session that was written to last, whatever its own row says", async () => {
    await withDatabase(database, "delete", (open) => {
      open.exec(SCHEMA);
      insertSession(open, sampleSession("ses_1111aaaa", project), START);
      insertSession(open, sampleSession("ses_2222bbbb", project), START + 1000);
      open.run("UPDATE message SET time_updated = ? WHERE session_id = 'ses_1111aaaa'", [
        START + 9_000_000,
      ]);
    });
    expect(await nameOf(find())).toBe(`${database}: ses_1111aaaa`);
  });

  it("sees what stands in the log alone, and leaves both files as they are", async () => {
    await writeDatabaseWithLog(database, [sampleSession("ses_1111aaaa", project)]);
    const before = contents();
    expect(Object.keys(before)).toEqual(["opencode.db", "opencode.db-wal"]);
    const session = await readTranscript(await find());
    expect(session).toMatchObject({ id: "ses_1111aaaa", toolCallCount: 3 });
    expect(contents()).toEqual(before);
  });

  it("reads a database that another program holds locked", async () => {
    await withDatabase(database, "delete", async (open) => {
      open.exec(SCHEMA);
      insertSession(open, sampleSession("ses_1111aaaa", project));
      open.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
      expect(await nameOf(find())).toBe(`${database}: ses_1111aaaa`);
      open.exec("ROLLBACK");
    });
  });

  it("follows a link to the database, whose log lies where that leads", async () => {
    const real = join(home, "elsewhere", "real.db");
    await writeDatabaseWithLog(real, [sampleSession("ses_1111aaaa", project)]);
    mkdirSync(dirname(database), { recursive: true });
    symlinkSync(real, database);
    expect(await readTranscript(await find())).toMatchObject({ id: "ses_1111aaaa" });
  });

  it("follows XDG_DATA_HOME, OPENCODE_DB and the databases of other builds", async () => {
    const moved = join(home, "data/opencode/opencode-dev.db");
    await writeDatabase(moved, [sampleSession("ses_1111aaaa", project)]);
    const XDG_DATA_HOME = join(home, "data");
    expect(await nameOf(find(undefined, { XDG_DATA_HOME }))).toBe(`${moved}: ses_1111aaaa`);
    const named = join(home, "data/opencode/own.sqlite");
    await writeDatabase(named, [sampleSession("ses_2222bbbb", project)]);
    const env = { XDG_DATA_HOME, OPENCODE_DB: "own.sqlite" };
    expect(await nameOf(find(undefined, env))).toBe(`${named}: ses_2222bbbb`);
    await expect(find(undefined, { XDG_DATA_HOME, OPENCODE_DB: ":memory:" })).rejects.toThrow(
      "no session of this project",
    );
  });

  it("is asked only when it was written after everything else", async () => {
    mkdirSync(dirname(database), { recursive: true });
    writeFileSync(database, "no database at all");
    utimesSync(database, new Date(START), new Date(START));
    const own = join(home, ".claude/projects", project.replace(/[^a-zA-Z0-9]/g, "-"));
    mkdirSync(own, { recursive: true });
    const file = join(own, "11111111-1111-4111-8111-111111111111.jsonl");
    writeFileSync(file, `${JSON.stringify({ type: "user", cwd: project })}\n`);
    expect(await nameOf(find())).toBe(file);
    // It may hold the newest now, and nobody can tell.
    utimesSync(database, new Date(), new Date(Date.now() + 60_000));
    await expect(find()).rejects.toMatchObject(EXPORT);
    expect(await nameOf(find("11111111-1111"))).toBe(file);
  });
});

describe("a database that can't be read", () => {
  it.each<[string, (path: string) => void | Promise<void>, RegExp]>([
    ["is no database", (path) => writeFileSync(path, "x".repeat(5000)), /not a database/],
    [
      "is damaged",
      async (path) => {
        const many = Array.from({ length: 50 }, (_, n) => sampleSession(`ses_${n}`, project));
        await writeDatabase(path, many);
        const bytes = readFileSync(path);
        bytes.fill(0x5a, 4096);
        writeFileSync(path, bytes);
      },
      /malformed/,
    ],
    [
      "is cut off",
      async (path) => {
        const many = Array.from({ length: 50 }, (_, n) => sampleSession(`ses_${n}`, project));
        await writeDatabase(path, many);
        truncateSync(path, 6000);
      },
      /malformed/,
    ],
    [
      "is somebody else's",
      (path) => withDatabase(path, "delete", (open) => open.exec("CREATE TABLE notes (text)")),
      /has no table project, session, message, part/,
    ],
    [
      "has views for tables",
      (path) =>
        withDatabase(path, "delete", (open) =>
          open.exec(
            "CREATE TABLE project (id, worktree); CREATE TABLE message (id, data); CREATE TABLE part (id, data); CREATE VIEW session AS SELECT 1 AS id",
          ),
        ),
      /has no table session/,
    ],
    [
      "has other columns",
      (path) =>
        withDatabase(path, "delete", (open) =>
          open.exec(SCHEMA.replace("directory text NOT NULL, ", "")),
        ),
      /no such column/,
    ],
    ["is a folder", (path) => void mkdirSync(path), /no session of this project was found/],
    [
      "is too large",
      async (path) => {
        await writeDatabase(path, [sampleSession("ses_1111aaaa", project)]);
        truncateSync(path, STORE_DATABASE_MAX_BYTES + 1);
      },
      /too large to be read: 2049 of 2048 MB/,
    ],
  ])("%s", async (what, make, why) => {
    mkdirSync(dirname(database), { recursive: true });
    await make(database);
    const finding = find();
    await expect(finding).rejects.toThrow(why);
    await expect(finding).rejects.toThrow(database.slice(0, -"/opencode.db".length));
    if (what !== "is a folder") {
      await expect(finding).rejects.toMatchObject(EXPORT);
      await expect(find("ses_1111aaaa")).rejects.toThrow(why);
    }
  });

  it("names an empty one among what was searched", async () => {
    mkdirSync(dirname(database), { recursive: true });
    writeFileSync(database, "");
    await expect(find()).rejects.toThrow(database);
    await withDatabase(database, "delete", (open) => open.exec("VACUUM"));
    await expect(find("ses_1111aaaa")).rejects.toThrow(database);
  });

  it("is in the middle of a write without a log", async () => {
    await writeDatabase(database, [sampleSession("ses_1111aaaa", project)]);
    writeFileSync(`${database}-journal`, "\xd9\xd5\x05\xf9 and so on");
    await expect(find()).rejects.toThrow(/opencode.db was being written to each time/);
    await expect(find()).rejects.toMatchObject(EXPORT);
  });

  it.skipIf(process.getuid?.() === 0)("is not ours to read", async () => {
    await writeDatabase(database, [sampleSession("ses_1111aaaa", project)]);
    chmodSync(database, 0);
    await expect(find()).rejects.toThrow(/opencode.db can't be read: EACCES/);
  });

  it("keeps its messages in a newer form", async () => {
    await withDatabase(database, "delete", (open) => {
      open.exec(SCHEMA);
      open.exec("CREATE TABLE session_message (id, session_id, type, seq, data)");
      const { info } = sampleSession("ses_1111aaaa", project);
      insertSession(open, { info, messages: [] });
      open.exec("INSERT INTO session_message VALUES ('m', 'ses_1111aaaa', 'user', 1, '{}')");
    });
    await expect(find().then((source) => readTranscript(source))).rejects.toMatchObject({
      ...EXPORT,
      message: expect.stringContaining("newer form"),
    });
  });

  it("lost the session after it was found", async () => {
    await writeDatabase(database, [sampleSession("ses_1111aaaa", project)]);
    const source = await find();
    await withDatabase(database, "delete", (open) => open.exec("DELETE FROM session"));
    await expect(readTranscript(source)).rejects.toThrow("has no session ses_1111aaaa any more");
  });

  it("has rows that are no JSON or too long: they are counted", async () => {
    await withDatabase(database, "delete", (open) => {
      open.exec(SCHEMA);
      insertSession(open, sampleSession("ses_1111aaaa", project));
      open.exec("UPDATE part SET data = '{oops' WHERE id LIKE '%_b0'");
      open.run("UPDATE part SET data = CAST(zeroblob(?) AS text) WHERE id LIKE '%_b3'", [
        TRANSCRIPT_LINE_MAX_BYTES + 1,
      ]);
    });
    const session = await readTranscript(await find());
    expect(session).toMatchObject({ toolCallCount: 2 });
    expect(session.notes).toEqual([
      "1 record is damaged and skipped",
      "1 record is too long and skipped",
    ]);
  });
});

describe("a message that is very long", () => {
  it("is read whole, in several lines", async () => {
    const { info, messages } = sampleSession("ses_1111aaaa", project);
    const [question, answer] = messages;
    const parts = Array.from({ length: 30 }, (_, n) => ({
      id: `prt_${String(n).padStart(3, "0")}`,
      type: "tool",
      tool: "bash",
      callID: `call_${n}`,
      state: { status: "completed", input: { command: `echo ${n}` }, output: "x".repeat(1e6) },
    }));
    await writeDatabase(database, [
      { info, messages: [question, { ...answer, parts }] as typeof messages },
    ]);
    expect(await readTranscript(await find())).toMatchObject({ toolCallCount: 30 });
  });
});

describe("a copy made while the agent writes", () => {
  it("is the database of one moment", async () => {
    // Moves an amount from row to row: the sum is the same in every transaction. The log is begun anew all the
    // time; what is large takes long to copy.
    const writer = `
      const { parentPort, workerData } = require("node:worker_threads");
      const { Database } = require("node-sqlite3-wasm");
      const database = new Database(workerData);
      database.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 12; PRAGMA cache_size = 10");
      database.exec("CREATE TABLE account (id integer PRIMARY KEY, amount integer, filler text)");
      database.exec("CREATE TABLE large (bytes blob)");
      for (let id = 0; id < 150; id += 1)
        database.run("INSERT INTO account VALUES (?, 100, ?)", [id, "x".repeat(1500)]);
      database.exec("INSERT INTO large VALUES (zeroblob(20000000))");
      for (let id = 150; id < 300; id += 1)
        database.run("INSERT INTO account VALUES (?, 100, ?)", [id, "x".repeat(1500)]);
      let n = 0;
      const burst = (left) => {
        if (left === 0) return;
        n += 1;
        database.exec("BEGIN");
        database.run("UPDATE account SET amount = amount - 1 WHERE id = ?", [(n * 7) % 150]);
        database.run("UPDATE account SET amount = amount + 1 WHERE id = ?", [150 + ((n * 13) % 150)]);
        database.exec("COMMIT");
        setImmediate(burst, left - 1);
      };
      parentPort.on("message", (message) => {
        if (message === "burst") return burst(60);
        database.close();
        parentPort.postMessage("closed");
        parentPort.close();
      });
      parentPort.postMessage("ready");`;
    const path = join(home, "busy.db");
    const worker = new Worker(writer, { eval: true, workerData: path });
    const told: unknown[] = [];
    const next = (word: string) =>
      new Promise<void>((done, failed) => {
        const look = () => told.includes(word) && done();
        worker.on("message", (message) => {
          told.push(message);
          look();
        });
        worker.on("error", failed);
        look();
      });
    await next("ready");
    const seen = new Set<string>();
    for (let n = 0; n < 5; n += 1) {
      worker.postMessage("burst");
      // On a busy machine a burst can outlast the tries of one call, which then says so.
      using copy = await vi.waitFor(
        () => openSqlite(path, { makeFolder: folders.make, hint: "" }),
        { timeout: 30_000 },
      );
      expect(copy?.all("PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
      expect(copy?.all("SELECT sum(amount) AS sum FROM account")).toEqual([{ sum: 30_000 }]);
      seen.add(JSON.stringify(copy?.all("SELECT amount FROM account")));
    }
    expect(seen.size).toBeGreaterThan(1);
    worker.postMessage("stop");
    await next("closed");
    await worker.terminate();
  });
});

describe("OpenCode's older store of files", () => {
  const storage = () => join(home, ".local/share/opencode/storage");

  it("gives the same session as the database", async () => {
    const sample = sampleSession("ses_1111aaaa", project);
    writeFiles(storage(), sample);
    const files = await readTranscript(await find());
    rmSync(storage(), { recursive: true });
    await writeDatabase(database, [sample]);
    const { turns, ...facts } = await readTranscript(await find());
    expect(files.turns).toEqual(turns);
    expect(files).toMatchObject({ id: facts.id, cwd: facts.cwd, toolCallCount: 3 });
  });

  it("finds the newest of this repository, no sub-agent, and one by its id", async () => {
    const put = (id: string, folder: string, minute: number, more = {}) => {
      const path = writeFiles(storage(), sampleSession(id, folder, more), `p${folder.length}`);
      const time = new Date(START + minute * 60_000);
      utimesSync(path, time, time);
      utimesSync(join(storage(), "message", id), time, time);
      return path;
    };
    const older = put("ses_1111aaaa", project, 1);
    const newer = put("ses_2222bbbb", project, 2);
    const child = put("ses_3333cccc", project, 3, { parentID: "ses_2222bbbb" });
    put("ses_4444dddd", `${project}-two`, 4);
    expect(await nameOf(find())).toBe(newer);
    expect(await nameOf(find("ses_1111aaaa"))).toBe(older);
    expect(await nameOf(find("ses_3333cccc"))).toBe(child);
    await expect(find("ses_4444dddd")).rejects.toThrow("was not found");
    // A message more in the older one.
    const time = new Date(START + 5 * 60_000);
    utimesSync(join(storage(), "message", "ses_1111aaaa"), time, time);
    expect(await nameOf(find())).toBe(older);
  });

  it("goes by the project's folder where the session doesn't name its own", async () => {
    const sample = sampleSession("ses_1111aaaa", project);
    const path = writeFiles(storage(), sample);
    writeFileSync(path, JSON.stringify({ id: "ses_1111aaaa", time: {} }));
    expect(await nameOf(find())).toBe(path);
  });

  it("counts damaged records, and reads through links", async () => {
    const path = writeFiles(storage(), sampleSession("ses_1111aaaa", project));
    const part = join(storage(), "part/msg_ses_1111aaaa_2/prt_ses_1111aaaa_b1.json");
    writeFileSync(part, '{"type":"tool","to');
    const linked = join(storage(), "part/msg_ses_1111aaaa_2/prt_ses_1111aaaa_b2.json");
    const target = join(home, "b2.json");
    writeFileSync(target, readFileSync(linked));
    rmSync(linked);
    symlinkSync(target, linked);
    symlinkSync("loop.json", join(dirname(path), "loop.json"));
    const session = await readTranscript(await find());
    expect(session).toMatchObject({ toolCallCount: 2 });
    expect(session.notes).toEqual(["1 record is damaged and skipped"]);
  });

  it("names a session file that is damaged", async () => {
    const path = writeFiles(storage(), sampleSession("ses_1111aaaa", project));
    writeFileSync(path, '{"id":');
    await expect(find("ses_1111aaaa")).rejects.toThrow(`${path} is damaged`);
  });

  it.skipIf(process.getuid?.() === 0)("names what it may not read", async () => {
    writeFiles(storage(), sampleSession("ses_1111aaaa", project));
    const source = await find();
    const part = join(storage(), "part/msg_ses_1111aaaa_2/prt_ses_1111aaaa_b1.json");
    chmodSync(part, 0);
    await expect(readTranscript(source)).rejects.toThrow(part);
  });
});

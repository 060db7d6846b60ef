import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readTranscript, type TranscriptSource } from "../../src/transcript/read-transcript.ts";
import type { Turn } from "../../src/transcript/session.ts";
import { findStoredSession } from "../../src/transcript/session-stores.ts";
import { FIXTURES, readFixture } from "./fixtures.ts";
import { makeFolders } from "./temporary-folder.ts";

const [ONE, TWO, THREE] = ["a", "b", "c"].map((digit) => digit.repeat(32)) as [
  string,
  string,
  string,
];
let home: string;
let project: string;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "openhands-")));
  project = join(home, "work", "parcels");
  mkdirSync(project, { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function find(
  sessionId?: string,
  { env = {}, repositories = [] }: { env?: NodeJS.ProcessEnv; repositories?: string[] } = {},
): Promise<TranscriptSource> {
  const select = sessionId === undefined ? ({ latest: true } as const) : { sessionId };
  const makeFolder = makeFolders().make;
  const place = { projectRoots: [project], home, env, makeFolder, repositories };
  return findStoredSession({ ...place, select });
}

async function nameOf(finding: Promise<TranscriptSource>): Promise<string> {
  const source = await finding;
  return source.kind === "file" ? source.path : source.name;
}

function put(path: string, value: unknown): string {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(value));
  return file;
}

const eventsOf = (fixture: string) =>
  JSON.parse(readFileSync(`${FIXTURES}openhands/${fixture}`, "utf8")) as Record<string, unknown>[];

function atMinute(folder: string, minute: number): string {
  const time = new Date(Date.UTC(2026, 2, 2, 10, minute));
  utimesSync(join(folder, "events"), time, time);
  return folder;
}

/** A call without a folder of its own has the session's. */
function inFolder(turns: readonly Turn[], cwd: string): Turn[] {
  return turns.map((turn) => ({
    ...turn,
    toolCalls: turn.toolCalls.map((call) => ({ ...call, cwd })),
  }));
}

/** A conversation of version 1, as its command line keeps it. */
function conversation(id: string, working_dir: string, minute = 0, base = ".openhands"): string {
  const folder = `${base}/conversations/${id}`;
  put(`${folder}/base_state.json`, {
    id,
    workspace: { kind: "LocalWorkspace", working_dir },
    agent: { llm: { model: "model-nine" } },
  });
  for (const [n, event] of eventsOf("events-v1.json").entries()) {
    const number = String(n).padStart(5, "0");
    put(`${folder}/events/event-${number}-0000000${n % 10}-1111.json`, event);
  }
  return atMinute(join(home, folder), minute);
}

/** A session of version 0, as its server keeps it. */
function session(id: string, metadata: object | null, minute = 0, below = "sessions"): string {
  const folder = `.openhands/${below}/${id}`;
  if (metadata !== null) put(`${folder}/metadata.json`, metadata);
  for (const [n, event] of eventsOf("events.json").entries())
    put(`${folder}/events/${n}.json`, event);
  put(`${folder}/events/notes.txt`, "no event");
  return atMinute(join(home, folder), minute);
}

describe("OpenHands' conversations (version 1)", () => {
  it("gives the session that a list of its events gives, with folder, model and id", async () => {
    conversation(ONE, project);
    const listed = await readFixture("openhands/events-v1.json");
    const stored = await readTranscript(await find());
    expect(stored.turns).toEqual(inFolder(listed.turns, project));
    expect(stored).toMatchObject({ id: ONE, cwd: project, model: "model-nine", notes: [] });
  });

  it("finds the newest of this repository, and one by its id with or without hyphens", async () => {
    const older = conversation(ONE, project, 1);
    const newer = conversation(TWO, join(project, "packages/one"), 2);
    conversation(THREE, `${project}-two`, 3);
    expect(await nameOf(find())).toBe(newer);
    expect(await nameOf(find(ONE))).toBe(older);
    expect(await nameOf(find("aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa"))).toBe(older);
    await expect(find(THREE)).rejects.toThrow("was not found");
  });

  it("puts ten thousand events in order", async () => {
    const folder = conversation(ONE, project);
    const say = (n: number) => ({
      kind: "MessageEvent",
      source: "agent",
      llm_message: { content: [{ type: "text", text: `word ${n}` }] },
    });
    for (const n of [99_999, 100_000, 100_001])
      writeFileSync(join(folder, `events/event-${n}-00000000.json`), JSON.stringify(say(n)));
    const { turns } = await readTranscript(await find());
    expect(turns.slice(-3).map(({ text }) => text)).toEqual([
      "word 99999",
      "word 100000",
      "word 100001",
    ]);
  });

  it("follows OPENHANDS_PERSISTENCE_DIR and OPENHANDS_CONVERSATIONS_DIR", async () => {
    const moved = conversation(ONE, project, 1, "elsewhere");
    const OPENHANDS_PERSISTENCE_DIR = join(home, "elsewhere");
    expect(await nameOf(find(undefined, { env: { OPENHANDS_PERSISTENCE_DIR } }))).toBe(moved);
    const OPENHANDS_CONVERSATIONS_DIR = join(home, "elsewhere/conversations");
    expect(await nameOf(find(undefined, { env: { OPENHANDS_CONVERSATIONS_DIR } }))).toBe(moved);
  });

  it("counts an event that is being written, and names a conversation without any", async () => {
    const folder = conversation(ONE, project);
    writeFileSync(join(folder, "events/event-00018-00000008-1111.json"), '{"kind":"Act');
    const { notes } = await readTranscript(await find());
    expect(notes).toEqual(["1 record is damaged and skipped"]);
    rmSync(join(folder, "events"), { recursive: true });
    mkdirSync(join(folder, "events"));
    await expect(find().then((source) => readTranscript(source))).rejects.toThrow(
      `${folder} holds no events`,
    );
  });

  it.skipIf(process.getuid?.() === 0)("names what it may not read", async () => {
    const folder = conversation(ONE, project);
    chmodSync(join(folder, "base_state.json"), 0);
    await expect(find()).rejects.toThrow(/base_state.json can't be read: EACCES/);
  });
});

describe("OpenHands' sessions (version 0)", () => {
  it("gives the session that a list of its events gives", async () => {
    session(ONE, { selected_repository: "acme/parcels", selected_branch: "main" });
    const listed = await readFixture("openhands/events.json");
    const stored = await readTranscript(await find(undefined, { repositories: ["acme/parcels"] }));
    expect(stored.turns).toEqual(listed.turns);
    expect(stored).toMatchObject({ id: ONE, branch: "main", model: listed.model });
  });

  it("goes by the repository that was selected", async () => {
    const own = session(ONE, { selected_repository: "Acme/Parcels" }, 1);
    session(TWO, { selected_repository: "acme/letters" }, 2, "users/one/conversations");
    const repositories = ["acme/parcels"];
    expect(await nameOf(find(undefined, { repositories }))).toBe(own);
    await expect(find(TWO, { repositories })).rejects.toThrow("was not found");
    // Nobody knows what this repository is called.
    expect(await nameOf(find(ONE))).toBe(own);
  });

  it("goes by the folder of the first command where none was selected", async () => {
    const folder = session(ONE, { title: "x" });
    const ran = {
      id: 90,
      source: "agent",
      observation: "run",
      content: "",
      extras: { metadata: { exit_code: 0, working_dir: project } },
    };
    writeFileSync(join(folder, "events/1.json"), JSON.stringify(ran));
    expect(await nameOf(find())).toBe(folder);
  });

  it("finds one that names nothing by its id only, and says so", async () => {
    const folder = session(ONE, null);
    await expect(find()).rejects.toMatchObject({
      code: "input",
      message: expect.stringContaining(join(home, ".openhands/sessions")),
      hint: expect.stringContaining("--session <id>"),
    });
    expect(await nameOf(find(ONE))).toBe(folder);
  });
});

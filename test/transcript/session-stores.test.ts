import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findStoredSession } from "../../src/transcript/session-stores.ts";

const ID = (n: number) => `${String(n).repeat(8)}-1111-4111-8111-111111111111`;
let home: string;
let project: string;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "stores-")));
  project = join(home, "work", "my.app");
  mkdirSync(project, { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const bucket = (path: string) => path.replace(/[^a-zA-Z0-9]/g, "-");

/** Puts a session file into a store; a later minute is a newer file. */
function store(path: string, cwd: string, minute = 0): string {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `{"type":"summary"}\n${JSON.stringify({ type: "user", cwd })}\n`);
  const time = new Date(Date.UTC(2026, 2, 2, 10, minute));
  utimesSync(file, time, time);
  return file;
}

type Select = { sessionId: string } | { latest: true };
async function find(select: Select, env: NodeJS.ProcessEnv = {}, roots = [project]) {
  const source = await findStoredSession({ projectRoots: roots, home, env, select });
  return source.kind === "file" ? source.path : null;
}

describe("findStoredSession", () => {
  it("finds the newest of both stores", async () => {
    store(`.qwen/projects/${bucket(project)}/chats/${ID(1)}.jsonl`, project, 1);
    const newest = store(`.claude/projects/${bucket(project)}/${ID(2)}.jsonl`, project, 2);
    expect(await find({ latest: true })).toBe(newest);
  });

  it("finds a session by its id, also an archived one", async () => {
    const file = store(`.qwen/projects/${bucket(project)}/chats/archive/${ID(3)}.jsonl`, project);
    store(`.qwen/projects/${bucket(project)}/chats/${ID(4)}.jsonl`, project, 5);
    expect(await find({ sessionId: ID(3) })).toBe(file);
  });

  it("asks the records, since two folders may share a bucket", async () => {
    const twin = join(home, "work", "my-app");
    store(`.qwen/projects/${bucket(project)}/chats/${ID(1)}.jsonl`, twin, 9);
    const own = store(`.qwen/projects/${bucket(project)}/chats/${ID(2)}.jsonl`, project, 1);
    expect(await find({ latest: true })).toBe(own);
    await expect(find({ sessionId: ID(1) })).rejects.toThrow(/was not found/);
  });

  it("finds a session that was started below the root, and through a link to it", async () => {
    const below = join(project, "packages");
    const file = store(`.qwen/projects/${bucket(below)}/chats/${ID(1)}.jsonl`, below);
    expect(await find({ latest: true })).toBe(file);
    symlinkSync(project, join(home, "link"));
    expect(await find({ latest: true }, {}, [join(home, "link")])).toBe(file);
  });

  it("leaves out sidecars and sub-agents", async () => {
    const folder = `.qwen/projects/${bucket(project)}/chats`;
    store(`${folder}/${ID(1)}.ledger.jsonl`, project);
    store(`${folder}/${ID(1)}.runtime.json`, project);
    store(`.claude/projects/${bucket(project)}/agent-1234.jsonl`, project);
    await expect(find({ latest: true })).rejects.toThrow(/no session of this project was found/);
  });

  it("follows QWEN_HOME, QWEN_RUNTIME_DIR, the setting, and CLAUDE_CONFIG_DIR", async () => {
    const path = (base: string) => `${base}/projects/${bucket(project)}/chats/${ID(1)}.jsonl`;
    const inHome = store(path("q"), project, 1);
    expect(await find({ latest: true }, { QWEN_HOME: join(home, "q") })).toBe(inHome);
    const inRuntime = store(path("r"), project, 2);
    expect(
      await find(
        { latest: true },
        { QWEN_HOME: join(home, "q"), QWEN_RUNTIME_DIR: join(home, "r") },
      ),
    ).toBe(inRuntime);
    const inSetting = store(path("s"), project, 3);
    writeFileSync(join(home, "q/settings.json"), '{ // here\n "runtimeOutputDir": "~/s" }');
    expect(await find({ latest: true }, { QWEN_HOME: join(home, "q") })).toBe(inSetting);
    const inClaude = store(`c/projects/${bucket(project)}/${ID(2)}.jsonl`, project, 4);
    expect(await find({ latest: true }, { CLAUDE_CONFIG_DIR: join(home, "c") })).toBe(inClaude);
  });

  it("names the folders that it searched", async () => {
    const finding = find({ sessionId: "../../etc/passwd" });
    await expect(finding).rejects.toMatchObject({ code: "input" });
    await expect(finding).rejects.toThrow(
      `searched: ${join(home, ".qwen/projects")}, ${join(home, ".claude/projects")}`,
    );
  });
});

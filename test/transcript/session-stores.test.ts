import { createHash } from "node:crypto";
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

/** Puts any file into a store, with this record as its first line. */
function put(path: string, head: object, minute = 0): string {
  const file = store(path, "", minute);
  writeFileSync(file, `${JSON.stringify(head)}\n`);
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
  it("finds Aider's history, which lies in the project, when it is the newest", async () => {
    const history = join(project, ".aider.chat.history.md");
    writeFileSync(history, "\n# aider chat started at 2026-03-02 10:05:00\n\n#### sort them\n");
    const time = new Date(Date.UTC(2026, 2, 2, 10, 5));
    utimesSync(history, time, time);
    store(`.claude/projects/${bucket(project)}/${ID(2)}.jsonl`, project, 4);
    expect(await find({ latest: true })).toBe(history);
    const newer = store(`.claude/projects/${bucket(project)}/${ID(3)}.jsonl`, project, 6);
    expect(await find({ latest: true })).toBe(newer);
    expect(await find({ sessionId: ID(2) })).toContain(ID(2));
  });

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

  describe("knows where each agent keeps its sessions", () => {
    const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
    const codexMeta = (cwd: string, more = {}) => ({
      type: "session_meta",
      payload: { id: ID(5), cwd, base_instructions: { text: "x".repeat(50_000) }, ...more },
    });

    it.each([
      [
        "Codex CLI",
        `.codex/sessions/2026/03/02/rollout-2026-03-02T10-00-00-${ID(5)}.jsonl`,
        codexMeta,
      ],
      ["Codex CLI's archive", `.codex/archived_sessions/rollout-x-${ID(5)}.jsonl`, codexMeta],
      [
        "Gemini CLI",
        ".gemini/tmp/my-app/chats/session-2026-03-02T10-00-55555555.jsonl",
        (cwd: string) => ({ sessionId: ID(5), projectHash: sha256(cwd), kind: "main" }),
      ],
      [
        "GitHub Copilot CLI",
        `.copilot/session-state/${ID(5)}/events.jsonl`,
        (cwd: string) => ({ type: "session.start", data: { context: { cwd } } }),
      ],
      [
        "GitHub Copilot CLI of old",
        `.copilot/session-state/${ID(5)}.jsonl`,
        (cwd: string) => ({ type: "session.start", data: { context: { cwd } } }),
      ],
      [
        "pi",
        `.pi/agent/sessions/--work-my-app--/2026-03-02T10-00-00-000Z_${ID(5)}.jsonl`,
        (cwd: string) => ({ type: "session", id: ID(5), cwd }),
      ],
      [
        "OpenClaw",
        `.openclaw/agents/main/sessions/${ID(5)}.jsonl`,
        (cwd: string) => ({ type: "session", id: ID(5), cwd }),
      ],
    ])("%s: the newest of this project, by id and by the id's beginning", async (_, path, head) => {
      const file = put(path, head(project), 1);
      const other = path.replaceAll("5", "6");
      put(other, head(join(home, "work", "other")), 9);
      expect(await find({ latest: true })).toBe(file);
      expect(await find({ sessionId: ID(5) })).toBe(file);
      expect(await find({ sessionId: ID(5).slice(0, 13) })).toBe(file);
      await expect(find({ sessionId: ID(7) })).rejects.toThrow(/was not found/);
    });

    it("takes the newest of all agents", async () => {
      store(`.qwen/projects/${bucket(project)}/chats/${ID(1)}.jsonl`, project, 1);
      const newest = put(
        `.codex/sessions/2026/03/02/rollout-x-${ID(5)}.jsonl`,
        codexMeta(project),
        2,
      );
      expect(await find({ latest: true })).toBe(newest);
    });

    it("finds a Codex sub-agent by its id only", async () => {
      const meta = codexMeta(project, { source: { subagent: "review" } });
      const file = put(`.codex/sessions/2026/03/02/rollout-x-${ID(5)}.jsonl`, meta);
      await expect(find({ latest: true })).rejects.toThrow(/no session of this project/);
      expect(await find({ sessionId: ID(5) })).toBe(file);
    });

    it("reads a Gemini document up to its messages, which may name anything", async () => {
      const path = ".gemini/tmp/my-app/chats/session-2026-03-02T10-00-55555555.json";
      const words = `"projectHash": "${sha256(project)}"`;
      const chat = { sessionId: ID(5), projectHash: sha256("/elsewhere"), messages: [words] };
      const file = put(path, chat);
      writeFileSync(file, JSON.stringify(chat, null, 2));
      await expect(find({ latest: true })).rejects.toThrow(/no session of this project/);
      const own = { ...chat, projectHash: sha256(project) };
      writeFileSync(file, JSON.stringify(own, null, 2));
      expect(await find({ latest: true })).toBe(file);
      // Another session may begin with the same eight characters as the file's name.
      await expect(find({ sessionId: `${ID(5).slice(0, 8)}-2222` })).rejects.toThrow(/not found/);
    });

    it("follows the variables that move a store", async () => {
      const moved = put(
        "moved/sessions/2026/03/02/rollout-x-" + ID(5) + ".jsonl",
        codexMeta(project),
      );
      expect(await find({ latest: true }, { CODEX_HOME: join(home, "moved") })).toBe(moved);
      const head = { type: "session.start", data: { context: { cwd: project } } };
      const events = put(`cop/session-state/${ID(5)}/events.jsonl`, head);
      expect(await find({ latest: true }, { COPILOT_HOME: join(home, "cop") })).toBe(events);
    });

    it("says what to do about OpenCode, whose sessions lie in a database", async () => {
      mkdirSync(join(home, ".local/share/opencode"), { recursive: true });
      const finding = find({ latest: true });
      await expect(finding).rejects.toMatchObject({
        hint: expect.stringContaining("opencode export"),
      });
    });
  });

  it("names the folders that it searched", async () => {
    const finding = find({ sessionId: "../../etc/passwd" });
    await expect(finding).rejects.toMatchObject({ code: "input" });
    await expect(finding).rejects.toThrow(
      `searched: ${join(home, ".qwen/projects")}, ${join(home, ".claude/projects")}`,
    );
  });
});

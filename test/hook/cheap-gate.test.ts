import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openRepository, resolveBase } from "../../src/git/repository.ts";
import { openWorkspace } from "../../src/git/workspace.ts";
import { isNoUserSession, isOwnWorkspace, isSwitchedOff } from "../../src/hook/cheap-gate.ts";
import { findRepository } from "../../src/hook/find-repository.ts";
import { temporaryRepository } from "../support/temp-repository.ts";
import { temporaryQueue } from "./temporary-queue.ts";

describe("isNoUserSession", () => {
  const payload = {
    event: "Stop",
    sessionId: "s-1",
    transcriptPath: "/a/s-1.jsonl",
    cwd: "/home/robin/project",
    isSubagent: false,
  };

  test("a session of the user's is one", () => {
    expect(isNoUserSession(payload, {})).toBe(false);
    expect(isNoUserSession(payload, { SKILLPR_WORKER: "off" })).toBe(false);
  });

  test("a sub-agent, whatever runs below a worker, and a workspace by its path are none", () => {
    expect(isNoUserSession({ ...payload, isSubagent: true }, {})).toBe(true);
    expect(isNoUserSession(payload, { SKILLPR_WORKER: "running" })).toBe(true);
    const cwd = "/tmp/skillpr-1000/123-456-0123456789ab/skillpr";
    expect(isNoUserSession({ ...payload, cwd }, {})).toBe(true);
  });
});

describe("isOwnWorkspace", () => {
  test("knows a workspace of skillpr's by its lock, and no other work tree", async () => {
    await using home = await temporaryRepository({ files: { "README.md": "text\n" } });
    const repository = await openRepository(home.dir);
    const base = await resolveBase(repository);
    const options = { base, skillsRoot: ".qwen/skills", overlays: [], tempRoot: home.tempRoot };
    const linked = join(home.home, "linked");
    await home.git("worktree", "add", "--quiet", "--detach", linked);
    await home.git("worktree", "lock", "--reason", "on a stick", linked);
    await using workspace = await openWorkspace(repository, options);
    expect(isOwnWorkspace(findRepository(workspace.skillsDir)!)).toBe(true);
    expect(isOwnWorkspace(findRepository(linked)!)).toBe(false);
    expect(isOwnWorkspace(findRepository(home.dir)!)).toBe(false);
  });
});

describe("isSwitchedOff", () => {
  const off = '{\n  // not in this project\n  "memory": { "enableAutoSkill": false, },\n}\n';

  function settings(folder: string, text: string): void {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "settings.json"), text);
  }

  test.each(["project/.qwen", "user"])("by the settings in %s", (folder) => {
    using queue = temporaryQueue();
    const env = { QWEN_HOME: join(queue.home, "user"), XDG_CONFIG_HOME: queue.home };
    const root = join(queue.home, "project");
    expect(isSwitchedOff(root, env)).toBe(false);
    settings(join(queue.home, folder), off);
    expect(isSwitchedOff(root, env)).toBe(true);
  });

  test("not where the user has a config of skillpr's, which may say otherwise", () => {
    using queue = temporaryQueue();
    const env = { QWEN_HOME: join(queue.home, "user"), XDG_CONFIG_HOME: queue.home };
    settings(env.QWEN_HOME, off);
    expect(isSwitchedOff(null, env)).toBe(true);
    mkdirSync(join(queue.home, "skillpr"));
    writeFileSync(join(queue.home, "skillpr/config.yml"), "");
    expect(isSwitchedOff(null, env)).toBe(false);
  });

  test.each([
    "",
    "{",
    "[]",
    "null",
    '{"memory":false}',
    '{"memory":{"enableAutoSkill":"false"}}',
    '{"memory":{"enableAutoSkill":true}}',
    '{"enableAutoSkill":false}',
  ])("not by %j", (text) => {
    using queue = temporaryQueue();
    settings(queue.home, text);
    expect(isSwitchedOff(null, { QWEN_HOME: queue.home, XDG_CONFIG_HOME: queue.home })).toBe(false);
  });
});

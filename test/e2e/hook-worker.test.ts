/** What the hook starts, with which arguments and in which environment: seen by a cli.js that notes it. */
import { once } from "node:events";
import { copyFileSync, existsSync, mkdirSync, readFileSync, watch, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { WORKER_HEAP_MAX_MB } from "../../src/core/limits.ts";
import { CLI } from "../support/built-cli.ts";
import {
  endedSession,
  expectSilentChild,
  type HookMessage,
  jobsIn,
  spawnHook,
} from "../support/hook-run.ts";
import { type TemporaryRepository, temporaryRepository } from "../support/temp-repository.ts";

const files = { "README.md": "text\n" };

interface Started {
  readonly args: readonly string[];
  readonly flags: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Leader of a session of its own, with nothing of the agent's open. */
  readonly isDetached: boolean;
}

/** An installation whose `work` writes down how it was started. */
function install(repository: TemporaryRepository) {
  const folder = join(repository.home, "installed skillpr");
  mkdirSync(folder);
  for (const name of ["hook.js", "package.json"])
    copyFileSync(join(dirname(CLI), name), join(folder, name));
  copyFileSync(CLI, join(folder, "door.js"));
  const note = join(repository.home, "note.json");
  const cli = join(folder, "cli.js");
  writeFileSync(
    cli,
    `if (process.argv[2] !== "work") require("./door.js");
else {
  const { readFileSync, readlinkSync, renameSync, writeFileSync } = require("node:fs");
  const note = ${JSON.stringify(note)};
  const stat = process.platform === "linux" ? readFileSync("/proc/self/stat", "utf8").split(" ") : [];
  writeFileSync(note + ".tmp", JSON.stringify({
    args: process.argv.slice(2), flags: process.execArgv, cwd: process.cwd(), env: process.env,
    isDetached: process.platform !== "linux" || (stat[5] === String(process.pid)
      && [0, 1, 2].every((n) => readlinkSync("/proc/self/fd/" + n) === "/dev/null")),
  }));
  renameSync(note + ".tmp", note);
}
`,
  );
  return { cli, note };
}

async function runHook(
  repository: TemporaryRepository,
  cli: string,
  message: HookMessage,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const child = spawnHook(repository, [cli], { SKILLPR_WORKER: undefined, ...env });
  child.stdin?.end(JSON.stringify(message));
  expect(await once(child, "close")).toEqual([0, null]);
}

async function noteOf(note: string): Promise<Started> {
  const watcher = watch(dirname(note));
  try {
    while (!existsSync(note)) await once(watcher, "change");
    return JSON.parse(readFileSync(note, "utf8"));
  } finally {
    watcher.close();
  }
}

describe("the worker that a hook starts", () => {
  test("has its own session, bounded memory, and the main work tree as its repository", async () => {
    await using repository = await temporaryRepository({ files });
    const { cli, note } = install(repository);
    const cwd = join(repository.home, "linked");
    await repository.git("worktree", "add", "--quiet", "--detach", cwd);
    await runHook(repository, cli, { ...endedSession(repository, "s-1"), cwd }, {});
    expect(await noteOf(note)).toMatchObject({
      args: ["work", "--repo", repository.dir],
      flags: [`--max-old-space-size=${WORKER_HEAP_MAX_MB}`],
      cwd: join(repository.dir, ".git"),
      isDetached: true,
    });
  });

  test("gets nothing that a repository's .env could have put into the agent's environment", async () => {
    await using repository = await temporaryRepository({ files });
    const { cli, note } = install(repository);
    const inside = join(repository.dir, "node_modules/.bin");
    mkdirSync(inside, { recursive: true });
    await runHook(repository, cli, endedSession(repository, "s-1"), {
      GIT_DIR: "/elsewhere/.git",
      GIT_SSH_COMMAND: "/elsewhere/ssh",
      NODE_OPTIONS: "--no-warnings",
      LD_LIBRARY_PATH: "/elsewhere",
      HTTPS_PROXY: "http://127.0.0.1:9",
      XDG_CONFIG_HOME: join(repository.dir, ".config"),
      QWEN_HOME: inside,
      TMPDIR: repository.tempRoot,
      PATH: `${inside}:${process.env["PATH"]}`,
      OPENAI_MODEL: "some-model",
      LC_TIME: "C",
      UNKNOWN: "1",
    });
    const { env } = await noteOf(note);
    const kept = ["HOME", "LC_TIME", "OPENAI_MODEL", "PATH", "SKILLPR_WORKER", "TMPDIR"];
    // macOS adds one of its own to every process.
    expect(
      Object.keys(env)
        .filter((name) => !name.startsWith("__CF"))
        .sort(),
    ).toEqual(kept);
    expect(env).toMatchObject({ HOME: repository.home, SKILLPR_WORKER: "running" });
    expect(env["PATH"]?.split(":")).not.toContain(inside);
  });

  test("is started at a session's start when jobs wait, and never with SKILLPR_WORKER=off", async () => {
    await using repository = await temporaryRepository({ files });
    const { cli, note } = install(repository);
    const session = endedSession(repository, "s-1");
    const start = { ...session, hook_event_name: "SessionStart" };
    await runHook(repository, cli, start, {}); // nothing waits: no worker
    await runHook(repository, cli, session, { SKILLPR_WORKER: "off" });
    expect(jobsIn(join(repository.dir, ".git"))).toHaveLength(1);
    await runHook(repository, cli, start, { LC_TIME: "the-third" });
    // The first worker that was started is the only one.
    expect((await noteOf(note)).env["LC_TIME"]).toBe("the-third");
  });

  test("captures nothing itself, nor does what it starts", async () => {
    await using repository = await temporaryRepository({ files });
    const env = { SKILLPR_WORKER: "running" };
    await runHook(repository, CLI, endedSession(repository, "s-1"), env);
    expect(jobsIn(join(repository.dir, ".git"))).toEqual([]);
  });

  test("that can't be started is logged, and the session is captured", async () => {
    await using repository = await temporaryRepository({ files });
    const program = `
      Object.defineProperty(process, "execPath", { value: "/not/there/node" });
      process.argv[1] = ${JSON.stringify(CLI)};
      process.argv[2] = "hook";
      require(${JSON.stringify(CLI)});`;
    const script = join(repository.home, "odd-node.cjs");
    writeFileSync(script, program);
    const child = spawnHook(repository, [script], { SKILLPR_WORKER: undefined });
    await expectSilentChild(child, endedSession(repository, "s-1"));
    expect(jobsIn(join(repository.dir, ".git"))).toHaveLength(1);
    const log = readFileSync(join(repository.dir, ".git/skillpr/queue/log.jsonl"), "utf8");
    expect(JSON.parse(log).message).toMatch(/^spawn \/not\/there\/node .*ENOENT$/);
  });
});

/** The hook as agents call it: whatever they send, it is silent, exits with 0, and loses nothing. */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { CLI, runCli } from "../support/built-cli.ts";
import {
  endedSession,
  expectSilent,
  foldersIn,
  jobsIn,
  logOf,
  runHook,
  spawnHook,
} from "../support/hook-run.ts";
import { mountTmpfs } from "../support/mount-tmpfs.ts";
import { type TemporaryRepository, temporaryRepository } from "../support/temp-repository.ts";

const files = { "README.md": "text\n", "src/deep/file.txt": "text\n" };
const gitDir = (repository: TemporaryRepository) => join(repository.dir, ".git");

describe("the door", () => {
  test("loads one file of built-in modules for the hook", () => {
    const required = (file: string) =>
      [
        ...new Set(
          [...readFileSync(join(dirname(CLI), file), "utf8").matchAll(/require\("([^"]+)"\)/g)].map(
            (match) => match[1],
          ),
        ),
      ].sort();
    expect(required("cli.js")).toEqual(["node:fs", "node:path"]);
    expect(required("hook.js")).toEqual(["node:fs", "node:path"]);
  });

  test("keeps the byte code of the hook, and makes what V8 doesn't take anew", async () => {
    await using repository = await temporaryRepository({ files });
    const installed = join(repository.home, "installed");
    mkdirSync(installed);
    for (const name of ["cli.js", "hook.js", "package.json"])
      copyFileSync(join(dirname(CLI), name), join(installed, name));
    const run = async (id: string) => {
      const child = spawnHook(repository, [join(installed, "cli.js")]);
      child.stdin?.end(JSON.stringify(endedSession(repository, id)));
      expect(await once(child, "close")).toEqual([0, null]);
      const [kept, ...more] = readdirSync(installed).filter((name) => /cache|tmp/.test(name));
      expect(more).toEqual([]);
      return join(installed, kept!);
    };
    const kept = await run("s-1");
    const { size } = statSync(kept);
    expect(size).toBeGreaterThan(10_000);
    for (const [index, damaged] of ["", "no byte code", "\0".repeat(size)].entries()) {
      writeFileSync(kept, damaged);
      expect(await run(`damaged-${index}`)).toBe(kept);
      expect(statSync(kept).size).toBeGreaterThan(10_000);
    }
    const before = statSync(kept).mtimeMs;
    expect(await run("s-2")).toBe(kept);
    expect(statSync(kept).mtimeMs).toBe(before);
    expect(jobsIn(gitDir(repository))).toHaveLength(5);
  });

  test("--help goes through the command line", async () => {
    await using repository = await temporaryRepository({ files });
    const help = await runCli(repository, ["hook", "--help"]);
    expect(help.code).toBe(0);
    expect(help.stdout).toContain("--repo <dir>");
  });

  test("a wrong call captures all the same; what isn't known is in the log", async () => {
    await using repository = await temporaryRepository({ files });
    const flags = ["--bogus", "--json", "word", "--repo"];
    await expectSilent(repository, endedSession(repository, "s-1"), { flags });
    expect(jobsIn(gitDir(repository))).toMatchObject([{ sessionId: "s-1" }]);
    expect(logOf(repository).map(({ message }) => message)).toEqual([
      "skillpr hook has no --bogus",
      "skillpr hook has no word",
      "skillpr hook has no --repo",
    ]);
  });

  test("--repo names the repository instead of the session's folder", async () => {
    await using repository = await temporaryRepository({ files });
    await using other = await temporaryRepository({ files });
    const session = endedSession(repository, "s-1");
    await expectSilent(repository, session, { flags: ["--repo", other.dir] });
    expect(jobsIn(gitDir(repository))).toEqual([]);
    expect(jobsIn(gitDir(other))).toMatchObject([{ sessionId: "s-1", cwd: repository.dir }]);
  });

  test("works through a link, as npm installs it", async () => {
    await using repository = await temporaryRepository({ files });
    const link = join(repository.home, "skillpr");
    symlinkSync(CLI, link);
    const child = spawnHook(repository, [link]);
    child.stdin?.end(JSON.stringify(endedSession(repository, "s-1")));
    expect(await once(child, "close")).toEqual([0, null]);
    expect(jobsIn(gitDir(repository))).toHaveLength(1);
  });
});

describe("a session", () => {
  test("is captured, and the checkout is as it was", async () => {
    await using repository = await temporaryRepository({ files });
    const before = await repository.snapshot();
    await expectSilent(repository, endedSession(repository, "s-1", "one\ntwo\n"));
    expect(jobsIn(gitDir(repository))).toMatchObject([
      { sessionId: "s-1", agent: "qwen-code", event: "SessionEnd", transcript: "one\ntwo\n" },
    ]);
    expect(await repository.snapshot()).toEqual(before);
    expect(await repository.git("status", "--porcelain")).toBe("");
    expect(logOf(repository)).toEqual([]);
  });

  test("that pauses waits; when it ends it is due", async () => {
    await using repository = await temporaryRepository({ files });
    const session = endedSession(repository, "s-1");
    await expectSilent(repository, { ...session, hook_event_name: "Stop" });
    const [paused] = jobsIn(gitDir(repository));
    expect(Date.parse(paused!.due)).toBeGreaterThan(Date.now());
    await expectSilent(repository, session);
    const [ended] = jobsIn(gitDir(repository));
    expect(Date.parse(ended!.due)).toBeLessThanOrEqual(Date.now());
    expect(ended?.copy).toBe(paused?.copy);
  });

  test("that grew replaces its job", async () => {
    await using repository = await temporaryRepository({ files });
    const session = endedSession(repository, "s-1", "one\n");
    await expectSilent(repository, session);
    appendFileSync(session.transcript_path!, "two\n");
    await expectSilent(repository, session);
    expect(jobsIn(gitDir(repository))).toMatchObject([{ transcript: "one\ntwo\n" }]);
  });

  test("survives its transcript", async () => {
    await using repository = await temporaryRepository({ files });
    const session = endedSession(repository, "s-1", "one\n");
    await expectSilent(repository, session);
    rmSync(session.transcript_path!);
    await expectSilent(repository, session);
    expect(jobsIn(gitDir(repository))).toMatchObject([{ transcript: "one\n" }]);
    expect(logOf(repository)).toMatchObject([
      { event: "SessionEnd", message: expect.stringContaining("doesn't exist") },
    ]);
  });

  test.each([
    [{ hook_event_name: "SubagentStop", agent_id: "a-1" }],
    [{ hook_event_name: "Stop", agent_id: "a-1", agent_type: "managed-skill-extractor" }],
    [{ hook_event_name: "PreToolUse" }],
    [{ hook_event_name: "SessionDelete" }],
    [{ hook_event_name: "constructor" }],
  ])("is not captured by %j", async (fields) => {
    await using repository = await temporaryRepository({ files });
    await expectSilent(repository, { ...endedSession(repository, "s-1"), ...fields });
    expect(existsSync(join(gitDir(repository), "skillpr"))).toBe(false);
  });

  test("is not captured where Qwen Code's settings switch reviews off", async () => {
    await using repository = await temporaryRepository({ files });
    repository.write(".qwen/settings.json", '{"memory":{"enableAutoSkill":false}}');
    const session = { ...endedSession(repository, "s-1"), cwd: join(repository.dir, "src/deep") };
    await expectSilent(repository, session);
    expect(existsSync(join(gitDir(repository), "skillpr"))).toBe(false);
    mkdirSync(join(repository.home, ".config/skillpr"), { recursive: true });
    writeFileSync(join(repository.home, ".config/skillpr/config.yml"), "enabled: true\n");
    await expectSilent(repository, session);
    expect(jobsIn(gitDir(repository))).toHaveLength(1);
  });

  test.each([
    ["nothing", ""],
    ["half a message", '{"cwd":'],
  ])("an agent that keeps stdin open and sends %s isn't waited for", async (_name, sent) => {
    await using repository = await temporaryRepository({ files });
    const child = spawnHook(repository, [CLI]);
    const closed = once(child, "close");
    child.stdin?.write(sent);
    expect(await closed).toEqual([0, null]);
    expect(logOf(repository).map(({ message }) => message)).toEqual([
      "the agent's message on stdin didn't come, or not whole, in 1000 ms",
    ]);
  });

  test("is captured although the agent keeps stdin open", async () => {
    await using repository = await temporaryRepository({ files });
    const child = spawnHook(repository, [CLI]);
    child.stdin?.write(JSON.stringify(endedSession(repository, "s-1")));
    expect(await once(child, "exit")).toEqual([0, null]);
    child.stdin?.destroy();
    expect(jobsIn(gitDir(repository))).toHaveLength(1);
  });
});

describe("places", () => {
  const names = ["with space", "quo'te\"s", "ünï-文字-🙂", "line\nbreak", "$HOME;`x`"];
  test.each(names)("a repository and a home called %j", async (name) => {
    await using outer = await temporaryRepository({ name, files });
    const repository = { ...outer, home: join(outer.home, `home ${name}`) };
    mkdirSync(repository.home);
    const place = { ...repository, env: { ...outer.env, HOME: repository.home } };
    await expectSilent(place, endedSession(place, "s-1"));
    expect(jobsIn(gitDir(outer))).toMatchObject([{ sessionId: "s-1", cwd: outer.dir }]);
  });

  test("a linked work tree, and one that its agent removed before the hook ran", async () => {
    await using repository = await temporaryRepository({ files });
    const linked = join(repository.dir, ".qwen/worktrees/feature");
    await repository.git("worktree", "add", "--quiet", "--detach", linked);
    await expectSilent(repository, { ...endedSession(repository, "s-1"), cwd: `${linked}/src` });
    await repository.git("worktree", "remove", "--force", linked);
    await expectSilent(repository, { ...endedSession(repository, "s-2"), cwd: linked });
    const sessions = jobsIn(gitDir(repository)).map(({ sessionId }) => sessionId);
    expect(sessions.sort()).toEqual(["s-1", "s-2"]);
  });

  test("a submodule keeps its own queue", async () => {
    await using inner = await temporaryRepository({ files });
    await using repository = await temporaryRepository({ files });
    const allow = ["-c", "protocol.file.allow=always"];
    await repository.git(...allow, "submodule", "--quiet", "add", inner.dir, "inner");
    const cwd = join(repository.dir, "inner/src");
    await expectSilent(repository, { ...endedSession(repository, "s-1"), cwd });
    expect(jobsIn(join(gitDir(repository), "modules/inner"))).toHaveLength(1);
    expect(existsSync(join(gitDir(repository), "skillpr"))).toBe(false);
  });

  test("a work tree of a bare repository", async () => {
    await using repository = await temporaryRepository({ files });
    const bare = join(repository.home, "bare.git");
    await repository.git("clone", "--quiet", "--bare", repository.dir, bare);
    const cwd = join(repository.home, "feature");
    await repository.gitIn(bare, "worktree", "add", "--quiet", "--detach", cwd);
    await expectSilent(repository, { ...endedSession(repository, "s-1"), cwd });
    expect(jobsIn(bare)).toHaveLength(1);
  });

  test("inside a git hook of another repository", async () => {
    await using repository = await temporaryRepository({ files });
    await using other = await temporaryRepository({ files });
    const message = join(other.home, "message.json");
    writeFileSync(message, JSON.stringify(endedSession(repository, "s-1")));
    const said = join(other.home, "said");
    other.hook(
      "post-commit",
      `env | grep -q ^GIT_ && SKILLPR_WORKER=off '${process.execPath}' '${CLI}' hook < '${message}' > '${said}' 2>&1; echo $? >> '${said}'`,
    );
    await other.git("commit", "--quiet", "--allow-empty", "--message", "with a hook");
    expect(readFileSync(said, "utf8")).toBe("0\n");
    expect(jobsIn(gitDir(repository))).toHaveLength(1);
    expect(existsSync(join(gitDir(other), "skillpr"))).toBe(false);
  });

  test("a session in a workspace of a review is nobody's", async () => {
    await using repository = await temporaryRepository({ files });
    const cwd = join(repository.home, "locked");
    await repository.git("worktree", "add", "--quiet", "--detach", cwd);
    const reason = "skillpr pid=1 started=1 host=x at=1";
    await repository.git("worktree", "lock", "--reason", reason, cwd);
    await expectSilent(repository, { ...endedSession(repository, "s-1"), cwd });
    expect(existsSync(join(gitDir(repository), "skillpr"))).toBe(false);
  });
});

describe("what goes wrong stays silent and is logged", () => {
  test.each([
    ["nothing", "", "is no JSON object"],
    ["two MiB", `{"x":"${"x".repeat(2 * 1024 * 1024)}"}`, "is too large"],
    ["no JSON", "my private words", "is no JSON object"],
    ["half of an object", '{"session_id":"s-1",', "is no JSON object"],
    ["a list", "[1]", "is no JSON object"],
    ["a zero byte", "\0", "is no JSON object"],
  ])("%s on stdin", async (_name, message, expected) => {
    await using repository = await temporaryRepository({ files });
    await expectSilent(repository, message);
    expect(jobsIn(gitDir(repository))).toEqual([]);
    const log = logOf(repository);
    expect(log).toMatchObject([{ message: expect.stringContaining(expected) }]);
    expect(JSON.stringify(log)).not.toContain("private");
  });

  test("no event, no path, or a folder that isn't there", async () => {
    await using repository = await temporaryRepository({ files });
    const { hook_event_name: _, ...session } = endedSession(repository, "s-1");
    await expectSilent(repository, session);
    expect(jobsIn(gitDir(repository))).toMatchObject([{ event: "" }]);
    await expectSilent(repository, { hook_event_name: "Stop" });
    expect(logOf(repository)).toMatchObject([{ message: "the agent named no transcript" }]);
    await expectSilent(repository, { ...session, cwd: "/not/there" });
    await expectSilent(repository, { ...session, cwd: "\0" });
    expect(jobsIn(gitDir(repository))).toHaveLength(1);
  });

  test("a folder outside of any repository", async () => {
    await using repository = await temporaryRepository({ files });
    const session = { ...endedSession(repository, "s-1"), cwd: repository.home };
    await expectSilent(repository, session, { cwd: repository.home });
    expect(existsSync(join(repository.home, ".local"))).toBe(false);
  });

  test("a folder that was removed under its feet", async () => {
    await using repository = await temporaryRepository({ files });
    const message = join(repository.home, "message.json");
    const hook = `"$NODE" "$CLI" hook < "$MESSAGE"`;
    const script = `mkdir gone && cd gone && rmdir ../gone && ${hook} 2>&1; echo $?`;
    const env = { ...repository.env, NODE: process.execPath, CLI, MESSAGE: message };
    for (const cwd of [undefined, repository.dir]) {
      const session = { ...endedSession(repository, "s-1"), cwd };
      writeFileSync(message, JSON.stringify(session));
      const options = { cwd: repository.home, env: { ...env, SKILLPR_WORKER: "off" } };
      expect(execFileSync("sh", ["-c", script], { ...options, encoding: "utf8" })).toBe("0\n");
    }
    expect(jobsIn(gitDir(repository))).toHaveLength(1);
  });

  test("a pipe in the transcript's place", async () => {
    await using repository = await temporaryRepository({ files });
    const session = endedSession(repository, "s-1");
    rmSync(session.transcript_path!);
    execFileSync("mkfifo", [session.transcript_path!]);
    await expectSilent(repository, session);
    expect(logOf(repository)).toMatchObject([
      { message: expect.stringContaining("is no regular file") },
    ]);
  });

  test("a git folder that can't be written is told in the user's own log", async () => {
    await using repository = await temporaryRepository({ files });
    writeFileSync(join(gitDir(repository), "skillpr"), "in the way");
    await expectSilent(repository, endedSession(repository, "s-1"));
    const log = readFileSync(join(repository.home, ".local/state/skillpr/hook.log.jsonl"), "utf8");
    expect(JSON.parse(log)).toMatchObject({
      event: "SessionEnd",
      repository: gitDir(repository),
      message: expect.stringContaining("skillpr"),
    });
  });

  test.skipIf(process.getuid?.() === 0)("a read-only git folder", async () => {
    await using repository = await temporaryRepository({ files });
    chmodSync(gitDir(repository), 0o500);
    await expectSilent(repository, endedSession(repository, "s-1"));
    chmodSync(gitDir(repository), 0o700);
    expect(logOf(repository)).toMatchObject([{ message: expect.stringContaining("EACCES") }]);
  });

  test("neither log can be written", async () => {
    await using repository = await temporaryRepository({ files });
    writeFileSync(join(gitDir(repository), "skillpr"), "in the way");
    writeFileSync(join(repository.home, ".local"), "in the way");
    await expectSilent(repository, endedSession(repository, "s-1"));
  });
});

describe("file systems that refuse", () => {
  test("a full disk loses neither the job that was there nor the repository", async (context) => {
    await using repository = await temporaryRepository({ files });
    const folder = join(repository.home, "small");
    using disk = mountTmpfs(folder, "size=400k");
    if (disk === null) return context.skip();
    const dir = join(folder, "repository");
    await repository.gitIn(repository.home, "init", "--quiet", dir);
    const place = { ...repository, dir };
    const session = endedSession(place, "s-1", "one\n");
    await expectSilent(place, session);
    writeFileSync(session.transcript_path!, "x".repeat(500_000));
    await expectSilent(place, session);
    expect(jobsIn(join(dir, ".git"))).toMatchObject([{ transcript: "one\n" }]);
    expect(readdirSync(foldersIn(join(dir, ".git")).transcripts)).toHaveLength(1);
    expect(logOf(place)).toMatchObject([{ message: expect.stringContaining("ENOSPC") }]);
  });

  test("a read-only file system is told in the user's own log", async (context) => {
    await using repository = await temporaryRepository({ files });
    const folder = join(repository.home, "fixed");
    using disk = mountTmpfs(folder, "size=4m");
    if (disk === null) return context.skip();
    const dir = join(folder, "repository");
    await repository.gitIn(repository.home, "init", "--quiet", dir);
    const place = { ...repository, dir };
    await expectSilent(place, endedSession(place, "s-0"));
    execFileSync("mount", ["-o", "remount,ro", folder]);
    await expectSilent(place, endedSession(place, "s-1"));
    const message = expect.stringMatching(/^copyfile .* to \S+\/transcripts\/\S+ failed: EROFS$/);
    expect(logOf(place)).toMatchObject([{ repository: join(dir, ".git"), message }]);
  });
});

describe("the start of a session", () => {
  async function propose(repository: TemporaryRepository, skills: readonly string[]) {
    const commit = await repository.git("rev-parse", "HEAD");
    for (const skill of skills)
      await repository.git("update-ref", `refs/heads/auto-skill/${skill}`, commit);
    const folders = foldersIn(gitDir(repository));
    mkdirSync(folders.queue, { recursive: true });
    const proposals = skills.map((skill) => ({ skill, commit }));
    writeFileSync(folders.waiting, JSON.stringify({ proposals }));
  }
  const start = (repository: TemporaryRepository) => ({
    ...endedSession(repository, "s-1"),
    hook_event_name: "SessionStart",
    source: "startup",
  });

  test("tells what waits, as one JSON object, once", async () => {
    await using repository = await temporaryRepository({ files });
    await expectSilent(repository, start(repository));
    await propose(repository, ["flaky-tests", "release-flow"]);
    const { code, stdout, stderr } = await runHook(repository, start(repository));
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toEqual({
      systemMessage: "2 skill proposals are waiting: flaky-tests, release-flow — skillpr list",
    });
    await expectSilent(repository, start(repository));
    expect(jobsIn(gitDir(repository))).toEqual([]);
  });

  test("is told to one of many sessions that start together", async () => {
    await using repository = await temporaryRepository({ files });
    await propose(repository, ["flaky-tests"]);
    const runs = Array.from({ length: 8 }, () => runHook(repository, start(repository)));
    const said = (await Promise.all(runs)).filter(({ stdout }) => stdout !== "");
    expect(said).toHaveLength(1);
  });

  test("says nothing to a sub-agent", async () => {
    await using repository = await temporaryRepository({ files });
    await propose(repository, ["flaky-tests"]);
    await expectSilent(repository, { ...start(repository), agent_id: "a-1" });
  });
});

describe("many at once", () => {
  test("50 hooks on one repository: one job a session, nothing lost, nothing left over", async () => {
    await using repository = await temporaryRepository({ files });
    const sessions = Array.from({ length: 25 }, (_, n) =>
      endedSession(repository, `s-${n}`, `${"x".repeat(1000 * n)}\n`),
    );
    const stops = sessions.map((session) => ({ ...session, hook_event_name: "Stop" }));
    await Promise.all([...sessions, ...stops].map((message) => expectSilent(repository, message)));
    const jobs = jobsIn(gitDir(repository));
    expect(new Set(jobs.map(({ sessionId }) => sessionId)).size).toBe(25);
    expect(jobs).toHaveLength(25);
    expect(logOf(repository)).toEqual([]);
    const { captured, transcripts } = foldersIn(gitDir(repository));
    const names = [...readdirSync(captured), ...readdirSync(transcripts)];
    expect(names.filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });
});

/** The byte code that commands keep beside themselves: whatever becomes of it, they do the same. */
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, readdirSync, statSync, truncateSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { CLI, cleanEnvironment, runCli } from "../support/built-cli.ts";
import { type TemporaryRepository, temporaryRepository } from "../support/temp-repository.ts";

const files = { "README.md": "text\n" };

/** An installation of its own, without byte code. */
function installation(repository: TemporaryRepository) {
  const dir = join(repository.home, "installed");
  cpSync(dirname(CLI), dir, { recursive: true, filter: (path) => !path.endsWith(".cache") });
  const program = join(dir, "cli.js");
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCli(repository, args, { program });
    return { code, stdout, stderr };
  };
  const kept = () =>
    readdirSync(dir)
      .filter((name) => /\.(cache|tmp)$/.test(name))
      .sort();
  return { dir, program, run, kept };
}

const named = (...uses: string[]) => uses.map((use) => expect.stringContaining(use));

describe("a command's byte code", () => {
  test("is kept for each command by itself, and for the help", async () => {
    await using repository = await temporaryRepository({ files });
    const { run, kept } = installation(repository);
    const first = [await run("--help"), await run("list", "--json")];
    expect(first.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ""],
      [0, ""],
    ]);
    const programs = named("command-line.js.v", "command-line.js.v", "commands.js.v");
    expect(kept()).toEqual(programs);
    expect(kept()).toEqual(named("-call-", "-help-", "-list-"));
    expect([await run("--help"), await run("list", "--json")]).toEqual(first);
    await run("status", "--json");
    expect(kept()).toEqual(named("-call-", "-help-", "-list-", "-status-"));
  });

  test("isn't kept of what is no command, and of a command's help", async () => {
    await using repository = await temporaryRepository({ files });
    const { run, kept } = installation(repository);
    expect((await run("lst")).code).toBe(1);
    expect((await run("list", "--help")).code).toBe(0);
    expect((await run("--version")).code).toBe(0);
    expect(kept()).toEqual([]);
  });

  test("that was cut off is made anew", async () => {
    await using repository = await temporaryRepository({ files });
    const { dir, run, kept } = installation(repository);
    const first = await run("list", "--json");
    for (const name of kept()) truncateSync(join(dir, name), statSync(join(dir, name)).size / 2);
    expect(await run("list", "--json")).toEqual(first);
    for (const name of kept()) expect(statSync(join(dir, name)).size).toBeGreaterThan(30_000);
  });

  test("isn't left half where a disk has room for half", async () => {
    await using repository = await temporaryRepository({ files });
    const { program, run, kept } = installation(repository);
    // Writes are cut at 16 KiB, as by a full disk.
    const script = 'trap "" XFSZ; ulimit -f 16; exec "$@"';
    const args = ["-c", script, "bash", process.execPath, program, "list", "--json"];
    const options = { cwd: repository.dir, env: cleanEnvironment(repository.env) };
    const limited = spawnSync("bash", args, { ...options, encoding: "utf8" });
    expect(kept()).toEqual([]);
    const { stdout } = await run("list", "--json");
    expect(limited).toMatchObject({ status: 0, stdout, stderr: "" });
  });

  test.runIf(process.getuid?.() !== 0)("isn't missed where nothing can be written", async () => {
    await using repository = await temporaryRepository({ files });
    const { dir, run, kept } = installation(repository);
    chmodSync(dir, 0o555);
    expect(await run("list")).toMatchObject({ code: 0, stderr: "" });
    expect(kept()).toEqual([]);
    chmodSync(dir, 0o755);
  });

  test("is whole when many processes make it at once", async () => {
    await using repository = await temporaryRepository({ files });
    const { run, kept } = installation(repository);
    const all = await Promise.all(Array.from({ length: 8 }, () => run("list", "--json")));
    expect(new Set(all.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(all[0]).toMatchObject({ code: 0, stderr: "" });
    expect(await run("list", "--json")).toEqual(all[0]);
    expect(kept()).toEqual(named("-call-", "-list-"));
  });
});

describe("the help", () => {
  const env = (repository: TemporaryRepository) => ({
    cwd: repository.dir,
    env: { ...cleanEnvironment(repository.env), CLI, NODE: process.execPath },
    encoding: "utf8" as const,
  });
  const inShell = (repository: TemporaryRepository, script: string) =>
    spawnSync("bash", ["-c", script], env(repository));

  test("is the same on a pipe, in a file and on a device", async () => {
    await using repository = await temporaryRepository({ files });
    const piped = await runCli(repository, ["--help"]);
    expect(piped.stdout).toMatch(/^Usage: skillpr [\s\S]*70 a bug in skillpr\n$/);
    const file = inShell(repository, '"$NODE" "$CLI" --help > help.txt; cat help.txt');
    expect(file).toMatchObject({ status: 0, stdout: piped.stdout, stderr: "" });
    const device = inShell(repository, '"$NODE" "$CLI" --help > /dev/null');
    expect(device).toMatchObject({ status: 0, stdout: "", stderr: "" });
  });

  test("comes whole through a pipe that is full and doesn't block", async () => {
    await using repository = await temporaryRepository({ files });
    const { stdout } = await runCli(repository, ["--help"]);
    // One that shares the pipe makes it non-blocking, as Node does, and fills it; the reader begins late.
    const fill = `process.stdout;
try { for (;;) require("node:fs").writeSync(1, "x".repeat(100)); } catch {}
process.kill(process.pid, "SIGKILL");`;
    const script = `("$NODE" -e '${fill}' || "$NODE" "$CLI" --help) 2>&1 | (sleep 1; cat) | tr -d x`;
    const { stdout: read } = inShell(repository, script);
    expect(read.slice(read.indexOf("Usage"))).toBe(stdout.replaceAll("x", ""));
  });

  test("ends quietly when nobody reads on, and says so where it can't be written", async () => {
    await using repository = await temporaryRepository({ files });
    const script = '(sleep 0.3; "$NODE" "$CLI" --help; echo $? >&2) | true';
    expect(inShell(repository, script).stderr).toBe("0\n");
    const full = inShell(repository, '"$NODE" "$CLI" --help > /dev/full');
    expect(full).toMatchObject({
      status: 1,
      stderr: "skillpr: stdout can't be written (ENOSPC)\n",
    });
    const closed = inShell(repository, '"$NODE" "$CLI" --help >&-');
    expect(closed).toMatchObject({ stderr: "" });
  });
});

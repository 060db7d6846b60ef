/**
 * What the hook asks of Node beside its documented functions, with it and without it: stdin that
 * doesn't block, a worker that is started, a process that leaves.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CLI } from "../support/built-cli.ts";
import { endedSession, expectSilentChild, jobsIn, logOf, spawnHook } from "../support/hook-run.ts";
import { type TemporaryRepository, temporaryRepository } from "../support/temp-repository.ts";

/** An installation whose worker only writes down how it was started. */
let installed = "";
const files = { "README.md": "text\n" };
const WITHOUT = "without.cjs";
beforeAll(() => {
  installed = mkdtempSync(join(tmpdir(), "skillpr-test-hook-node-"));
  for (const name of ["cli.js", "hook.js", "package.json"])
    copyFileSync(join(dirname(CLI), name), join(installed, name));
  const worker = `const fs = require("node:fs");
exports.runCommandLine = () => {
  const { argv, env, pid } = process;
  const session = fs.readFileSync("/proc/self/stat", "latin1").split(") ").pop().split(" ")[3];
  const stdio = [0, 1, 2].map((fd) => fs.readlinkSync("/proc/self/fd/" + fd));
  const told = { argv: argv.slice(2), cwd: process.cwd(), env, pid, session, stdio };
  const file = process.env.HOME + "/worker.json";
  fs.writeFileSync(file + ".new", JSON.stringify(told));
  fs.renameSync(file + ".new", file);
};`;
  writeFileSync(join(installed, "command-line.js"), worker);
  const without = `const { reallyExit } = process;
process.exit = (code) => reallyExit.call(process, code);
delete process.reallyExit;
delete process.binding;`;
  writeFileSync(join(installed, WITHOUT), without);
});
afterAll(() => rmSync(installed, { recursive: true, force: true }));

const WAYS: readonly (readonly [name: string, flags: () => string[]])[] = [
  ["as it is", () => []],
  ["without what isn't documented", () => ["--require", join(installed, WITHOUT)]],
  ["that warns of what is deprecated", () => ["--pending-deprecation"]],
];

async function workerOf({ home }: TemporaryRepository) {
  const file = join(home, "worker.json");
  await expect.poll(() => statSync(file, { throwIfNoEntry: false })?.isFile()).toBe(true);
  return JSON.parse(readFileSync(file, "utf8"));
}

describe.runIf(process.platform === "linux").each(WAYS)("a Node %s", (_name, flags) => {
  test("starts the worker in a session of its own, with nothing of the agent's", async () => {
    await using repository = await temporaryRepository({ files });
    const child = spawnHook(repository, [...flags(), join(installed, "cli.js")], {
      SKILLPR_WORKER: "on",
      PLANTED: "a word of the repository's",
    });
    await expectSilentChild(child, endedSession(repository, "s-1"));
    const worker = await workerOf(repository);
    expect(worker).toMatchObject({
      argv: ["work", "--repo", repository.dir],
      cwd: join(repository.dir, ".git"),
      session: String(worker.pid),
      stdio: ["/dev/null", "/dev/null", "/dev/null"],
    });
    expect(worker.env).not.toHaveProperty("PLANTED");
    expect(logOf(repository)).toEqual([]);
  });

  test.each([
    ["nothing", ""],
    ["half a message", '{"cwd":'],
  ])("isn't held up by a pipe on which %s comes", async (_what, sent) => {
    await using repository = await temporaryRepository({ files });
    const pipe = join(repository.home, "pipe");
    execFileSync("mkfifo", [pipe]);
    // Open for reading and writing: its end never comes.
    const script = 'exec 3<>"$1"; printf %s "$2" >&3; shift 2; exec "$@" hook <&3';
    const { PATH } = process.env;
    const command = [process.execPath, ...flags(), join(installed, "cli.js")];
    const child = spawn("bash", ["-c", script, "bash", pipe, sent, ...command], {
      cwd: repository.dir,
      env: { PATH, HOME: repository.home, SKILLPR_WORKER: "off" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const said: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => said.push(chunk));
    expect(await once(child, "close")).toEqual([0, null]);
    expect(Buffer.concat(said).toString()).toBe("");
    expect(logOf(repository).map(({ message }) => message)).toEqual([
      "the agent's message on stdin didn't come, or not whole, in 1000 ms",
    ]);
  });
});

test.each([
  ["missing", (file: string) => rmSync(file)],
  ["damaged", (file: string) => writeFileSync(file, "exports.runHook = (")],
  ["of another version", (file: string) => writeFileSync(file, "")],
])("a hook.js that is %s disturbs nobody, and is told in the user's log", async (_name, damage) => {
  await using repository = await temporaryRepository({ files });
  const broken = join(repository.home, "broken");
  mkdirSync(broken);
  for (const name of ["cli.js", "hook.js", "command-line.js", "package.json"])
    copyFileSync(join(dirname(CLI), name), join(broken, name));
  damage(join(broken, "hook.js"));
  const child = spawnHook(repository, [join(broken, "cli.js")]);
  await expectSilentChild(child, endedSession(repository, "s-1"));
  expect(jobsIn(join(repository.dir, ".git"))).toEqual([]);
  expect(logOf(repository)).toHaveLength(1);
  rmSync(join(broken, "command-line.js"));
  const bare = spawnHook(repository, [join(broken, "cli.js")]);
  await expectSilentChild(bare, {});
});

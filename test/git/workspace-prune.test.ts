import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { rolldown } from "rolldown";
import { describe, expect, test } from "vitest";
import {
  currentOwner,
  formatOwner,
  isAbandoned,
  parseOwner,
  processStart,
} from "../../src/git/process-owner.ts";
import { openRepository } from "../../src/git/repository.ts";
import { pruneWorkspaces } from "../../src/git/workspace.ts";
import { type TemporaryRepository, temporaryRepository } from "../support/temp-repository.ts";
import { open, ROOT } from "./open-workspace.ts";

const FILES = { [`${ROOT}/one/SKILL.md`]: "one\n" };
const DAY_MS = 24 * 60 * 60 * 1000;

async function prune(repository: TemporaryRepository): Promise<string[]> {
  const opened = await openRepository(repository.dir);
  return pruneWorkspaces(opened, { tempRoot: repository.tempRoot });
}

/** Opens a workspace and leaves it as another process would have: with that owner everywhere. */
async function leave(
  repository: TemporaryRepository,
  change: { pid?: number; started?: string; host?: string; openedAtMs?: number },
) {
  const workspace = await open(repository);
  const owner = { ...currentOwner(), ...change };
  const folder = dirname(workspace.dir);
  const random = basename(folder).split("-")[2];
  const renamed = join(dirname(folder), `${owner.pid}-${owner.started}-${random}`);
  renameSync(folder, renamed);
  writeFileSync(join(renamed, "owner"), formatOwner(owner));
  const admin = join(repository.dir, ".git/worktrees/skillpr");
  writeFileSync(join(admin, "locked"), formatOwner(owner));
  writeFileSync(join(admin, "gitdir"), `${renamed}/skillpr/.git\n`);
  return renamed;
}

async function finishedPid(): Promise<number> {
  const child = spawn("true");
  await once(child, "close");
  return child.pid ?? 0;
}

describe("pruneWorkspaces", () => {
  test("removes what a killed process left, and leaves no trace", { timeout: 30_000 }, async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const before = await repository.snapshot();
    const child = await workspaceInAnotherProcess(repository);
    expect(existsSync(join(repository.dir, ".git/worktrees/skillpr"))).toBe(true);
    expect(await prune(repository)).toEqual([]); // it lives
    child.kill("SIGKILL");
    await once(child, "close");
    const removed = await prune(repository);
    expect(removed).toEqual([expect.stringContaining(`/${child.pid}-`)]);
    expect(await repository.snapshot()).toEqual(before);
    const [parent] = readdirSync(repository.tempRoot);
    expect(readdirSync(join(repository.tempRoot, parent!))).toEqual([]);
    expect(await prune(repository)).toEqual([]);
  });

  test("a pid that lives again as another process doesn't protect a leftover", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const folder = await leave(repository, { pid: process.pid, started: "1" });
    expect(await prune(repository)).toEqual([join(folder, "skillpr")]);
    expect(existsSync(folder)).toBe(false);
    expect(existsSync(join(repository.dir, ".git/worktrees"))).toBe(false);
  });

  test("leaves a workspace in use alone", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    await using workspace = await open(repository);
    expect(await prune(repository)).toEqual([]);
    expect(existsSync(workspace.skillsDir)).toBe(true);
  });

  test("another machine's workspace counts as dead after a day", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const pid = await finishedPid();
    const folder = await leave(repository, { pid, host: "elsewhere" });
    expect(await prune(repository)).toEqual([]);
    expect(existsSync(folder)).toBe(true);
    const owner = {
      ...currentOwner(),
      pid,
      host: "elsewhere",
      openedAtMs: Date.now() - DAY_MS - 1,
    };
    writeFileSync(join(repository.dir, ".git/worktrees/skillpr/locked"), formatOwner(owner));
    expect(await prune(repository)).toEqual([join(folder, "skillpr")]);
  });

  test("the registration goes also when the folder is gone, and the other way round", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const pid = await finishedPid();
    rmSync(await leave(repository, { pid }), { recursive: true });
    expect(await prune(repository)).toHaveLength(1);
    expect(existsSync(join(repository.dir, ".git/worktrees"))).toBe(false);

    const folder = await leave(repository, { pid });
    rmSync(join(repository.dir, ".git/worktrees"), { recursive: true });
    expect(await prune(repository)).toEqual([folder]);
    expect(existsSync(folder)).toBe(false);
  });

  test("a folder without an owner's name is left until it is old", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const folder = await leave(repository, { pid: await finishedPid() });
    rmSync(join(repository.dir, ".git/worktrees"), { recursive: true });
    rmSync(join(folder, "owner"));
    expect(await prune(repository)).toEqual([]);
    const old = new Date(Date.now() - DAY_MS - 1000);
    utimesSync(folder, old, old);
    expect(await prune(repository)).toEqual([folder]);
  });

  test("never touches worktrees and folders of others", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const gone = join(repository.home, "gone");
    await repository.git("worktree", "add", "--quiet", "-b", "gone", gone);
    rmSync(gone, { recursive: true });
    // A lock reason like ours on a folder that is none of ours.
    const faked = join(repository.home, "precious");
    const dead = { ...currentOwner(), pid: await finishedPid() };
    const lock = ["--lock", "--reason", formatOwner(dead)];
    await repository.git("worktree", "add", "--quiet", "-b", "faked", ...lock, faked);
    const parent = join(repository.tempRoot, `skillpr-${process.getuid?.()}`);
    mkdirSync(join(parent, "something-else"), { recursive: true, mode: 0o700 });
    const before = await repository.snapshot();
    expect(await prune(repository)).toEqual([]);
    expect(await repository.snapshot()).toEqual(before);
    expect(existsSync(join(faked, ROOT, "one/SKILL.md"))).toBe(true);
    expect(readdirSync(parent)).toEqual(["something-else"]);
  });

  test("links in a leftover are removed, not followed", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const folder = await leave(repository, { pid: await finishedPid() });
    writeFileSync(join(repository.home, "kept"), "kept");
    symlinkSync(repository.home, join(folder, "skillpr/out"));
    await prune(repository);
    expect(readFileSync(join(repository.home, "kept"), "utf8")).toBe("kept");
  });
});

describe("owners", () => {
  test("are written and read; anything else is not ours", () => {
    const owner = currentOwner();
    expect(parseOwner(formatOwner(owner))).toEqual(owner);
    for (const text of [
      "",
      "skillpr",
      "on a portable disk",
      `x ${formatOwner(owner)}`,
      `${formatOwner(owner)} x`,
    ]) {
      expect(parseOwner(text)).toBeNull();
    }
  });

  test("a process has one start; a dead one and one nobody waits for have none", async () => {
    const owner = currentOwner();
    expect(processStart(process.pid)).toBe(owner.started);
    expect(isAbandoned(owner)).toBe(false);
    expect(processStart(await finishedPid())).toBeNull();
    // The child ends while its parent has become a program that never waits for it: a zombie.
    const parent = spawn("sh", ["-c", "sleep 0.1 & echo $!; exec sleep 30"]);
    const [chunk] = await once(parent.stdout, "data");
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(processStart(Number(String(chunk)))).toBeNull();
    parent.kill("SIGKILL");
  });
});

/** A process of its own that opens a workspace and waits to be killed. */
async function workspaceInAnotherProcess(repository: TemporaryRepository): Promise<ChildProcess> {
  const entry = join(import.meta.dirname, "../../src/git");
  const script = join(repository.home, "script.ts");
  const options = { skillsRoot: ROOT, overlays: [], tempRoot: repository.tempRoot };
  writeFileSync(
    script,
    `import { openRepository, resolveBase } from ${JSON.stringify(`${entry}/repository.ts`)};
     import { openWorkspace } from ${JSON.stringify(`${entry}/workspace.ts`)};
     const repository = await openRepository(${JSON.stringify(repository.dir)});
     const base = await resolveBase(repository);
     const workspace = await openWorkspace(repository, { base, ...${JSON.stringify(options)} });
     console.log(workspace.dir);
     setInterval(() => {}, 1000);`,
  );
  const bundle = await rolldown({
    input: script,
    platform: "node",
    transform: { target: "node20" },
  });
  const file = join(repository.home, "script.mjs");
  await bundle.write({ file, format: "esm" });
  await bundle.close();
  const child = spawn(process.execPath, [file], {
    env: repository.env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const failed = once(child, "close").then(() => Promise.reject(new Error("it ended")));
  await Promise.race([once(child.stdout, "data"), failed]);
  failed.catch(() => {}); // from here on it is meant to end
  return child;
}

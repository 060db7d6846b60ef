import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { removeRunFolder } from "../../src/git/remove-folder.ts";
import { openRepository } from "../../src/git/repository.ts";
import { pruneWorkspaces } from "../../src/git/workspace.ts";
import { nestFolders } from "../support/nest-folders.ts";
import { temporaryRepository } from "../support/temp-repository.ts";
import { open, ROOT } from "./open-workspace.ts";

const FILES = { [`${ROOT}/one/SKILL.md`]: "one\n" };

describe("removeRunFolder", () => {
  test("removes what is deeper than a path can be long", async () => {
    await using repository = await temporaryRepository();
    const folder = join(repository.tempRoot, "deep");
    mkdirSync(join(folder, "a"), { recursive: true });
    writeFileSync(join(folder, "a/file"), "");
    nestFolders(folder, 600);
    nestFolders(join(folder, "a"), 600);
    expect(() => rmSync(folder, { recursive: true })).toThrow("ENAMETOOLONG");
    removeRunFolder(folder);
    expect(readdirSync(repository.tempRoot)).toEqual([]);
  });

  test("removes closed folders and names that are no text", async () => {
    await using repository = await temporaryRepository();
    const folder = join(repository.tempRoot, "closed");
    mkdirSync(join(folder, "a/b/c"), { recursive: true });
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/a/b/`), Buffer.from([0xff])]), "");
    nestFolders(join(folder, "a/b"), 600);
    for (const path of ["a/b/c", "a/b", "a"]) chmodSync(join(folder, path), 0);
    removeRunFolder(folder);
    expect(existsSync(folder)).toBe(false);
  });

  test("a folder that isn't there is removed already", async () => {
    await using repository = await temporaryRepository();
    removeRunFolder(join(repository.tempRoot, "none"));
    removeRunFolder(join(repository.tempRoot, "none/below"));
  });

  test("takes a link away and leaves what it leads to", async () => {
    await using repository = await temporaryRepository();
    const kept = join(repository.home, "kept");
    mkdirSync(join(kept, "skillpr"), { recursive: true });
    const link = join(repository.tempRoot, "link");
    symlinkSync(kept, link);
    expect(() => removeRunFolder(join(link, "skillpr"))).toThrow("a link took its place");
    removeRunFolder(link);
    expect(existsSync(link)).toBe(false);
    expect(readdirSync(kept)).toEqual(["skillpr"]);
  });
});

describe("closing a workspace", () => {
  test("whose run folder became a link deletes nothing through it", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const before = await repository.snapshot();
    const workspace = await open(repository);
    const run = dirname(workspace.dir);
    const kept = join(repository.home, "kept");
    // Shaped like the workspace, its `.git` file too: git itself would empty such a folder.
    renameSync(run, kept);
    writeFileSync(join(kept, "skillpr/precious"), "x");
    symlinkSync(kept, run);
    await workspace[Symbol.asyncDispose]();
    expect(existsSync(run)).toBe(false);
    expect(existsSync(join(kept, "skillpr/precious"))).toBe(true);
    expect(await repository.snapshot()).toEqual(before);
  });

  test("that is deep, or gone, leaves no trace", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const before = await repository.snapshot();
    const deep = await open(repository);
    nestFolders(deep.skillsDir, 600);
    await deep[Symbol.asyncDispose]();
    const gone = await open(repository);
    rmSync(dirname(gone.dir), { recursive: true });
    await gone[Symbol.asyncDispose]();
    expect(await repository.snapshot()).toEqual(before);
    expect(readdirSync(dirname(dirname(deep.dir)))).toEqual([]);
  });
});

const OWNER = "skillpr pid=1 started=1 host=elsewhere at=1";
const PARENT = `skillpr-${process.getuid?.()}`;

describe("pruneWorkspaces", () => {
  test("goes on after a leftover that it can't remove, and says so", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const blocked = join(repository.home, "other", PARENT);
    mkdirSync(blocked, { recursive: true });
    const worktree = join(blocked, "1-1-aaaaaaaaaaaa/skillpr");
    const lock = ["--lock", "--reason", OWNER];
    await repository.git("worktree", "add", "--quiet", "--detach", ...lock, worktree);
    renameSync(blocked, `${blocked}-moved`);
    symlinkSync(`${blocked}-moved`, blocked);
    const next = join(repository.tempRoot, PARENT, "1-1-bbbbbbbbbbbb");
    mkdirSync(next, { recursive: true, mode: 0o700 });
    writeFileSync(join(next, "owner"), OWNER);

    const { tempRoot } = repository;
    const notes: string[] = [];
    const onNote = (note: string) => void notes.push(note);
    const opened = await openRepository(repository.dir);
    expect(await pruneWorkspaces(opened, { tempRoot, onNote })).toEqual([next]);
    expect(notes).toEqual([expect.stringContaining("a link took its place")]);
    expect(existsSync(join(worktree, ROOT))).toBe(true);
  });

  test.each<[string, (owner: string) => void]>([
    ["a folder", (owner) => mkdirSync(owner)],
    ["a FIFO", (owner) => void execFileSync("mkfifo", [owner])],
    ["a link to itself", (owner) => symlinkSync("owner", owner)],
  ])("waits for nothing and fails at nothing where the owner's name is %s", async (_, plant) => {
    await using repository = await temporaryRepository({ files: FILES });
    const folder = join(repository.tempRoot, PARENT, "1-1-cccccccccccc");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    plant(join(folder, "owner"));
    const opened = await openRepository(repository.dir);
    const { tempRoot } = repository;
    expect(await pruneWorkspaces(opened, { tempRoot })).toEqual([]);
    const old = new Date(Date.now() - 25 * 60 * 60 * 1000);
    utimesSync(folder, old, old);
    expect(await pruneWorkspaces(opened, { tempRoot })).toEqual([folder]);
  });
});

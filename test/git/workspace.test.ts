import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { hashObject, serializeTree, writeObjects } from "../../src/git/objects.ts";
import { openRepository, type Repository, resolveBase } from "../../src/git/repository.ts";
import { openWorkspace, type Workspace } from "../../src/git/workspace.ts";
import { type TemporaryRepository, temporaryRepository } from "../support/temp-repository.ts";
import { leftIn, open, ROOT } from "./open-workspace.ts";

afterEach(() => vi.unstubAllEnvs());

const FILES = {
  "README.md": "readme\n",
  ".qwen/settings.json": "{}\n",
  [`${ROOT}/one/SKILL.md`]: "one\n",
  [`${ROOT}/one/references/ü b.md`]: "more\r\n",
};

/** Paths below the workspace, without the worktree's own `.git`. */
function tree(workspace: Workspace): string[] {
  const all = readdirSync(workspace.dir, { recursive: true, encoding: "utf8" });
  return all.filter((path) => path !== ".git").sort();
}

const ALL_PATHS = [".qwen", ROOT, `${ROOT}/one`, `${ROOT}/one/SKILL.md`, `${ROOT}/one/references`];

describe("a workspace", () => {
  test("holds the skills root and nothing else, and is a worktree of the base", async () => {
    await using repository = await temporaryRepository({ name: "ein Ordner ü", files: FILES });
    const before = await repository.snapshot();
    {
      await using workspace = await open(repository);
      expect(tree(workspace)).toEqual([...ALL_PATHS, `${ROOT}/one/references/ü b.md`]);
      expect(workspace.skillsDir).toBe(join(workspace.dir, ROOT));
      expect(readFileSync(join(workspace.skillsDir, "one/references/ü b.md"), "utf8")).toBe(
        "more\r\n",
      );
      expect(lstatSync(join(workspace.skillsDir, "one/SKILL.md")).mode & 0o7777).toBe(0o644);
      expect(lstatSync(join(workspace.dir, "..")).mode & 0o777).toBe(0o700);
      expect([...workspace.sourceFiles()].map(([path]) => path)).toEqual(
        workspace.source.map(({ path }) => path),
      );
      const head = await repository.git("rev-parse", "HEAD");
      expect(await repository.gitIn(workspace.dir, "rev-parse", "HEAD")).toBe(head);
      const { worktrees, ...others } = await repository.snapshot();
      expect({ ...others, worktrees: null }).toEqual(before);
      expect(worktrees).not.toBeNull();
    }
    expect(await repository.snapshot()).toEqual(before);
    expect(leftIn(repository)).toEqual([]);
  });

  test("has an empty skills root when the base has none", async () => {
    await using repository = await temporaryRepository({ files: { "README.md": "readme\n" } });
    await using workspace = await open(repository);
    expect(tree(workspace)).toEqual([".qwen", ROOT]);
    expect(workspace.source).toEqual([]);
  });

  test("lays the folders of open proposals over the base's", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    await repository.git("checkout", "--quiet", "-b", "proposal");
    rmSync(join(repository.dir, ROOT, "one/references"), { recursive: true });
    repository.write(`${ROOT}/one/SKILL.md`, "better\n");
    repository.write(`${ROOT}/two/SKILL.md`, "two\n");
    await repository.commit();
    const overlays = [];
    for (const folder of ["one", "two"]) {
      overlays.push({ folder, tree: await repository.git("rev-parse", `HEAD:${ROOT}/${folder}`) });
    }
    await repository.git("checkout", "--quiet", "main");
    await using workspace = await open(repository, { overlays: overlays });
    const files = [...workspace.sourceFiles()].map(([path, bytes]) => [path, String(bytes)]);
    expect(files).toEqual([
      [`${ROOT}/one/SKILL.md`, "better\n"],
      [`${ROOT}/two/SKILL.md`, "two\n"],
    ]);
    expect(readFileSync(join(workspace.skillsDir, "one/SKILL.md"), "utf8")).toBe("better\n");
    expect(existsSync(join(workspace.skillsDir, "one/references"))).toBe(false);
  });

  test("makes links plain text, executables plain files and submodules empty folders", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    symlinkSync("/etc", join(repository.dir, ROOT, "link"));
    repository.write(`${ROOT}/one/run.sh`, "#!/bin/sh\n");
    chmodSync(join(repository.dir, ROOT, "one/run.sh"), 0o755);
    await repository.commit();
    const head = await repository.git("rev-parse", "HEAD");
    await repository.git("update-index", "--add", "--cacheinfo", `160000,${head},${ROOT}/module`);
    await repository.git("commit", "--quiet", "-m", "module");
    const umask = process.umask(0o077);
    await using workspace = await open(repository).finally(() => process.umask(umask));
    const link = lstatSync(join(workspace.skillsDir, "link"));
    expect([link.isFile(), link.mode & 0o7777]).toEqual([true, 0o644]);
    expect(readFileSync(join(workspace.skillsDir, "link"), "utf8")).toBe("/etc");
    expect(lstatSync(join(workspace.skillsDir, "one/run.sh")).mode & 0o7777).toBe(0o644);
    expect(readdirSync(join(workspace.skillsDir, "module"))).toEqual([]);
    const modes = Object.fromEntries(workspace.source.map(({ path, mode }) => [path, mode]));
    expect(modes).toMatchObject({
      [`${ROOT}/link`]: "120000",
      [`${ROOT}/one/run.sh`]: "100755",
      [`${ROOT}/module`]: "160000",
    });
    expect([...workspace.sourceFiles()].map(([path]) => path)).not.toContain(`${ROOT}/link`);
  });

  test.each([
    ["a.git folder", ".GIT", "can't be written to a disk"],
    ["bytes that are no text", Buffer.from([0xff]), "can't be written to a disk"],
    ["a name that is too long", "n".repeat(300), "can't be written to a disk"],
    ["a way out", "..", "can't be written to a disk"],
    ["a hidden .git", ".g\u200cit", "can't be written to a disk"],
  ])("a base with %s is refused, and nothing stays behind", async (_, name, message) => {
    await using repository = await temporaryRepository({ files: FILES });
    const opened = await openRepository(repository.dir);
    const base = await baseWith(opened, repository, [Buffer.from(name)]);
    const opening = openWorkspace(opened, {
      base,
      skillsRoot: ".qwen",
      overlays: [],
      tempRoot: repository.tempRoot,
    });
    await expect(opening).rejects.toMatchObject({
      code: "input",
      message: expect.stringContaining(message),
    });
    expect(existsSync(join(repository.dir, ".git/worktrees"))).toBe(false);
    expect(leftIn(repository)).toEqual([]);
  });

  test("two entries of one name can't both be held", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const opened = await openRepository(repository.dir);
    const base = await baseWith(opened, repository, [Buffer.from("twin"), Buffer.from("twin")]);
    const { tempRoot } = repository;
    const opening = openWorkspace(opened, { base, skillsRoot: ".qwen", overlays: [], tempRoot });
    await expect(opening).rejects.toMatchObject({
      code: "input",
      message: expect.stringContaining("beside the other names"),
    });
  });

  test("eight at once do not disturb each other", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const before = await repository.snapshot();
    const opened = await Promise.all(Array.from({ length: 8 }, () => open(repository)));
    expect(new Set(opened.map(({ dir }) => dir)).size).toBe(8);
    await Promise.all(opened.map((workspace) => workspace[Symbol.asyncDispose]()));
    expect(await repository.snapshot()).toEqual(before);
  });

  test("goes also when its .git file leads elsewhere, and links are not followed", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    await using trap = await temporaryRepository({ files: { kept: "kept" } });
    const mark = join(trap.home, "monitor-ran");
    await trap.git("config", "core.fsmonitor", `touch '${mark}'`);
    const before = await repository.snapshot();
    const workspace = await open(repository);
    writeFileSync(join(workspace.dir, ".git"), `gitdir: ${trap.dir}/.git\n`);
    symlinkSync(trap.dir, join(workspace.skillsDir, "out"));
    await workspace[Symbol.asyncDispose]();
    await workspace[Symbol.asyncDispose](); // a second time does nothing
    expect(existsSync(mark)).toBe(false);
    expect(readFileSync(join(trap.dir, "kept"), "utf8")).toBe("kept");
    expect(await repository.snapshot()).toEqual(before);
    expect(leftIn(repository)).toEqual([]);
  });

  test("goes also after an abort", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const controller = new AbortController();
    const opened = await openRepository(repository.dir, { signal: controller.signal });
    const base = await resolveBase(opened);
    const { tempRoot } = repository;
    const options = { base, skillsRoot: ROOT, overlays: [], tempRoot };
    const workspace = await openWorkspace(opened, options);
    controller.abort();
    await workspace[Symbol.asyncDispose]();
    expect(existsSync(join(repository.dir, ".git/worktrees"))).toBe(false);
    await expect(openWorkspace(opened, options)).rejects.toMatchObject({ code: "interrupted" });
  });

  test.skipIf(process.getuid?.() === 0)("goes also when a folder in it was closed", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const workspace = await open(repository);
    chmodSync(join(workspace.skillsDir, "one"), 0);
    await workspace[Symbol.asyncDispose]();
    expect(leftIn(repository)).toEqual([]);
  });
});

/** A base whose `.qwen` holds blobs of these names, which no checkout would write. */
async function baseWith(opened: Repository, repository: TemporaryRepository, names: Buffer[]) {
  const blob = await repository.git("rev-parse", "HEAD:README.md");
  const inner = serializeTree(
    names.map((name) => ({ mode: "100644", name, id: blob })),
    "sha1",
  );
  const innerId = hashObject("tree", inner, "sha1");
  const root = serializeTree([{ mode: "40000", name: Buffer.from(".qwen"), id: innerId }], "sha1");
  const tree = hashObject("tree", root, "sha1");
  const objects = [
    { type: "tree" as const, bytes: inner, id: innerId },
    { type: "tree" as const, bytes: root, id: tree },
  ];
  await writeObjects(opened.git, objects);
  return { commit: await repository.git("commit-tree", tree, "-m", "odd"), tree };
}

describe("the place of a workspace", () => {
  const options = { skillsRoot: ROOT, overlays: [] };

  test("is RUNNER_TEMP in CI, and never inside the repository", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const opened = await openRepository(repository.dir);
    const base = await resolveBase(opened);
    vi.stubEnv("RUNNER_TEMP", repository.tempRoot);
    await using workspace = await openWorkspace(opened, { ...options, base });
    expect(workspace.dir.startsWith(`${repository.tempRoot}/skillpr-`)).toBe(true);
    for (const tempRoot of [
      join(repository.dir, ".qwen"),
      join(repository.dir, ".git"),
      "/nowhere",
    ]) {
      const opening = openWorkspace(opened, { ...options, base, tempRoot });
      await expect(opening).rejects.toMatchObject({ code: "config" });
    }
  });

  test.each([
    ["open to others", (path: string) => mkdirSync(path, { mode: 0o755 })],
    ["a link", (path: string) => symlinkSync(join(path, "../elsewhere"), path)],
    ["a file", (path: string) => writeFileSync(path, "")],
  ])("a shared folder that is %s is refused", async (_, plant) => {
    await using repository = await temporaryRepository({ files: FILES });
    mkdirSync(join(repository.tempRoot, "elsewhere"), { mode: 0o700 });
    plant(join(repository.tempRoot, `skillpr-${process.getuid?.()}`));
    await expect(open(repository)).rejects.toMatchObject({
      code: "config",
      message: expect.stringContaining("is not a private folder of yours"),
    });
    expect(readdirSync(join(repository.tempRoot, "elsewhere"))).toEqual([]);
  });
});

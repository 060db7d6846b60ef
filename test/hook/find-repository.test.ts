import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { findRepository } from "../../src/hook/find-repository.ts";
import { type TemporaryRepository, temporaryRepository } from "../support/temp-repository.ts";

const outside = realpathSync(mkdtempSync(join(tmpdir(), "skillpr-test-")));
afterAll(() => rmSync(outside, { recursive: true, force: true }));

const files = { "src/deep/file.txt": "text\n" };

/** What git itself says of a folder. */
async function asGitSays(repository: TemporaryRepository, folder: string) {
  const ask = (...args: string[]) => repository.gitIn(folder, "rev-parse", ...args);
  const common = await ask("--path-format=absolute", "--git-common-dir");
  return { gitDir: await ask("--absolute-git-dir"), commonDir: realpathSync(common) };
}

async function expectLikeGit(repository: TemporaryRepository, folder: string) {
  const found = findRepository(folder);
  expect(found).toMatchObject(await asGitSays(repository, realpathSync(folder)));
  return found!;
}

describe("findRepository", () => {
  test("finds a repository from its top, from a folder below, and from inside its git folder", async () => {
    await using repository = await temporaryRepository({ files });
    const { dir } = repository;
    for (const folder of [dir, join(dir, "src/deep"), join(dir, ".git"), join(dir, ".git/hooks")]) {
      const found = await expectLikeGit(repository, folder);
      expect(found).toMatchObject({ root: dir, dir, stateDir: join(dir, ".git/skillpr") });
    }
  });

  test.each(["with space", "quo'te\"s", "ünï-文字-🙂", "line\nbreak", "-dash", "$HOME;x"])(
    "in a folder called %j, also from a linked work tree in one",
    async (name) => {
      await using repository = await temporaryRepository({ name, files });
      const linked = join(repository.home, `linked ${name}`);
      await repository.git("worktree", "add", "--quiet", "--detach", linked);
      const commonDir = join(repository.dir, ".git");
      expect(findRepository(repository.dir)).toMatchObject({ root: repository.dir, commonDir });
      expect(findRepository(join(linked, "src"))).toMatchObject({
        root: linked,
        commonDir,
        dir: repository.dir,
      });
    },
  );

  test("a linked work tree leads to the main one, which outlives it", async () => {
    await using repository = await temporaryRepository({ files });
    const linked = join(repository.home, "linked");
    await repository.git("worktree", "add", "--quiet", "--detach", linked);
    const found = await expectLikeGit(repository, join(linked, "src"));
    expect(found).toMatchObject({ root: linked, dir: repository.dir });
  });

  test("a submodule is a repository of its own", async () => {
    await using inner = await temporaryRepository({ files });
    await using repository = await temporaryRepository({ files });
    const allow = ["-c", "protocol.file.allow=always"];
    await repository.git(...allow, "submodule", "--quiet", "add", inner.dir, "parts/inner");
    const root = join(repository.dir, "parts/inner");
    const found = await expectLikeGit(repository, join(root, "src/deep"));
    const gitDir = join(repository.dir, ".git/modules/parts/inner");
    expect(found).toMatchObject({ root, dir: root, gitDir, commonDir: gitDir });
  });

  test("a bare repository, and work trees around a bare one", async () => {
    await using repository = await temporaryRepository({ files });
    const project = join(repository.home, "project");
    mkdirSync(project);
    await repository.git("clone", "--quiet", "--bare", repository.dir, join(project, ".bare"));
    writeFileSync(join(project, ".git"), "gitdir: ./.bare\n");
    await repository.gitIn(project, "worktree", "add", "--quiet", "--detach", "feature");
    const bare = join(project, ".bare");
    expect(await expectLikeGit(repository, bare)).toMatchObject({ root: null, dir: bare });
    const feature = join(project, "feature");
    const found = await expectLikeGit(repository, join(feature, "src"));
    expect(found).toMatchObject({ root: feature, dir: feature, commonDir: bare });
    expect(await expectLikeGit(repository, project)).toMatchObject({ root: project });
  });

  test("a git folder that lies elsewhere or behind a link", async () => {
    await using repository = await temporaryRepository();
    const { home } = repository;
    const separate = ["init", "--quiet", `--separate-git-dir=${join(home, "git folder")}`];
    await repository.gitIn(home, ...separate, join(home, "apart"));
    await expectLikeGit(repository, join(home, "apart"));
    symlinkSync(repository.dir, join(home, "way"));
    const found = await expectLikeGit(repository, join(home, "way"));
    expect(found.root).toBe(repository.dir);
    mkdirSync(join(home, "borrowed"));
    symlinkSync(join(repository.dir, ".git"), join(home, "borrowed/.git"));
    const borrowed = findRepository(join(home, "borrowed"));
    expect(borrowed?.commonDir).toBe(join(repository.dir, ".git"));
  });

  test("refs in reftable form are a repository too", async () => {
    await using repository = await temporaryRepository({ files });
    // What `git init --ref-format=reftable` leaves there for older programs.
    const heads = join(repository.dir, ".git/refs/heads");
    rmSync(heads, { recursive: true });
    writeFileSync(heads, "this repository uses the reftable format\n");
    writeFileSync(join(repository.dir, ".git/HEAD"), "ref: refs/heads/.invalid\n");
    expect(findRepository(repository.dir)?.root).toBe(repository.dir);
  });

  test("git's environment variables don't count", async () => {
    await using repository = await temporaryRepository({ files });
    await using other = await temporaryRepository({ files });
    const before = { ...process.env };
    Object.assign(process.env, { GIT_DIR: join(other.dir, ".git"), GIT_WORK_TREE: other.dir });
    try {
      expect(findRepository(join(repository.dir, "src"))?.root).toBe(repository.dir);
    } finally {
      for (const name of ["GIT_DIR", "GIT_WORK_TREE"]) delete process.env[name];
      Object.assign(process.env, before);
    }
  });

  test("an agent's linked work tree that is gone belongs to the repository around it", async () => {
    await using repository = await temporaryRepository({ files });
    const gone = join(repository.dir, ".qwen/worktrees/agent-0a1b2c3");
    for (const folder of [gone, join(gone, "src")])
      expect(findRepository(folder)?.root).toBe(repository.dir);
  });

  test("no folder, no repository, and one that is broken are none", async () => {
    await using repository = await temporaryRepository({ files });
    const broken = join(repository.dir, "broken");
    mkdirSync(broken);
    writeFileSync(join(broken, ".git"), "gitdir: nowhere\n");
    const empty = join(outside, "empty");
    mkdirSync(join(empty, ".git"), { recursive: true });
    const notThere = join(repository.dir, "gone");
    for (const folder of ["", "\0", outside, empty, broken, notThere, "x".repeat(5000)])
      expect(findRepository(folder)).toBeNull();
    writeFileSync(join(broken, ".git"), "no git file");
    expect(findRepository(broken)).toBeNull();
  });
});

import { chownSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { openRepository, resolveBase, stateDir } from "../../src/git/repository.ts";
import { temporaryRepository } from "../support/temp-repository.ts";

afterEach(() => vi.unstubAllEnvs());

describe("openRepository", () => {
  test("finds the repository from a subfolder, with spaces and non-ASCII in its path", async () => {
    await using repository = await temporaryRepository({
      name: "ein Ordner mit Ü",
      files: { "tief/er/a": "1" },
    });
    const found = await openRepository(join(repository.dir, "tief/er"));
    expect(found).toMatchObject({
      root: repository.dir,
      gitDir: join(repository.dir, ".git"),
      commonDir: join(repository.dir, ".git"),
      objectFormat: "sha1",
      isBare: false,
      isShallow: false,
    });
    expect(stateDir(found)).toBe(join(repository.dir, ".git/skillpr"));
  });

  test("finds it from inside its git folder", async () => {
    await using repository = await temporaryRepository({ files: { a: "1" } });
    const found = await openRepository(join(repository.dir, ".git/hooks"));
    expect(found).toMatchObject({ root: repository.dir, gitDir: join(repository.dir, ".git") });
  });

  test("a linked worktree has its own git folder and shares the rest", async () => {
    await using repository = await temporaryRepository({ files: { "sub/a": "1" } });
    const linked = join(repository.home, "linked");
    await repository.git("worktree", "add", "--quiet", "-b", "side", linked);
    expect(await openRepository(join(linked, "sub"))).toMatchObject({
      root: linked,
      gitDir: join(repository.dir, ".git/worktrees/linked"),
      commonDir: join(repository.dir, ".git"),
    });
  });

  test.each(["line\nbreak", "two\n\nbreaks\n"])("a path with line breaks: %j", async (name) => {
    await using repository = await temporaryRepository({ name, files: { "sub/a": "1" } });
    const gitDir = join(repository.dir, ".git");
    const expected = { root: repository.dir, gitDir, commonDir: gitDir, isBare: false };
    for (const folder of ["", "sub", ".git", ".git/hooks"])
      expect(await openRepository(join(repository.dir, folder))).toMatchObject(expected);
    const linked = join(repository.home, `linked ${name}`);
    await repository.git("worktree", "add", "--quiet", "-b", "side", linked);
    const own = { root: linked, commonDir: gitDir };
    for (const folder of ["", "sub"])
      expect(await openRepository(join(linked, folder))).toMatchObject(own);
    await using bare = await temporaryRepository({ name, isBare: true });
    expect(await openRepository(bare.dir)).toMatchObject({
      root: null,
      isBare: true,
      gitDir: bare.dir,
      commonDir: bare.dir,
    });
  });

  test("a bare repository has no work tree", async () => {
    await using repository = await temporaryRepository({ isBare: true });
    const found = await openRepository(repository.dir);
    expect(found).toMatchObject({ root: null, isBare: true, commonDir: repository.dir });
  });

  test("sha256 and shallow are seen", async () => {
    await using repository = await temporaryRepository({
      objectFormat: "sha256",
      files: { a: "1" },
    });
    await repository.commit("second");
    const clone = join(repository.home, "clone");
    await repository.git("clone", "--quiet", "--depth=1", `file://${repository.dir}`, clone);
    const found = await openRepository(clone);
    expect(found).toMatchObject({ objectFormat: "sha256", isShallow: true });
    expect((await resolveBase(found)).commit).toHaveLength(64);
  });

  test("a submodule is a repository of its own", async () => {
    await using repository = await temporaryRepository({ files: { a: "1" } });
    await using inner = await temporaryRepository({ files: { b: "2" } });
    const allow = ["-c", "protocol.file.allow=always"];
    await repository.git(...allow, "submodule", "add", "--quiet", inner.dir, "inner");
    const found = await openRepository(join(repository.dir, "inner"));
    expect(found).toMatchObject({
      root: join(repository.dir, "inner"),
      gitDir: join(repository.dir, ".git/modules/inner"),
    });
    expect((await resolveBase(found)).commit).toBe(await inner.git("rev-parse", "HEAD"));
  });

  test("inherited GIT_DIR, GIT_INDEX_FILE and GIT_CONFIG_* of a hook change nothing", async () => {
    await using other = await temporaryRepository({ files: { b: "2" } });
    await using repository = await temporaryRepository({ files: { a: "1" } });
    vi.stubEnv("GIT_DIR", join(other.dir, ".git"));
    vi.stubEnv("GIT_WORK_TREE", other.dir);
    vi.stubEnv("GIT_INDEX_FILE", join(other.dir, ".git/index"));
    vi.stubEnv("GIT_CONFIG_PARAMETERS", "'core.bare=true'");
    const found = await openRepository(repository.dir);
    expect(found).toMatchObject({ root: repository.dir, isBare: false });
    expect((await resolveBase(found)).commit).toBe(await repository.git("rev-parse", "HEAD"));
  });

  test.each([
    ["is not there", (dir: string) => join(dir, "nowhere"), /is not a folder that can be opened$/],
    [
      "is a file",
      (dir: string) => join(dir, "repository/a"),
      /is not a folder that can be opened$/,
    ],
    ["is no repository", (dir: string) => dir, /^no git repository at /],
  ])("a folder that %s is an input error", async (_, path, message) => {
    await using repository = await temporaryRepository({ files: { a: "1" } });
    await expect(openRepository(path(repository.home))).rejects.toMatchObject({
      code: "input",
      message: expect.stringMatching(message),
    });
  });

  test("an unknown repository extension asks for a newer git", async () => {
    await using repository = await temporaryRepository({ files: { a: "1" } });
    const config = join(repository.dir, ".git/config");
    const text = readFileSync(config, "utf8").replace("version = 0", "version = 1");
    writeFileSync(config, `${text}[extensions]\n\tfromTheFuture = true\n`);
    await expect(openRepository(repository.dir)).rejects.toMatchObject({
      code: "git",
      message: expect.stringMatching(/needs a newer git: .*fromthefuture/s),
    });
  });

  test.skipIf(process.getuid?.() !== 0)(
    "a repository of somebody else is not trusted (complaint 14)",
    async () => {
      await using repository = await temporaryRepository({ files: { a: "1" } });
      for (const path of [repository.dir, join(repository.dir, ".git")])
        chownSync(path, 12345, 12345);
      await expect(openRepository(repository.dir)).rejects.toMatchObject({
        code: "input",
        message: expect.stringContaining("another user owns it"),
        hint: expect.stringContaining("safe.directory"),
      });
    },
  );
});

describe("resolveBase", () => {
  test("is HEAD's branch, or no ref when it is detached", async () => {
    await using repository = await temporaryRepository({ files: { a: "1" } });
    const opened = await openRepository(repository.dir);
    const commit = await repository.git("rev-parse", "HEAD");
    const tree = await repository.git("rev-parse", "HEAD^{tree}");
    expect(await resolveBase(opened)).toEqual({ ref: "refs/heads/main", commit, tree });
    await repository.git("checkout", "--quiet", "--detach");
    expect(await resolveBase(opened)).toEqual({ ref: null, commit, tree });
  });

  test("is the remote's default branch when there is one", async () => {
    await using repository = await temporaryRepository({ files: { a: "1" } });
    const clone = join(repository.home, "clone");
    await repository.git("clone", "--quiet", repository.dir, clone);
    await repository.gitIn(clone, "commit", "--quiet", "--allow-empty", "-m", "local");
    const opened = await openRepository(clone);
    expect(await resolveBase(opened)).toMatchObject({
      ref: "refs/remotes/origin/main",
      commit: await repository.git("rev-parse", "HEAD"),
    });
    await repository.gitIn(clone, "update-ref", "-d", "refs/remotes/origin/main");
    expect((await resolveBase(opened)).ref).toBe("refs/heads/main");
  });

  test("understands every spelling of a base", async () => {
    await using repository = await temporaryRepository({ files: { a: "1" } });
    const first = await repository.git("rev-parse", "HEAD");
    await repository.git("tag", "-a", "v1", "-m", "tag");
    await repository.commit("second");
    const opened = await openRepository(repository.dir);
    const refs = [];
    for (const name of ["v1", "main~1", first, first.slice(0, 10), "refs/tags/v1"]) {
      const base = await resolveBase(opened, name);
      expect(base.commit).toBe(first);
      refs.push(base.ref);
    }
    expect(refs).toEqual(["refs/tags/v1", null, null, null, "refs/tags/v1"]);
  });

  test("a name that a branch and a tag share is ambiguous", async () => {
    await using repository = await temporaryRepository({ files: { a: "1" } });
    await repository.git("tag", "main");
    const opened = await openRepository(repository.dir);
    await expect(resolveBase(opened, "main")).rejects.toMatchObject({
      code: "input",
      message: expect.stringContaining("ambiguous"),
    });
  });

  test.each([
    "nowhere",
    "@{u}",
    "HEAD@{1000}",
    "--all",
    "-n1",
    "^main",
    "main..main",
    "main:a",
    "",
    "main\n",
    "HEAD^{tree}",
  ])("%j is no base, and the error says what there is", async (ref) => {
    await using repository = await temporaryRepository({ files: { a: "1" } });
    const opened = await openRepository(repository.dir);
    await expect(resolveBase(opened, ref)).rejects.toMatchObject({
      code: "input",
      message: expect.stringContaining("not found"),
      hint: expect.stringContaining("refs/heads/main"),
    });
  });

  test("without a commit there is no base", async () => {
    await using repository = await temporaryRepository();
    mkdirSync(join(repository.dir, "sub"));
    const opened = await openRepository(join(repository.dir, "sub"));
    await expect(resolveBase(opened)).rejects.toMatchObject({
      code: "input",
      message: "the repository has no commit yet",
    });
  });
});

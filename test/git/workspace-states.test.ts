import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { ObjectReader } from "../../src/git/objects.ts";
import { openRepository } from "../../src/git/repository.ts";
import { type TemporaryRepository, temporaryRepository } from "../support/temp-repository.ts";
import { leftIn, open, ROOT } from "./open-workspace.ts";

afterEach(() => vi.unstubAllEnvs());

const FILES = {
  "README.md": "readme\n",
  ".qwen/settings.json": "{}\n",
  [`${ROOT}/one/SKILL.md`]: "one\n",
  [`${ROOT}/one/references/b.md`]: "more\r\n",
};

describe("whatever state the repository is in", () => {
  /** Opens, checks the contents, closes, and compares everything a run must not touch. */
  async function staysAsItWas(
    repository: TemporaryRepository,
    dir = repository.dir,
  ): Promise<void> {
    const before = await repository.snapshot();
    {
      await using workspace = await open(repository, { dir });
      expect(readFileSync(join(workspace.skillsDir, "one/SKILL.md"), "utf8")).toBe("one\n");
    }
    expect(await repository.snapshot()).toEqual(before);
    expect(leftIn(repository)).toEqual([]);
  }

  test("dirty, detached, with an index.lock", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    await repository.git("checkout", "--quiet", "--detach");
    repository.write("README.md", "changed\n");
    repository.write(`${ROOT}/one/SKILL.md`, "changed\n");
    repository.write("untracked", "new\n");
    repository.write(".git/index.lock", "");
    await staysAsItWas(repository);
    expect(existsSync(join(repository.dir, ".git/index.lock"))).toBe(true);
  });

  test("with hooks of every kind, a monitor and filters: none of them runs, and the config stays (complaints 13, 31, 32)", async () => {
    await using repository = await temporaryRepository({
      files: { ...FILES, ".gitattributes": `${ROOT}/** text filter=shout\n` },
    });
    const mark = join(repository.home, "ran");
    const hooks = ["post-checkout", "reference-transaction", "post-index-change", "pre-auto-gc"];
    for (const name of hooks) repository.hook(name, `echo ${name} >> '${mark}'; exit 1`);
    mkdirSync(join(repository.dir, ".husky/_"), { recursive: true });
    for (const name of hooks) {
      const script = readFileSync(join(repository.dir, ".git/hooks", name));
      writeFileSync(join(repository.dir, ".husky/_", name), script, { mode: 0o755 });
    }
    await repository.git("config", "core.autocrlf", "true");
    await repository.git("config", "filter.shout.smudge", `touch '${mark}'; tr a-z A-Z`);
    await repository.git("config", "filter.shout.required", "true");
    await repository.git("config", "core.fsmonitor", `touch '${mark}'; false`);
    await staysAsItWas(repository);
    await repository.git("config", "core.hooksPath", ".husky/_");
    rmSync(mark, { force: true });
    await staysAsItWas(repository);
    // `snapshot` runs git with the user's hooks and monitor, but only commands that call none.
    expect(existsSync(mark)).toBe(false);
  });

  test("ignored .qwen, sparse config, odd worktree settings", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    repository.write(".gitignore", ".qwen\n");
    await repository.commit();
    await repository.git("config", "worktree.useRelativePaths", "true");
    await repository.git("config", "extensions.worktreeConfig", "true");
    await repository.git("config", "core.sparseCheckout", "true");
    await staysAsItWas(repository);
  });

  test("inside a git hook, with its variables", async () => {
    await using other = await temporaryRepository({ files: { x: "1" } });
    await using repository = await temporaryRepository({ files: FILES });
    vi.stubEnv("GIT_DIR", join(other.dir, ".git"));
    vi.stubEnv("GIT_INDEX_FILE", join(other.dir, ".git/index"));
    vi.stubEnv("GIT_CONFIG_COUNT", "1");
    vi.stubEnv("GIT_CONFIG_KEY_0", "core.hooksPath");
    vi.stubEnv("GIT_CONFIG_VALUE_0", "/elsewhere");
    const before = await other.snapshot();
    await staysAsItWas(repository);
    expect(await other.snapshot()).toEqual(before);
  });

  test("a linked worktree beside others stays, and so do prunable ones", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const linked = join(repository.home, "linked");
    const gone = join(repository.home, "gone");
    await repository.git("worktree", "add", "--quiet", "-b", "side", linked);
    await repository.git("worktree", "add", "--quiet", "-b", "lost", gone);
    rmSync(gone, { recursive: true });
    await staysAsItWas(repository, linked);
  });

  test("bare", async () => {
    await using repository = await temporaryRepository({ isBare: true });
    await using source = await temporaryRepository({ files: FILES });
    await source.git("push", "--quiet", repository.dir, "main");
    await staysAsItWas(repository);
  });

  test("sha256", async () => {
    await using repository = await temporaryRepository({ objectFormat: "sha256", files: FILES });
    await staysAsItWas(repository);
  });

  test("a submodule's own repository", async () => {
    await using inner = await temporaryRepository({ files: FILES });
    await using repository = await temporaryRepository({ files: { a: "1" } });
    const allow = ["-c", "protocol.file.allow=always"];
    await repository.git(...allow, "submodule", "add", "--quiet", inner.dir, "inner");
    await staysAsItWas(repository, join(repository.dir, "inner"));
  });

  test("shallow", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    await repository.commit("second");
    const clone = join(repository.home, "clone");
    await repository.git("clone", "--quiet", "--depth=1", `file://${repository.dir}`, clone);
    await using workspace = await open(repository, { dir: clone });
    expect(readFileSync(join(workspace.skillsDir, "one/SKILL.md"), "utf8")).toBe("one\n");
  });
});

describe("a partial clone", () => {
  const missing = async (repository: TemporaryRepository, clone: string) => {
    const list = ["rev-list", "--objects", "--all", "--missing=print"];
    return (await repository.gitIn(clone, ...list)).match(/^\?/gm)?.length ?? 0;
  };

  test("fetches the skills' blobs, all at once, and nothing else", async () => {
    const skills = Object.fromEntries(
      Array.from({ length: 20 }, (_, n) => [`${ROOT}/skill-${n}/SKILL.md`, `skill ${n}\n`]),
    );
    await using repository = await temporaryRepository({ files: { ...FILES, ...skills } });
    const clone = await repository.partialClone();
    const refs = await repository.gitIn(clone, "for-each-ref");
    const config = readFileSync(join(clone, ".git/config"), "utf8");
    expect(await missing(repository, clone)).toBe(24);
    const packs = () =>
      readdirSync(join(clone, ".git/objects/pack")).filter((n) => n.endsWith(".pack"));
    const before = packs().length;
    {
      await using workspace = await open(repository, { dir: clone });
      expect(readFileSync(join(workspace.skillsDir, "skill-7/SKILL.md"), "utf8")).toBe("skill 7\n");
    }
    expect(await missing(repository, clone)).toBe(2);
    expect(packs().length).toBe(before + 1);
    expect(await repository.gitIn(clone, "for-each-ref")).toBe(refs);
    expect(readFileSync(join(clone, ".git/config"), "utf8")).toBe(config);
    expect(existsSync(join(clone, ".git/FETCH_HEAD"))).toBe(false);
  });

  test("says so when its remote is out of reach", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const clone = await repository.partialClone();
    await repository.gitIn(clone, "remote", "set-url", "origin", "file:///nowhere");
    await expect(open(repository, { dir: clone })).rejects.toMatchObject({
      code: "git",
      message: expect.stringContaining("nowhere"),
    });
  });

  test("reads nothing over the network where that is asked for", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const clone = await repository.partialClone();
    const { git } = await openRepository(clone);
    await using reader = new ObjectReader(git.with({ lazyFetch: false }), "sha1");
    await expect(reader.read("HEAD:README.md")).rejects.toMatchObject({ code: "git" });
    expect(await missing(repository, clone)).toBe(4);
  });
});

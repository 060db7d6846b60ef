import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { childEnvironment, quotePath } from "../../src/git/child-environment.ts";
import { Git } from "../../src/git/git.ts";
import { gitVersion, isSupportedGit } from "../../src/git/git-version.ts";
import { openRepository } from "../../src/git/repository.ts";
import { temporaryRepository } from "../support/temp-repository.ts";

afterEach(() => vi.unstubAllEnvs());

describe("the environment of git", () => {
  test("drops everything that redirects git, keeps the transport", () => {
    const environment = childEnvironment(
      {
        GIT_DIR: "/elsewhere",
        GIT_WORK_TREE: "/elsewhere",
        GIT_INDEX_FILE: "/elsewhere",
        GIT_OBJECT_DIRECTORY: "/elsewhere",
        GIT_CONFIG_COUNT: "1",
        GIT_CONFIG_PARAMETERS: "'a.b=c'",
        GIT_EXTERNAL_DIFF: "program",
        GIT_TRACE: "1",
        GIT_SSH_COMMAND: "ssh -i key",
        GIT_SSL_CAINFO: "/certificates",
        https_proxy: "http://proxy.example.com",
      },
      { gitDir: "/repository/.git" },
    );
    expect(environment).toEqual({
      GIT_SSH_COMMAND: "ssh -i key",
      GIT_SSL_CAINFO: "/certificates",
      https_proxy: "http://proxy.example.com",
      GIT_DIR: "/repository/.git",
      GIT_INDEX_FILE: "/repository/.git/skillpr-no-index",
      GIT_ASKPASS: "",
      GIT_NO_REPLACE_OBJECTS: "1",
      GIT_OPTIONAL_LOCKS: "0",
      GIT_TERMINAL_PROMPT: "0",
      LC_ALL: "C",
      SSH_ASKPASS_REQUIRE: "never",
    });
  });

  test("holds no credential of ours", () => {
    const names = ["OPENAI_API_KEY", "GITHUB_TOKEN", "GH_TOKEN", "INPUT_GITHUB-TOKEN", "gh_token"];
    const inherited = Object.fromEntries(names.map((name) => [name, "secret"]));
    expect(Object.values(childEnvironment(inherited, { gitDir: null }))).not.toContain("secret");
  });

  test("names a quarantine so that odd paths stay one path", () => {
    const environment = childEnvironment(
      {},
      { gitDir: "/r", objectDirectory: "/q", alternates: ["/a:b", '/"c"'] },
    );
    expect(environment["GIT_OBJECT_DIRECTORY"]).toBe("/q");
    expect(environment["GIT_ALTERNATE_OBJECT_DIRECTORIES"]).toBe('"/a:b":"/\\"c\\""');
    expect(quotePath("a\nb\\")).toBe('"a\\nb\\\\"');
  });

  test("really starts git with it", async () => {
    await using repository = await temporaryRepository({ files: { a: "1" } });
    vi.stubEnv("GIT_DIR", "/elsewhere");
    vi.stubEnv("GIT_CONFIG_COUNT", "1");
    vi.stubEnv("GIT_CONFIG_KEY_0", "user.name");
    vi.stubEnv("GIT_CONFIG_VALUE_0", "Inherited");
    vi.stubEnv("GITHUB_TOKEN", "secret");
    await repository.git("config", "alias.shown", "!env");
    const { git } = await openRepository(repository.dir);
    const shown = await git.text(["shown"]);
    expect(shown).toContain(`GIT_DIR=${repository.dir}/.git`);
    expect(shown).not.toMatch(/GITHUB_TOKEN|Inherited/);
  });
});

describe("run", () => {
  test("gives bytes, text and expected codes", async () => {
    await using repository = await temporaryRepository({ files: { a: "1" } });
    const { git } = await openRepository(repository.dir);
    const input = Buffer.from([0, 255, 10]);
    const id = await git.text(["hash-object", "-w", "--stdin"], { input });
    expect((await git.run(["cat-file", "blob", id])).stdout).toEqual(input);
    const { code } = await git.run(["rev-parse", "--verify", "nothing"], { okCodes: [128] });
    expect(code).toBe(128);
  });

  test("fails with git's words, escaped", async () => {
    await using repository = await temporaryRepository({ files: { a: "1" } });
    const { git } = await openRepository(repository.dir);
    const failing = git.run(["cat-file", "blob", "no\u202ething"]);
    await expect(failing).rejects.toMatchObject({
      code: "git",
      message: expect.stringMatching(/^git cat-file failed: fatal: .*no\\u\{202e\}thing/),
    });
  });

  test("a call goes with our process group; one with a signal leads its own", async () => {
    await using repository = await temporaryRepository({ files: { a: "1" } });
    await repository.git("config", "alias.group", "!ps -o pgid= -p $$");
    const { git } = await openRepository(repository.dir);
    const { signal } = new AbortController();
    const ours = execFileSync("ps", ["-o", "pgid=", "-p", String(process.pid)], {
      encoding: "utf8",
    });
    expect((await git.text(["group"])).trim()).toBe(ours.trim());
    expect((await git.with({ signal }).text(["group"])).trim()).not.toBe(ours.trim());
  });

  test("stops a call that takes too long, with the helpers it started", async () => {
    await using repository = await temporaryRepository({ files: { a: "1" } });
    await repository.git("config", "alias.slow", "!sleep 30 & wait");
    const { git } = await openRepository(repository.dir);
    const startedAt = Date.now();
    for (const signal of [new AbortController().signal, undefined]) {
      await expect(git.with({ timeoutMs: 200, signal }).run(["slow"])).rejects.toMatchObject({
        code: "git",
        message: "git slow did not finish in time",
      });
    }
    expect(Date.now() - startedAt).toBeLessThan(10_000);
  });

  test("stops on abort, and starts nothing after it", async () => {
    await using repository = await temporaryRepository({ files: { a: "1" } });
    await repository.git("config", "alias.slow", "!sleep 30");
    const { git } = await openRepository(repository.dir);
    const controller = new AbortController();
    const stopping = git.with({ signal: controller.signal });
    const slow = stopping.run(["slow"]);
    setTimeout(() => controller.abort(), 100);
    await expect(slow).rejects.toMatchObject({ code: "interrupted" });
    await expect(stopping.run(["version"])).rejects.toMatchObject({ code: "interrupted" });
  });

  test("says that git is missing, or the folder is gone", async () => {
    await using repository = await temporaryRepository({ files: { a: "1" } });
    const gone = new Git({ gitDir: null, cwd: join(repository.home, "gone") });
    await expect(gone.run(["version"])).rejects.toMatchObject({
      message: expect.stringMatching(/gone is gone$/),
    });
    vi.stubEnv("PATH", repository.tempRoot);
    await expect(openRepository(repository.dir)).rejects.toMatchObject({
      code: "git",
      message: "git was not found",
    });
  });
});

describe("the version of git", () => {
  test("is compared by numbers", () => {
    expect(["2.39.0", "2.39.5", "2.100.0", "3.0"].filter(isSupportedGit)).toHaveLength(4);
    expect(["2.38.9", "2.4.0", "1.99.99"].filter(isSupportedGit)).toEqual([]);
  });

  test("too old is refused with both versions named", async () => {
    await using repository = await temporaryRepository({ files: { a: "1" } });
    const folder = join(repository.home, "old");
    mkdirSync(folder);
    writeFileSync(join(folder, "git"), "#!/bin/sh\necho 'git version 2.20.1 (Vendor 3)'\n");
    chmodSync(join(folder, "git"), 0o755);
    vi.stubEnv("PATH", folder);
    await expect(gitVersion(new Git({ gitDir: null, cwd: folder }))).resolves.toBe("2.20.1");
    await expect(openRepository(repository.dir)).rejects.toMatchObject({
      code: "git",
      message: "git 2.20.1 is too old: skillpr needs 2.39.0 or newer",
    });
  });
});

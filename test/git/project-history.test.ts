import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  HISTORY_OUTPUT_MAX_BYTES,
  HISTORY_SEARCHES_MAX,
  PROJECT_FILE_MAX_BYTES,
} from "../../src/core/limits.ts";
import { GitProjectHistory } from "../../src/git/project-history.ts";
import { openRepository, resolveBase } from "../../src/git/repository.ts";
import { type TemporaryRepository, temporaryRepository } from "../support/temp-repository.ts";

let repository: TemporaryRepository;
let history: GitProjectHistory;
let alarm: string;
const { signal } = new AbortController();
const run = (...args: string[]) => history.run(args, signal);

function script(name: string, body: string): string {
  const path = join(repository.home, name);
  writeFileSync(path, `#!/bin/sh\n${body}\n`, { mode: 0o755 });
  return path;
}

beforeAll(async () => {
  repository = await temporaryRepository({ files: { "src/a.ts": "one\n", "old.txt": "old\n" } });
  alarm = join(repository.home, "alarm");
  repository.write("src/a.ts", "one\ntwo\n");
  repository.write(".gitattributes", "*.ts diff=loud\n");
  await repository.git("rm", "--quiet", "old.txt");
  await repository.commit("second: two");
  // Signed, so that whoever looks at signatures would start the program that checks them.
  const signer = script(
    "signer",
    "cat >&2; echo '[GNUPG:] SIG_CREATED x' >&2; echo '-----BEGIN PGP SIGNATURE-----'; echo '-----END PGP SIGNATURE-----'",
  );
  const signing = ["-c", `gpg.program=${signer}`, "-c", "user.signingKey=x"];
  await repository.git(...signing, "commit", "--quiet", "--amend", "--no-edit", "--gpg-sign");
  await repository.git("tag", "v1");
  // What must not be reachable: a branch that leads on, with a file of its own.
  await repository.git("checkout", "--quiet", "-b", "private");
  repository.write("secret.txt", "unpublished");
  await repository.commit("private work");
  // Everything that a config can make git run; the tests look whether anything did.
  const program = script("alarm-bell", `touch '${alarm}'; cat`);
  for (const [key, value] of [
    ["diff.external", program],
    ["diff.loud.textconv", program],
    ["diff.loud.command", program],
    ["core.pager", program],
    ["pager.log", program],
    ["core.fsmonitor", program],
    ["gpg.program", program],
    ["log.showSignature", "true"],
    ["pretty.loud", "%GG %G? %H"],
    ["format.pretty", "loud"],
    ["blame.ignoreRevsFile", join(repository.home, "nowhere")],
    ["diff.orderFile", join(repository.home, "nowhere")],
    ["color.ui", "always"],
    ["alias.log", `!touch ${alarm}`],
  ] as const)
    await repository.git("config", key, value);
  // Read even where there is no work tree.
  mkdirSync(join(repository.dir, ".git/info"), { recursive: true });
  writeFileSync(join(repository.dir, ".git/info/attributes"), "*.ts diff=loud\n");
  const opened = await openRepository(repository.dir);
  history = new GitProjectHistory(opened, await resolveBase(opened, "main"));
});
afterAll(() => repository[Symbol.asyncDispose]());

describe("what it answers", () => {
  test.each<[string[], string]>([
    [["log", "--oneline"], "second: two"],
    [["--no-pager", "log", "-1", "--format=%s|%an"], "second: two|Robin Example"],
    [["log", "-n", "1", "--", "src/a.ts"], "second: two"],
    [["log", "-1", "src/a.ts"], "second: two"],
    [["log", "-p", "--since", "2000-01-01", "HEAD~1..HEAD"], "+two"],
    [["log", "--stat", "v1"], "old.txt"],
    [["log", "-S", "two", "--oneline"], "second: two"],
    [["log", "-L", "1,1:src/a.ts"], "+one"],
    [["log", "--oneline", "--", "old.txt"], "first"],
    [["show"], "+two"],
    [["show", "--stat", "HEAD"], "src/a.ts"],
    [["show", "HEAD:src/a.ts"], "one\ntwo\n"],
    [["show", "HEAD^:./old.txt"], "old\n"],
    [["diff", "HEAD~1"], "+two"],
    [["diff", "--name-only", "HEAD~1..HEAD", "--", "src"], "src/a.ts"],
    [["diff", "HEAD~1", "@", "src/a.ts"], "+two"],
    [["blame", "src/a.ts"], "Robin Example"],
    [["blame", "-L", "2,2", "HEAD", "--", "src/a.ts"], "two"],
    [["status"], "working tree clean"],
    [["status", "--short"], "working tree clean"],
  ])("git %j", async (args, expected) => {
    const answer = await run(...args);
    expect(answer.stdout).toContain(expected);
    expect(answer.exitCode).toBe(0);
    expect(answer.stdout).not.toContain("\u001b");
  });

  test("without two commits, diff shows nothing of the user's work tree", async () => {
    repository.write("src/a.ts", "changed and not committed");
    for (const args of [["diff"], ["diff", "HEAD"], ["diff", "--cached"], ["diff", "--", "src"]])
      expect(await run(...args)).toMatchObject({ stdout: "", stderr: "", exitCode: 0 });
    expect((await run("show", "HEAD:src/a.ts")).stdout).toBe("one\ntwo\n");
  });

  test("HEAD is the base, wherever the user's is", async () => {
    expect(await repository.git("symbolic-ref", "HEAD")).toBe("refs/heads/private");
    expect((await run("log", "-1", "--format=%s", "HEAD")).stdout).toBe("second: two\n");
  });
});

describe("what it refuses, in a sentence", () => {
  test.each<[string[]]>([
    [["log", "private"]],
    [["log", "HEAD..private"]],
    [["show", "private:secret.txt"]],
    [["log", "--all"]],
    [["log", "--branches"]],
    [["log", "-g"]],
    [["log", "--reflog"]],
    [["log", "HEAD@{1}"]],
    [["log", ":/private"]],
    [["show", ":secret.txt"]],
    [["log", "--output=x"]],
    [["diff", "--output", "x", "HEAD~1"]],
    [["diff", "-Ox", "HEAD~1"]],
    [["diff", "--no-index", "/etc/passwd", "/dev/null"]],
    [["diff", "--ext-diff", "HEAD~1"]],
    [["log", "-p", "--textconv"]],
    [["log", "--show-signature"]],
    [["log", "--format=%G?"]],
    [["log", "--format=%-GG"]],
    [["log", "--pretty=loud"]],
    [["log", "--pretty=format:%h %GS"]],
    [["blame", "--contents", "/etc/passwd", "src/a.ts"]],
    [["blame", "-S", "/etc/passwd", "src/a.ts"]],
    [["blame", "--ignore-revs-file", "/etc/passwd", "src/a.ts"]],
    [["blame", "../outside"]],
    [["log", "--", "../outside"]],
    [["log", "--", "src/../../outside"]],
    [["log", "--", "/etc/passwd"]],
    [["show", "HEAD:../x"]],
    [["-c", "core.pager=x", "log"]],
    [["--git-dir=/tmp", "log"]],
    [["-C", "/tmp", "log"]],
    [["log", "--outp=x"]],
    [["log", "--stdin"]],
    [["log", "--upload-pack=x"]],
    [["config", "--list"]],
    [["ls-remote", "--upload-pack=x", "."]],
    [["push"]],
    [["commit", "-m", "x"]],
    [["checkout", "private"]],
    [["stash", "list"]],
    [["grep", "x"]],
    [["log", "nothing-of-this-name"]],
    [["blame"]],
    [["log", "--date=format:%999999999Y", "-1"]],
    [["log", "--date", "format-local:%Y"]],
    [["blame", "--date=format:%9999Y", "src/a.ts"]],
    [["log", "--format=%D"]],
    [["log", "--format=%h%d"]],
    [["log", "--format=%S"]],
    [["log", "--format=%N"]],
    [["log", "--format=%f"]],
    [["log", "--format=%(trailers:key=Token,valueonly)"]],
    [["log", "--format=%(trailers:key_value_separator=%x20)"]],
    [["show", "--word-diff"]],
    [["log", "-p", "--word-diff=porcelain"]],
    [["log", "--format=%(describe)"]],
    [["log", "--format=%(decorate)"]],
    [["log", "--format=%<(100000000)%s"]],
    [["log", "--format=%w(9999999,9,9)%b"]],
    [["log", "--pretty=tformat:%C(always,red)%h"]],
    [["log", "-L", "1,3:/etc/passwd"]],
    [["log", "-L1,3:../outside"]],
    [["log", "-L1,3:src/../../outside"]],
    [["log", "-E", "--grep=((a{1,255}){1,255}){1,255}"]],
    [["log", "--", "untracked.txt"]],
    [["log", "--", ".git/config"]],
    [["show", "HEAD:/etc/passwd"]],
    [["log", ".."]],
    [["log", "HEAD:src/a.ts"]],
    [["diff", "HEAD~1", "HEAD", "HEAD"]],
    [["diff", "HEAD~1..HEAD", "HEAD"]],
    [["diff", "^HEAD~1"]],
    [["diff", "HEAD:src/a.ts"]],
    [["diff", "HEAD:src/a.ts", "HEAD~1:src/a.ts"]],
    [["blame", "^HEAD", "--", "src/a.ts"]],
    [["blame", "HEAD~1..HEAD", "--", "src/a.ts"]],
    [["blame", "HEAD", "HEAD~1", "--", "src/a.ts"]],
    [["blame", "HEAD:src/a.ts", "--", "src/a.ts"]],
    [["blame", "HEAD", "--", "src"]],
    [["blame", "HEAD", "--", "old.txt"]],
    [["log", "\0"]],
    [["log", ...Array.from({ length: 100 }, () => "HEAD")]],
    [[]],
  ])("git %j", async (args) => {
    const answer = await run(...args);
    expect(answer.stdout).toBe("");
    expect(answer.stderr).toMatch(/^git: \S.*\n$/);
    expect(answer.exitCode).toBeGreaterThan(0);
  });
});

describe("the files of which it shows lines come along whole", () => {
  const now = "one\ntwo\n";
  test.each<[string[], string[]]>([
    [
      ["show", "-U0", "--", "src"],
      ["one\n", now],
    ],
    [
      ["log", "-p", "--graph", "-U0", "--", "src/a.ts"],
      ["one\n", now],
    ],
    [
      ["diff", "-U0", "HEAD~1", "--", "src"],
      ["one\n", now],
    ],
    [
      ["show", "--cc", "-U0", "--", "src"],
      ["one\n", now],
    ],
    [
      ["log", "-L2,2:src/a.ts"],
      ["one\n", now],
    ],
    [
      ["log", "-L", "/two/,+1:src/a.ts"],
      ["one\n", now],
    ],
    [["blame", "-L2,2", "src/a.ts"], [now]],
    [["log", "--stat"], []],
  ])("git %j", async (args, files) => {
    const answer = await run(...args);
    expect(answer.exitCode).toBe(0);
    expect([...(answer.files ?? [])].sort()).toEqual(files);
  });

  test("lines of a file that is too large to come along are left out, and the others are there", async () => {
    await using other = await temporaryRepository({
      files: {
        "a.txt": "small\n",
        "b.txt": `first\n${"x\n".repeat(PROJECT_FILE_MAX_BYTES / 2)}`,
        "c.txt": "c\n",
      },
    });
    for (const name of ["a.txt", "c.txt"]) other.write(name, "changed\n");
    other.write("b.txt", `hidden\n${"x\n".repeat(PROJECT_FILE_MAX_BYTES / 2)}`);
    await other.commit();
    const opened = await openRepository(other.dir);
    const here = new GitProjectHistory(opened, await resolveBase(opened));
    const patch = (await here.run(["show", "-U0"], signal)).stdout;
    expect(patch.match(/^\+(?!\+).*$/gm)).toEqual(["+changed", "+changed"]);
    expect(patch).toContain("too much to be checked for secrets");
    for (const args of [
      ["blame", "-L1,1", "b.txt"],
      ["log", "-L1,1:b.txt"],
    ])
      expect((await here.run(args, signal)).stdout).not.toContain("hidden");
  });
});

test("searches are counted, because each of them answers a question about what is not shown", async () => {
  const opened = await openRepository(repository.dir);
  const here = new GitProjectHistory(opened, await resolveBase(opened, "main"));
  const forms = [
    ["-S", "two"],
    ["-Gtw"],
    ["--grep=sec"],
    ["-L", "/two/,+1:src/a.ts"],
    ["-L:two:src/a.ts"],
  ];
  const ask = (at: number) => here.run(["log", "-1", ...(forms[at % forms.length] ?? [])], signal);
  for (let at = 0; at < HISTORY_SEARCHES_MAX; at++)
    expect((await ask(at)).stderr).not.toContain("searched");
  for (let at = 0; at < forms.length; at++) expect((await ask(at)).stderr).toContain("searched");
  expect((await here.run(["log", "-L1,1:src/a.ts"], signal)).stdout).toContain("+one");
});

test("an object id outside the history is refused too, and a blob's is none", async () => {
  const commit = await repository.git("rev-parse", "private");
  const blob = await repository.git("rev-parse", "private:secret.txt");
  expect((await run("show", commit)).stderr).toContain("does not belong to the history");
  expect((await run("show", blob)).stdout).toBe("");
  expect((await run("show", `${commit.slice(0, 10)}~0`)).stdout).toBe("");
});

describe("nothing of this machine is read, whatever the names of the tracked files", () => {
  const files = {
    config: "tracked\n",
    "a../b": "x\n",
    "a..b": "dots\n",
    "README.md": "committed\n",
  };
  const attempts = [
    "blame -s ^HEAD -- config",
    "blame -s ^HEAD -- README.md",
    "blame -s -- config",
    "diff HEAD:a../b -- config",
    "diff HEAD:a../b -- README.md",
    "diff HEAD:a../b -- .env",
    "diff HEAD:a../b -- .git",
    "diff HEAD:a../b README.md",
    "diff HEAD:a..b -- README.md",
    "diff ^HEAD ^HEAD -- README.md",
    "diff HEAD -- README.md",
    "show ^HEAD -- README.md",
    "log -p -- README.md",
    "log -L1,3:config",
    "log -L1,3:.env",
  ];

  async function look(dir: string): Promise<void> {
    const opened = await openRepository(dir);
    const here = new GitProjectHistory(opened, await resolveBase(opened, "HEAD"));
    for (const attempt of attempts) {
      const { stdout, stderr } = await here.run(attempt.split(" "), signal);
      for (const forbidden of [
        "[core]",
        "repositoryformatversion",
        "not-committed",
        "ignored-secret",
      ])
        expect(stdout + stderr, attempt).not.toContain(forbidden);
      expect(stderr, attempt).not.toMatch(/\/tmp|\/home|\/etc|\.git\//);
    }
    expect((await here.run(["show", "HEAD:a../b"], signal)).stdout).toBe("x\n");
    expect((await here.run(["show", "HEAD:a..b"], signal)).stdout).toBe("dots\n");
    expect((await here.run(["log", "--format=%s", "a..b"], signal)).stdout).not.toBe("");
    expect((await here.run(["blame", "config"], signal)).stdout).toContain("tracked");
  }

  function spoil(dir: string): void {
    writeFileSync(join(dir, "README.md"), "not-committed\n");
    writeFileSync(join(dir, "config"), "not-committed\n");
    writeFileSync(join(dir, ".env"), "ignored-secret\n");
  }

  test("in a plain repository, in one with core.worktree, and in a linked work tree", async () => {
    await using plain = await temporaryRepository({ files });
    spoil(plain.dir);
    await look(plain.dir);
    await plain.git("config", "core.worktree", plain.dir);
    await look(plain.dir);
    await plain.git("config", "--unset", "core.worktree");
    await plain.git("worktree", "add", "--quiet", "--detach", join(plain.home, "linked"));
    spoil(join(plain.home, "linked"));
    await look(join(plain.home, "linked"));
  });

  test("in a submodule that is checked out", async () => {
    await using inner = await temporaryRepository({ files });
    await using outer = await temporaryRepository();
    const allow = ["-c", "protocol.file.allow=always"];
    await outer.git(...allow, "submodule", "--quiet", "add", inner.dir, "module");
    await outer.commit("a submodule");
    spoil(join(outer.dir, "module"));
    await look(join(outer.dir, "module"));
  });
});

test("what git complains of names no folder of this machine", async () => {
  await using damaged = await temporaryRepository({ files: { "a.txt": "x\n" } });
  const opened = await openRepository(damaged.dir);
  const here = new GitProjectHistory(opened, await resolveBase(opened));
  const blob = await damaged.git("rev-parse", "HEAD:a.txt");
  const object = join(damaged.dir, ".git/objects", blob.slice(0, 2), blob.slice(2));
  chmodSync(object, 0o600);
  writeFileSync(object, "damaged");
  const { stderr, exitCode } = await here.run(["show", "HEAD:a.txt"], signal);
  expect(exitCode).not.toBe(0);
  expect(stderr).not.toBe("");
  expect(stderr).not.toContain(damaged.dir);
  expect(stderr).not.toContain("/objects/");
});

test("no program of any config ran, and the repository is as it was", async () => {
  const before = await repository.snapshot();
  for (const command of ["log -p -2", "show", "diff HEAD~1", "blame src/a.ts", "log --format=%h"])
    expect((await run(...command.split(" "))).stdout).not.toBe("");
  expect(existsSync(alarm)).toBe(false);
  expect(await repository.snapshot()).toEqual(before);
});

test("a large answer is cut and says so; an abort ends it", async () => {
  await using large = await temporaryRepository({
    files: { "data.txt": "0123456789abcdef\n".repeat(HISTORY_OUTPUT_MAX_BYTES / 8) },
  });
  const opened = await openRepository(large.dir);
  const long = new GitProjectHistory(opened, await resolveBase(opened));
  const answer = await long.run(["show", "HEAD:data.txt"], signal);
  expect(answer.stdout.length).toBeGreaterThan(HISTORY_OUTPUT_MAX_BYTES - 17);
  expect(answer.stdout.endsWith("\n0123456789abcdef\n")).toBe(true);
  expect(answer.stderr).toContain("is cut");
  expect((await long.run(["show"], AbortSignal.abort())).stderr).toContain("stopped");
});

test("a partial clone answers with what it has, and fetches nothing", async () => {
  const clone = await repository.partialClone();
  const opened = await openRepository(clone);
  const partial = new GitProjectHistory(opened, await resolveBase(opened));
  const packs = await repository.gitIn(clone, "count-objects", "-v");
  expect((await partial.run(["log", "--oneline"], signal)).stdout).toContain("second: two");
  expect((await partial.run(["show", "HEAD:src/a.ts"], signal)).exitCode).not.toBe(0);
  expect(await repository.gitIn(clone, "count-objects", "-v")).toBe(packs);
});

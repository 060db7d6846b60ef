/** Bad input gets a clear error: what was wrong, where, what to do; the exit code of the contract; no stack. */
import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CLI, DEMO_SESSION, reviewDemo, runCli } from "../support/built-cli.ts";
import { type TemporaryRepository, temporaryRepository } from "../support/temp-repository.ts";

const files = { "README.md": "# parcels\n" };

interface Mistake {
  readonly name: string;
  readonly args: readonly string[];
  readonly prepare?: (repository: TemporaryRepository) => void;
  readonly env?: NodeJS.ProcessEnv;
  readonly says: readonly (string | RegExp)[];
}

const mistakes: Mistake[] = [
  {
    name: "no such command",
    args: ["reveiw"],
    says: ["unknown command 'reveiw'", "Did you mean review?"],
  },
  {
    name: "no such flag",
    args: ["review", "--treshold", "5"],
    says: ["unknown option '--treshold'", "Did you mean --threshold?"],
  },
  {
    name: "a flag's value is no number",
    args: ["review", "x", "--threshold", "many"],
    says: ["--threshold", "whole number"],
  },
  {
    name: "a flag's value is no choice",
    args: ["review", "x", "--publish", "everywhere"],
    says: ["--publish", "none, branch, pr, auto"],
  },
  {
    name: "no transcript",
    args: ["review", "--reviewer", "offline"],
    says: ["no transcript was named", "--latest"],
  },
  {
    name: "a transcript that is not there",
    args: ["review", "nowhere.jsonl", "--reviewer", "offline"],
    says: ["nowhere.jsonl"],
  },
  {
    name: "two ways at once",
    args: ["review", "a.jsonl", "--latest", "--reviewer", "offline"],
    says: ["one of --session and --latest"],
  },
  {
    name: "no session in the stores",
    args: ["review", "--latest", "--reviewer", "offline"],
    says: ["session", ".qwen"],
  },
  {
    name: "a skills root outside",
    args: ["review", DEMO_SESSION, "--skills-root", "../x"],
    says: ["--skills-root", ".qwen/skills"],
  },
  {
    name: "a pull request without a token",
    args: ["review", DEMO_SESSION, "--reviewer", "offline", "--publish", "pr"],
    says: ["needs a token", "GITHUB_TOKEN"],
  },
  {
    name: "a broken .skillpr.yml",
    args: ["review", DEMO_SESSION, "--reviewer", "offline"],
    prepare: (r) => r.write(".skillpr.yml", "threshold: [\n"),
    says: [".skillpr.yml", "line"],
  },
  {
    name: "an unknown key in .skillpr.yml",
    args: ["list"],
    prepare: (r) => r.write(".skillpr.yml", "treshold: 5\n"),
    says: [".skillpr.yml", "treshold"],
  },
  {
    name: "publish: no such folder",
    args: ["publish", "nowhere"],
    says: ["nowhere", "review --out"],
  },
  {
    name: "publish: a damaged proposal",
    args: ["publish", "out"],
    prepare: (r) => r.write("out/a/proposal.json", "{"),
    says: ["proposal.json", "not JSON"],
  },
  {
    name: "publish: another version",
    args: ["publish", "out"],
    prepare: (r) => r.write("out/proposal.json", '{"version":99}'),
    says: ["version", "same skillpr"],
  },
  {
    name: "a token in a review of CI that publishes nothing",
    args: ["review", DEMO_SESSION, "--reviewer", "offline", "--publish", "none"],
    env: { CI: "true", GITHUB_TOKEN: "t0ken" },
    says: ["GITHUB_TOKEN", "remove"],
  },
  {
    name: "a model key in a publish of CI",
    args: ["publish", "out"],
    env: { CI: "true", OPENAI_API_KEY: "k3y" },
    says: ["OPENAI_API_KEY", "remove"],
  },
];

describe("exit code 1 and a sentence", () => {
  test.each(mistakes)("$name", async ({ args, prepare, env, says }) => {
    await using repository = await temporaryRepository({ files });
    prepare?.(repository);
    const result = await runCli(repository, args, env === undefined ? {} : { env });
    expect(result.code).toBe(1);
    const said = result.stderr + result.stdout;
    for (const part of says) expect(said).toMatch(part);
    expect(said).not.toMatch(/\n\s+at \S+ \(/);
    expect(said).not.toContain("t0ken");
  });

  test("--json: one object on stdout, also for an error", async () => {
    await using repository = await temporaryRepository({ files });
    const result = await runCli(repository, ["show", "nothing", "--json"]);
    expect(result.json()).toMatchObject({
      status: "failed",
      error: { code: "input", message: expect.any(String), hint: expect.any(String) },
    });
  });
});

describe("hostile names never reach the terminal raw (invariant 7)", () => {
  test("a transcript's session id, model and paths", async () => {
    await using repository = await temporaryRepository({ files });
    const { readFileSync } = await import("node:fs");
    const file = join(repository.home, "evil\u001b[31m.jsonl");
    const text = readFileSync(DEMO_SESSION, "utf8")
      .replaceAll(
        "0d4c8f1e-5a27-4b39-9c60-2e8b7f31a6d4",
        "evil\\u001b]0;title\\u0007 Closes #1 @someone",
      )
      .replaceAll('"version":"0.24.4"', '"version":"1\\nSkillpr-Session: forged"');
    writeFileSync(file, text);
    const result = await runCli(repository, ["review", file, "--reviewer", "offline"]);
    expect(result.code).toBe(0);
    expect(result.stdout + result.stderr).not.toMatch(/(?!\n)\p{Cc}/u);
    const message = await repository.git(
      "log",
      "-1",
      "--format=%B",
      "auto-skill/npm-test-fails-src-labels",
    );
    expect(message).not.toMatch(/@someone|Closes #|^Skillpr-Session: forged/m);
    expect(message.match(/^Skillpr-Session: /gm)).toHaveLength(1);
  });

  test("a branch author's name", async () => {
    await using repository = await temporaryRepository({ files });
    const skill = (await reviewDemo(repository)).json().proposals[0]?.skill ?? "";
    await repository.git("checkout", "-q", `auto-skill/${skill}`);
    await repository.git(
      "-c",
      "user.name=x",
      "commit",
      "-q",
      "--allow-empty",
      "--author",
      "\u001b[31mEve <eve@example.com>",
      "-m",
      "x",
    );
    await repository.git("checkout", "-q", "main");
    const result = await runCli(repository, ["list"]);
    expect(result.stdout).toContain("Eve");
    expect(result.stdout).not.toContain("\u001b");
  });
});

describe("sealed proposals are not trusted", () => {
  async function sealed(
    repository: TemporaryRepository,
  ): Promise<{ dir: string; file: string; proposal: Record<string, unknown> }> {
    const { readFileSync } = await import("node:fs");
    const dir = join(repository.home, "out");
    await reviewDemo(repository, "--publish", "none", "--out", dir);
    const file = join(dir, "npm-test-fails-src-labels/proposal.json");
    return { dir, file, proposal: JSON.parse(readFileSync(file, "utf8")) };
  }

  const forgeries: [
    string,
    (proposal: Record<string, unknown>) => unknown,
    number,
    string | RegExp,
  ][] = [
    [
      "a changed file",
      (p) => ({ ...p, files: [{ path: "SKILL.md", content: "---\nname: x\n---\n" }] }),
      1,
      "not the ones that were sealed",
    ],
    ["a path that escapes", (p) => ({ ...p, skill: "../../evil" }), 1, "skill"],
    [
      "an empty file path",
      (p) => ({ ...p, files: [{ path: "", content: "x" }] }),
      1,
      "files.0.path",
    ],
    [
      "a NUL in a file path",
      (p) => ({ ...p, files: [{ path: "a\u0000b", content: "x" }] }),
      1,
      "files.0.path",
    ],
    [
      "an empty file path",
      (p) => ({ ...p, files: [{ path: "", content: "x" }] }),
      1,
      "files.0.path",
    ],
    [
      "a NUL in a file path",
      (p) => ({ ...p, files: [{ path: "a\u0000b", content: "x" }] }),
      1,
      "files.0.path",
    ],
    [
      "a file path that escapes",
      (p) => ({
        ...p,
        files: [...(p["files"] as unknown[]), { path: "../../../evil.md", content: "x" }],
      }),
      1,
      /files\.\d\.path/,
    ],
    ["another skills root", (p) => ({ ...p, skillsRoot: "src" }), 1, "skills root"],
    ["a skills root that escapes", (p) => ({ ...p, skillsRoot: "../x" }), 1, "skills root"],
    ["an unknown parent", (p) => ({ ...p, parent: "1".repeat(40) }), 1, "repository doesn't have"],
    ["an extra field", (p) => ({ ...p, run: "echo" }), 1, "run"],
    [
      "a huge list of files",
      (p) => ({
        ...p,
        files: Array.from({ length: 500 }, (_, i) => ({
          path: `references/${i}.md`,
          content: "x",
        })),
      }),
      1,
      "files",
    ],
    ["another object format", (p) => ({ ...p, tree: "1".repeat(64) }), 1, "object format"],
  ];

  test.each(forgeries)("%s: nothing is committed", async (_name, forge, exitCode, says) => {
    await using repository = await temporaryRepository({ files });
    const { dir, file, proposal } = await sealed(repository);
    writeFileSync(file, JSON.stringify(forge(proposal)));
    const before = await repository.snapshot();
    const result = await runCli(repository, ["publish", dir]);
    expect(result.code).toBe(exitCode);
    expect(result.stdout + result.stderr).toMatch(says);
    expect(await repository.git("for-each-ref", "refs/heads/auto-skill/")).toBe("");
    expect(await repository.snapshot()).toEqual(before);
  });

  test("a parent that is neither in the base nor the branch's tip: other people's commits don't come along", async () => {
    await using repository = await temporaryRepository({ files });
    const { dir, file, proposal } = await sealed(repository);
    await repository.git("checkout", "-q", "-b", "evil");
    repository.write(".github/workflows/x.yml", "on: push\n");
    const evil = await repository.commit("evil");
    await repository.git("checkout", "-q", "main");
    writeFileSync(
      file,
      JSON.stringify({ ...proposal, parent: evil, base: { ref: "refs/heads/main", commit: evil } }),
    );
    const result = await runCli(repository, ["publish", dir, "--json"]);
    expect(result.json().proposals[0]).toMatchObject({
      operation: "blocked",
      reason: expect.stringContaining("base's history"),
    });
    expect(await repository.git("for-each-ref", "refs/heads/auto-skill/")).toBe("");
  });

  test("what it claims of itself is neither printed raw nor taken for ours", async () => {
    await using repository = await temporaryRepository({ files });
    const { dir, file, proposal } = await sealed(repository);
    const finding = {
      rule: "\u001b]0;pwned\u0007",
      level: "error",
      path: null,
      line: null,
      message: "m",
      hint: "h",
    };
    writeFileSync(file, JSON.stringify({ ...proposal, findings: [finding] }));
    const result = await runCli(repository, ["publish", dir]);
    expect(result.stdout + result.stderr).not.toMatch(/(?!\n)\p{Cc}|pwned/u);
  });

  test("a consistent forgery that breaks a rule is refused by the verifier", async () => {
    await using repository = await temporaryRepository({ files });
    const { dir, file, proposal } = await sealed(repository);
    const content = "---\nname: npm-test-fails-src-labels\ndescription: No marker.\n---\n\nText\n";
    writeFileSync(join(repository.home, "SKILL.md"), content);
    const blob = await repository.git("hash-object", "-w", join(repository.home, "SKILL.md"));
    const { execFileSync } = await import("node:child_process");
    const tree = execFileSync("git", ["mktree"], {
      cwd: repository.dir,
      env: repository.env,
      input: `100644 blob ${blob}\tSKILL.md\n`,
      encoding: "utf8",
    }).trim();
    writeFileSync(
      file,
      JSON.stringify({ ...proposal, tree, files: [{ path: "SKILL.md", content }] }),
    );
    const result = await runCli(repository, ["publish", dir, "--json"]);
    expect(result.code).toBe(2);
    expect(result.json().findings.map(({ rule }) => rule)).toContain("structure.marker");
    expect(await repository.git("for-each-ref", "refs/heads/auto-skill/")).toBe("");
  });

  test("a proposal.json that is a link to elsewhere is read as data, never written", async () => {
    await using repository = await temporaryRepository({ files });
    const dir = join(repository.home, "linked");
    mkdirSync(dir);
    symlinkSync("/etc/hostname", join(dir, "proposal.json"));
    const result = await runCli(repository, ["publish", dir]);
    expect(result.code).toBe(1);
  });
});

test.each(["--help", "review --help"])("a reader that goes away ends `%s` quietly", (args) => {
  // The door's own words are written before any command is loaded.
  const command = `{ "$0" "$1" ${args}; echo "exit $?" >&2; } | true`;
  const shell = spawnSync("bash", ["-c", command, process.execPath, CLI]);
  expect(shell.stderr.toString()).toBe("exit 0\n");
});

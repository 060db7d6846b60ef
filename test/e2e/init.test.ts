/** `skillpr init` on the built program: a repository is made ready, and nothing that is there is lost. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseRepositoryConfig } from "../../src/core/config-file.ts";
import { runCli } from "../support/built-cli.ts";
import { temporaryRepository } from "../support/temp-repository.ts";

const ACTION = `acme/skillpr@${"a".repeat(40)}`;
const FILES = { "README.md": "# parcels\n" };

interface Ready {
  readonly written: string[];
  readonly changed: string[];
  readonly kept: string[];
  readonly hooks: { operation: string; file: string }[];
}

test("makes a repository ready, says each thing, and does nothing the second time", async () => {
  await using repository = await temporaryRepository({ files: FILES });
  const read = (path: string) => readFileSync(join(repository.dir, path), "utf8");
  const flags = ["init", "--action", ACTION, "--workflow", "verify,inbox"];
  const first = await runCli(repository, flags);
  expect(first).toMatchObject({ code: 0, stderr: "" });
  const paths = [
    ".skillpr.yml",
    ".github/workflows/skillpr-verify.yml",
    ".github/workflows/skillpr-inbox.yml",
    ".gitignore",
    ".qwen/settings.json",
  ];
  for (const path of paths) {
    expect(first.stdout).toContain(path);
    expect(existsSync(join(repository.dir, path))).toBe(true);
  }
  expect(read(".github/workflows/skillpr-inbox.yml")).toContain(`uses: ${ACTION}\n`);
  expect(read(".qwen/settings.json")).toContain("SessionEnd");
  // What it wrote is a config that changes nothing.
  expect(
    Object.values(parseRepositoryConfig(read(".skillpr.yml"), "x")).filter((value) => value),
  ).toEqual([]);
  await repository.gitIn(repository.dir, "check-ignore", "-q", ".qwen/pending-skills/a/SKILL.md");
  await expect(repository.git("check-ignore", "-q", ".qwen/skills/a/SKILL.md")).rejects.toThrow();
  const contents = paths.map(read);

  const second = await runCli(repository, [...flags, "--json"]);
  expect(second.json<Ready>()).toMatchObject({
    written: [],
    changed: [],
    kept: paths.slice(0, 4),
    hooks: [{ operation: "unchanged" }],
  });
  expect(paths.map(read)).toEqual(contents);
});

test("leaves what is there: files stay, rules are added below", async () => {
  const files = { ...FILES, ".gitignore": "node_modules", ".skillpr.yml": "threshold: 30\n" };
  await using repository = await temporaryRepository({ files });
  const workflow = join(repository.dir, ".github/workflows/skillpr-verify.yml");
  mkdirSync(join(workflow, ".."), { recursive: true });
  writeFileSync(workflow, "mine\n");
  const { code, json } = await runCli(repository, ["init", "--action", ACTION, "--json"]);
  expect(code).toBe(0);
  expect(json<Ready>()).toMatchObject({
    written: [],
    changed: [".gitignore"],
    kept: [".skillpr.yml", ".github/workflows/skillpr-verify.yml"],
  });
  expect(readFileSync(workflow, "utf8")).toBe("mine\n");
  const ignored = readFileSync(join(repository.dir, ".gitignore"), "utf8");
  expect(ignored).toMatch(/^node_modules\n\n#/);
  expect(ignored).toMatch(/\n\.qwen\/pending-skills\/\n/);
});

test("a dry run and --no-hook write what they say, and no more", async () => {
  await using repository = await temporaryRepository({ files: FILES });
  const before = await repository.snapshot();
  const dry = await runCli(repository, ["init", "--action", ACTION, "--dry-run"]);
  expect(dry.code).toBe(0);
  expect(dry.stdout).toContain("nothing was written");
  expect(await repository.snapshot()).toEqual(before);
  const { code, stdout } = await runCli(repository, ["init", "--no-hook"]);
  expect(code).toBe(0);
  expect(stdout).toContain("name the action with --action");
  expect(existsSync(join(repository.dir, ".qwen"))).toBe(false);
  expect(existsSync(join(repository.dir, ".github"))).toBe(false);
});

test("what isn't pinned, a workflow without the action, and a folder that leads away are refused", async () => {
  await using repository = await temporaryRepository({ files: FILES });
  const before = await repository.snapshot();
  const loose = await runCli(repository, ["init", "--action", "acme/skillpr@v1"]);
  expect(loose.code).toBe(1);
  expect(loose.stderr).toContain("is not pinned to a commit");
  const nameless = await runCli(repository, ["init", "--workflow", "inbox"]);
  expect(nameless.code).toBe(1);
  expect(nameless.stderr).toContain("--workflow needs --action");
  expect(await repository.snapshot()).toEqual(before);
  mkdirSync(join(repository.home, "elsewhere"));
  symlinkSync(join(repository.home, "elsewhere"), join(repository.dir, ".github"));
  const away = await runCli(repository, ["init", "--action", ACTION, "--no-hook"]);
  expect(away.code).toBe(1);
  expect(away.stderr).toContain(".github is a link or a file");
  expect(existsSync(join(repository.home, "elsewhere/workflows"))).toBe(false);
});

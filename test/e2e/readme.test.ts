/** The README holds: its tour is run to the letter, and prints what it says. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { DEMO_SESSION, runCli } from "../support/built-cli.ts";
import { endedSession, expectSilent } from "../support/hook-run.ts";
import { userConfig } from "../support/queue.ts";
import { temporaryRepository } from "../support/temp-repository.ts";

const PROJECT = resolve(import.meta.dirname, "../..");
const README = readFileSync(join(PROJECT, "README.md"), "utf8");

/** What differs from run to run: commit ids and where things lie. */
const settled = (text: string) =>
  text
    .replace(/\b[0-9a-f]{12}\b/g, "<commit>")
    .replace(/\S*\/parcels\b/g, "<parcels>")
    .trim();

/** Bodies of the fenced blocks of one section that are in a language. */
function blocks(section: string, language: string): string[] {
  const found: string[] = [];
  let open: { fence: string; language: string; lines: string[] } | null = null;
  let heading = "";
  for (const line of README.split("\n")) {
    if (open === null && line.startsWith("## ")) heading = line.slice(3);
    if (heading !== section) continue;
    const [, fence, name = ""] = /^(`{3,})(\w*)$/.exec(line) ?? [];
    if (open === null) {
      if (fence !== undefined) open = { fence, language: name, lines: [] };
    } else if (fence === open.fence) {
      if (open.language === language) found.push(open.lines.join("\n"));
      open = null;
    } else open.lines.push(line);
  }
  return found;
}

test("the two commands stand at the top", () => {
  const top = README.split("\n").slice(0, 12).join("\n");
  expect(top).toContain("npm ci && npm run demo");
  expect(top).toContain("npm ci && npm test");
});

test("the sixty-second tour", async () => {
  await using repository = await temporaryRepository();
  const skillpr = join(repository.home, "skillpr");
  mkdirSync(skillpr);
  for (const part of ["dist", "templates"])
    cpSync(join(PROJECT, part), join(skillpr, part), { recursive: true });
  const [setUp = "", accept = ""] = blocks("Sixty seconds", "sh");
  const env = { ...repository.env, TMPDIR: repository.tempRoot, CI: "" };
  const run = (script: string) => {
    const result = spawnSync("sh", ["-e", "-c", script], { cwd: skillpr, env, encoding: "utf8" });
    expect(result).toMatchObject({ status: 0, stderr: "" });
    return result.stdout;
  };
  const [install, ...commands] = setUp.split("\n");
  expect(install).toBe("npm run build");
  const [reviewed, accepted] = blocks("Sixty seconds", "");
  expect(settled(run(commands.join("\n")))).toBe(settled(reviewed ?? ""));
  const [skill] = blocks("Sixty seconds", "markdown");
  expect(
    run(
      "git -C ../parcels show auto-skill/npm-test-fails-src-labels:.qwen/skills/npm-test-fails-src-labels/SKILL.md",
    ).trim(),
  ).toBe(skill?.trim());
  expect(settled(run(accept))).toBe(settled(accepted ?? ""));
});

test("the demo tells the whole story and leaves nothing behind", async () => {
  await using repository = await temporaryRepository();
  const result = await runCli(repository, ["demo"]);
  expect(result).toMatchObject({ code: 0, stderr: "" });
  for (const part of [
    "transcript",
    "verdict",
    "evidence",
    "auto-skill/npm-test-fails-src-labels",
    "source: auto-skill",
    "accepted",
  ])
    expect(result.stdout).toContain(part);
  const { readdirSync } = await import("node:fs");
  expect(
    readdirSync(repository.tempRoot).filter((name) => name.startsWith("skillpr-demo")),
  ).toEqual([]);
});

/** A row of `status` whenever it is looked at. */
const ageless = (line: string) => line.replace(/ +/g, " ").replace(/ (?:now|\d+ min) /, " <age> ");

/** The commands of the recorded session, each with the lines that it printed. */
function recorded(): { readonly command: string; readonly lines: readonly string[] }[] {
  const [text = ""] = blocks("Without thinking of it", "console");
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => part.trim().split("\n"))
    .map(([command = "", ...lines]) => ({ command, lines }));
}

test("the recorded session prints what it says", async () => {
  await using repository = await temporaryRepository();
  const dir = join(repository.home, "parcels");
  cpSync(join(PROJECT, "templates/demo/repository"), dir, { recursive: true });
  await repository.gitIn(repository.home, "init", "--quiet", "-b", "main", dir);
  await repository.gitIn(dir, "add", "-A");
  await repository.gitIn(dir, "commit", "--quiet", "-m", "before the session");
  userConfig(repository, "reviewer: offline\n");
  const place = { ...repository, dir };
  const session = endedSession(place, "0d4c8f1e-5a27-4b39-9c60-2e8b7f31a6d4");
  cpSync(DEMO_SESSION, session.transcript_path ?? "");
  const names: string[] = [];
  for (const { command, lines } of recorded()) {
    const [program, name = "", ...args] = command.split(" ");
    names.push(program === "skillpr" ? name : (program ?? ""));
    if (program === "qwen") {
      await expectSilent(place, session);
      await runCli(place, ["work"]);
      continue;
    }
    const { code, stdout } = await runCli(place, [name, ...args]);
    expect(code, command).toBe(0);
    for (const line of lines.filter((one) => one !== "…"))
      expect(settled(stdout).split("\n").map(ageless), command).toContain(ageless(settled(line)));
  }
  expect(names).toEqual(["install", "qwen", "status", "show", "accept"]);
});

test("every command of the README's table is one, and has a help", async () => {
  await using repository = await temporaryRepository();
  const table = README.slice(
    README.indexOf("## The commands"),
    README.indexOf("## When a session"),
  );
  const commands = [...table.matchAll(/^\| (.+?) \|/gm)].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`(\w+)/g)].map(([, name]) => name ?? ""),
  );
  const help = await runCli(repository, ["--help"]);
  expect(commands.length).toBeGreaterThan(8);
  for (const command of commands) {
    expect(help.stdout).toMatch(new RegExp(`^ {2}${command}\\b`, "m"));
    const own = await runCli(repository, [command, "--help"]);
    expect(own.code).toBe(0);
    expect(own.stdout).toContain("--repo <dir>");
  }
});

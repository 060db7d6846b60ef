/** Every command that the README and the docs name is one that the built program takes, with these flags. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DEMO_SESSION, reviewDemo, runCli } from "../support/built-cli.ts";
import { type TemporaryRepository, temporaryRepository } from "../support/temp-repository.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const PAGES = [
  "README.md",
  "CONTRIBUTING.md",
  ...readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

/** What stands for something that only a reader has. */
const PLACEHOLDERS: readonly [RegExp, string][] = [
  [/<owner>\/skillpr@<[^>]*>/g, `acme/skillpr@${"a".repeat(40)}`],
  [/OWNER\/NAME@COMMIT/g, `acme/skillpr@${"a".repeat(40)}`],
  [/"…"/g, '"not now"'],
  [/\[[^\]]*\]/g, ""],
  [/<[^>]*>|…/g, "release-flow"],
];

/** Commands that only a shell or an agent calls, or that are told about without being one line to type. */
const NOT_TYPED =
  /^skillpr (?:can|is|and|keeps|needs|reads|says|to|would|also|on|in|or|then|itself|doesn't)\b/;

interface Documented {
  readonly page: string;
  readonly line: string;
  readonly args: readonly string[];
}

function documented(page: string): Documented[] {
  const text = readFileSync(join(ROOT, page), "utf8");
  const inline = [...text.matchAll(/`((?:skillpr|node dist\/cli\.js) [^`]+)`/g)].map(
    ([, line = ""]) => line,
  );
  const typed = [...text.matchAll(/^ *(?:\$ )?((?:skillpr|node dist\/cli\.js) .*)$/gm)].map(
    ([, line = ""]) => line,
  );
  return [...inline, ...typed]
    .map((line) => line.replace(/(?: {2,}| #).*$/, "").trim())
    .filter((line) => !NOT_TYPED.test(line))
    .map((line) => ({ page, line, args: argumentsOf(line) }));
}

function argumentsOf(line: string): string[] {
  let filled = line.replace(/^skillpr|^node dist\/cli\.js/, "").replaceAll("\\|", "|");
  for (const [what, by] of PLACEHOLDERS) filled = filled.replace(what, by);
  // Of several choices the first.
  filled = filled.replace(/([\w-]+)(?:\|[\w-]+)+/g, "$1");
  return [...filled.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? "",
  );
}

/** Those that need nothing else: they are run. */
const ALONE = { list: 0, status: 0, work: 0, doctor: 0, adopt: 0, report: 0, init: 0, demo: 0 };

const all = [...new Map(PAGES.flatMap(documented).map((one) => [one.line, one])).values()];

let repository: TemporaryRepository;
beforeAll(async () => {
  repository = await temporaryRepository({ files: { "README.md": "# parcels\n" } });
  for (const name of ["session.jsonl", "session-1.jsonl", "session-2.jsonl"])
    cpSync(DEMO_SESSION, join(repository.dir, name));
  mkdirSync(join(repository.dir, "templates/demo"), { recursive: true });
  cpSync(DEMO_SESSION, join(repository.dir, "templates/demo/session.jsonl"));
  expect(await reviewDemo(repository)).toMatchObject({ code: 0 });
});
afterAll(async () => repository[Symbol.asyncDispose]());

/** How the program answers a command that it doesn't take: in commander's words, or as wrong usage. */
const COMPLAINT =
  /^error: .*(?:unknown|missing|too many|is invalid)|"code":"usage"|\(skillpr --help lists/m;

/** Runs one, or asks for its help where it is only named. @returns its exit code, and the complaint if there is one */
async function tried([command = "", ...rest]: readonly string[]) {
  const given = rest.filter((arg, at) => arg !== "--repo" && rest[at - 1] !== "--repo");
  // Just named, not called: that there is such a command is all that can be asked.
  const isCommand = /^[a-z]/.test(command) && !(command in ALONE);
  const isNamed = isCommand && given.every((arg) => /^[a-z]+$/.test(arg));
  const flags = isNamed ? [...given, "--help"] : given.filter((arg) => arg !== "--yes");
  const { code, stdout, stderr } = await runCli(repository, [command, ...flags]);
  // Help for a command that isn't there is the program's own.
  if (isNamed && !stdout.startsWith(`Usage: skillpr ${command}`))
    return { code, isNamed, complaint: `no help for ${command}` };
  return { code, isNamed, complaint: COMPLAINT.exec(`${stdout}\n${stderr}`)?.[0] ?? null };
}

test("there are commands to look at", () => {
  expect(all.length).toBeGreaterThan(30);
});

test.each([
  ["a command that isn't there", "skillpr revue session.jsonl"],
  ["one that is only named", "skillpr revue"],
  ["a flag that isn't there", "skillpr review --latest --reviewed offline"],
  ["a value that isn't one of the choices", "skillpr review --latest --reviewer online"],
  ["a number that is none", "skillpr review --latest --max-turns many"],
  ["a flag without its value", "skillpr report --html"],
  ["an argument too much", "skillpr list release-flow-one"],
  ["an argument that is missing", "skillpr show --json"],
  ["a subcommand that isn't there", "skillpr skillbook print --json"],
])("%s would be found", async (_, line) => {
  expect((await tried(argumentsOf(line))).complaint).not.toBeNull();
});

test.each(all)("$page: $line", async ({ args }) => {
  // Its output is no JSON, and its input is a message from an agent.
  if (args[0] === "hook") return;
  const { code, isNamed, complaint } = await tried(args);
  expect(complaint).toBeNull();
  if (isNamed) expect(code).toBe(0);
  else expect([0, 1, 2, 3]).toContain(code);
});

test("every npm script that they name is there", () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const named = PAGES.filter((page) => existsSync(join(ROOT, page))).flatMap((page) =>
    [...readFileSync(join(ROOT, page), "utf8").matchAll(/npm run ([\w:-]+)/g)].map(
      ([, name = ""]) => name,
    ),
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

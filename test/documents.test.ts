/** What the documents name is there: files, tests, pages. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "..");
const pages = [
  "README.md",
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  ...readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];
const read = (page: string) => readFileSync(join(ROOT, page), "utf8");

describe.each(pages)("%s", (page) => {
  test("links to files that are there", () => {
    const links = [...read(page).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
      .map(([, target = ""]) => target)
      .filter((target) => !/^[a-z]+:/.test(target) && !target.includes("<"));
    const missing = links.filter((target) => !existsSync(resolve(ROOT, dirname(page), target)));
    expect(missing).toEqual([]);
  });
});

test("the threat model's files and tests are there", () => {
  const rows = read("docs/threat-model.md")
    .split("\n")
    .filter((line) => /^\| (?!actor )[a-z]/.test(line) && line.split("|").length === 7)
    .map((line) => line.split("|").map((cell) => cell.trim()));
  expect(rows.length).toBeGreaterThan(20);
  const named = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
  const isFile = (name: string) =>
    [`src/${name}`, `src/verify/rules/${name}`].some((path) => existsSync(join(ROOT, path)));
  const isTest = (name: string) =>
    name.startsWith("npm run ") ||
    [`test/${name}`, `test/${name}.test.ts`].some((path) => existsSync(join(ROOT, path)));
  for (const [, , vector = "", , files = "", tests = ""] of rows) {
    expect(
      named(files).filter((name) => !isFile(name)),
      vector,
    ).toEqual([]);
    expect(
      named(tests).filter((name) => !isTest(name)),
      vector,
    ).toEqual([]);
    expect(named(files), vector).not.toEqual([]);
  }
});

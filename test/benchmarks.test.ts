/** docs/benchmarks.md is what the script makes of bench/results.json, and the numbers are what they are said to be. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "..");
const read = (name: string) => readFileSync(join(ROOT, name), "utf8");
const { benches } = JSON.parse(read("bench/results.json"));

interface Row {
  readonly id: string;
  readonly ours: { readonly median: number };
  readonly theirs: { readonly median: number } | null;
  readonly value: number;
}

const rows: Row[] = Object.values<{ rows: Row[] }>(benches).flatMap((bench) => bench.rows);

/** What a program prints that may import the modules of `bench/`: they are JavaScript without types. */
function printed(program: string): string {
  const args = ["--input-type=module", "-e", program];
  return execFileSync(process.execPath, args, { cwd: ROOT, encoding: "utf8" });
}

test("the page is made of the results", () => {
  const page = printed(`import { benchmarksPage } from "./bench/page.mjs";
import { readFileSync } from "node:fs";
process.stdout.write(benchmarksPage(JSON.parse(readFileSync("bench/results.json", "utf8"))));`);
  expect(read("docs/benchmarks.md")).toBe(page);
});

test.each([
  ["half of theirs", 50, 100, true],
  ["twice theirs", 200, 100, false],
  ["theirs took less than nothing", 50, -100, false],
  ["both took less than nothing", -50, -100, false],
  ["ours took less than nothing", -50, 100, false],
  ["theirs is missing", 50, undefined, false],
  ["ours is missing", undefined, 100, false],
])("with a bar of 1: %s", (_, ours, theirs, isOk) => {
  // Through JSON, as each benchmark hands its rows over: what is no number is null there.
  const good = printed(`import { compared, isGood } from "./bench/support.mjs";
const row = compared({ ours: { median: ${ours} }, theirs: { median: ${theirs} }, bar: 1 });
process.stdout.write(String(isGood(JSON.parse(JSON.stringify(row)))));`);
  expect(good).toBe(String(isOk));
});

test.each(["[]", "[1, undefined]", "[1, NaN]"])("of %s there is no median", (values) => {
  const said = printed(`import { statistic } from "./bench/support.mjs";
try { process.stdout.write(JSON.stringify(statistic(${values}))); }
catch (error) { process.stdout.write(error.message); }`);
  expect(said).toMatch(/^not measured: /);
});

test("the value of each row is what the page says: the ratio of the medians, or our own", () => {
  expect(rows.length).toBeGreaterThan(5);
  for (const { id, ours, theirs, value } of rows)
    expect(value, id).toBe(ours.median / (theirs?.median ?? 1));
});

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
  [50, true],
  [200, false],
  [-50, false],
])("%d ms beside 100 ms of a bar of 1, and beside what took less than nothing", (median, isOk) => {
  const [ours, theirs] = [Math.abs(median), median < 0 ? -100 : 100];
  const good = printed(`import { compared, isGood } from "./bench/support.mjs";
const row = compared({ ours: { median: ${ours} }, theirs: { median: ${theirs} }, bar: 1 });
process.stdout.write(String(isGood(row)));`);
  expect(good).toBe(String(isOk));
});

test("the value of each row is what the page says: the ratio of the medians, or our own", () => {
  expect(rows.length).toBeGreaterThan(5);
  for (const { id, ours, theirs, value } of rows)
    expect(value, id).toBe(ours.median / (theirs?.median ?? 1));
});

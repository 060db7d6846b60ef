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

test("the page is made of the results", () => {
  const program = `import { benchmarksPage } from "./bench/page.mjs";
process.stdout.write(benchmarksPage(JSON.parse((await import("node:fs")).readFileSync("bench/results.json", "utf8"))));`;
  const page = execFileSync(process.execPath, ["--input-type=module", "-e", program], {
    cwd: ROOT,
    encoding: "utf8",
  });
  expect(read("docs/benchmarks.md")).toBe(page);
});

test("the value of each row is what the page says: the ratio of the medians, or our own", () => {
  expect(rows.length).toBeGreaterThan(5);
  for (const { id, ours, theirs, value } of rows)
    expect(value, id).toBe(ours.median / (theirs?.median ?? 1));
});

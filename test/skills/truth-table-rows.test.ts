/** Each row of the truth tables of ACE's update operations stands in the name of a test. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

/** How many rows each table has: A asserted by ACE's own tests, B provenance, C derived edge cases. */
const ROWS = { A: 28, B: 13, C: 23 };
const IDS = Object.entries(ROWS).flatMap(([table, rows]) =>
  Array.from({ length: rows }, (_, at) => `${table}${at + 1}`),
);
const HERE = import.meta.dirname;
const FACTS = join(HERE, "../../../shared/facts/ace-operations.md");

/** The names of the tests of this folder: texts that begin with ids of rows, as a title or as the first of a row of `it.each`. */
function namedRows(): Set<string> {
  const files = readdirSync(HERE).filter((name) => name.endsWith(".test.ts"));
  const text = files.map((name) => readFileSync(join(HERE, name), "utf8")).join("\n");
  const name =
    /(?:\bit\(|\bdescribe\(|\bit\.each\(.*|\]\)\(|\[|^) *["`]((?:[ABC]\d+(?:, )?)+)[^"`]*["`]/gm;
  return new Set(Array.from(text.matchAll(name), ([, ids = ""]) => ids.split(", ")).flat());
}

it.each(IDS)("row %s is in the name of a test", (id) => {
  expect(namedRows()).toContain(id);
});

it.runIf(existsSync(FACTS))("the list is that of the facts", () => {
  const rows = readFileSync(FACTS, "utf8").matchAll(/^\| ([ABC]\d+) \|/gm);
  expect(Array.from(rows, ([, id]) => id)).toEqual(IDS);
});

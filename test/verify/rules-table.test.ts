import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { RULE_NAMES } from "../../src/core/rule-names.ts";
import { RULES } from "../../src/verify/rules.ts";
import { rulesTable } from "../../src/verify/rules-table.ts";

const RULE_FILES = new URL("../../src/verify/rules/", import.meta.url);
const PAGE = new URL("../../docs/verifier.md", import.meta.url);

describe("the table of rules", () => {
  it("has every file of rules/ once, under its name", () => {
    const files = readdirSync(RULE_FILES, { recursive: true, encoding: "utf8" });
    const fromFiles = files
      .filter((file) => file.endsWith(".ts"))
      .map((file) => file.replace(/\.ts$/, "").replaceAll("\\", "/"))
      .map((file) => (file.includes("/") ? file.replace("/", ".") : `structure.${file}`));
    expect(RULES.map(({ id }) => id).sort()).toEqual(fromFiles.sort());
  });

  it("has the rules that a config may name", () => {
    const ids = RULES.map(({ id }) => id);
    const kinds = ids.map((id) => `${id.split(".")[0]}.*`);
    expect([...RULE_NAMES].sort()).toEqual([...new Set([...ids, ...kinds])].sort());
  });

  it("has one row for each rule, with cells that don't break it", () => {
    const rows = rulesTable().trimEnd().split("\n").slice(2);
    expect(rows).toHaveLength(RULES.length);
    for (const row of rows) expect(row.split(/(?<!\\)\|/)).toHaveLength(7);
  });

  it("stands in docs/verifier.md as the code has it", () => {
    const page = readFileSync(PAGE, "utf8");
    const start = "<!-- rules: generated, see test/verify/rules-table.test.ts -->\n";
    const between = page.split(start)[1]?.split("<!-- /rules -->")[0];
    expect(between).toBe(rulesTable());
  });
});

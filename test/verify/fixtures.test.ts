/** The folder name is the test case: each holds one defect, and this table says who finds it. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ROOT, verdictOf } from "./verify-input.ts";

const FIXTURES = new URL("../fixtures/skills/", import.meta.url);

/** Fixture → the rules that refuse it, with the line. */
const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  valid: [],
  "valid-top-level-marker": [],
  "valid-other-keys": [],
  hooks: ["frontmatter:5"],
  "allowed-tools": ["frontmatter:5"],
  "allowed-tools-camel-case": ["frontmatter:5"],
  model: ["frontmatter:5"],
  "unknown-key": ["frontmatter:5"],
  "duplicate-key": ["frontmatter:5", "marker:5"],
  anchor: ["frontmatter:5", "marker:5"],
  alias: ["frontmatter:5", "frontmatter:6", "marker:5"],
  "merge-key": ["frontmatter:5", "marker:5"],
  tag: ["frontmatter:5", "marker:5"],
  "proto-key": ["frontmatter:5", "marker:5"],
  "second-document": ["frontmatter:5", "marker:5"],
  "document-end": ["frontmatter:5", "frontmatter:6", "marker:5"],
  "fence-in-description": ["frontmatter:3", "marker:3"],
  "unquoted-colon": ["frontmatter:3", "marker:3"],
  "metadata-not-strings": ["frontmatter:5"],
  "metadata-nested": ["frontmatter:5"],
  "version-number": ["frontmatter:4"],
  "no-frontmatter": ["frontmatter:1", "marker:1"],
  "frontmatter-not-first": ["frontmatter:1", "marker:1"],
  "frontmatter-unclosed": ["frontmatter:1", "marker:1"],
  "marker-missing": ["marker"],
  "marker-quoted": ["marker:6"],
  "marker-with-comment": ["marker:6"],
  "marker-in-block-scalar": ["marker:6"],
  "marker-in-body-only": ["marker"],
  "marker-twice": ["marker:6"],
  "marker-contradicted": ["marker:5"],
  "marker-nbsp": ["marker:6"],
  "marker-homoglyph": ["hidden.mixed-script:6", "marker"],
  "name-mismatch": ["name:2"],
  "name-missing": ["name"],
  "name-upper-case": ["name:2"],
  "description-missing": ["description"],
  "description-empty": ["description:3"],
  "description-long": ["description:3"],
  "description-two-lines": ["description:3"],
  "description-list": ["description:3"],
  "compatibility-long": ["frontmatter:5"],
  "body-long-line": ["size:12"],
};

describe("test/fixtures/skills", () => {
  it("has an expectation for every folder", () => {
    expect(Object.keys(EXPECTED).sort()).toEqual(readdirSync(FIXTURES).sort());
  });

  it.each(Object.entries(EXPECTED))("%s", (folder, expected) => {
    const text = readFileSync(new URL(`${folder}/SKILL.md`, FIXTURES), "utf8");
    const path = `${ROOT}/${folder}/SKILL.md`;
    const found = verdictOf({ next: { [path]: text } }).map((place) =>
      place.replace("structure.", "").replace(` ${path}`, ""),
    );
    expect(found.sort()).toEqual([...expected].sort());
  });
});

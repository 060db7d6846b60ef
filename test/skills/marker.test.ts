import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mentionsMarker, readMarker } from "../../src/skills/marker.ts";

/** A file whose frontmatter holds these lines after name and description. */
function withLines(...lines: string[]): string {
  return ["---", "name: a", "description: b", ...lines, "---", "", "# Text", ""].join("\n");
}

const UNDER_METADATA = ["metadata:", "  source: auto-skill"];

describe("readMarker", () => {
  it.each([
    [
      "under metadata, which validators of the specification take (complaint 38)",
      withLines(...UNDER_METADATA),
      ["metadata"],
    ],
    ["at the top level", withLines("source: auto-skill"), ["top-level"]],
    ["in both", withLines("source: auto-skill", ...UNDER_METADATA), ["metadata", "top-level"]],
    [
      "as Qwen Code writes it",
      withLines("source: auto-skill", "extracted_at: '2026-11-29T12:00:00.000Z'"),
      ["top-level"],
    ],
    [
      "after other metadata",
      withLines("metadata:", "  team: build", "  source: auto-skill"),
      ["metadata"],
    ],
    ["beside a comment", withLines("# source: human", "source: auto-skill"), ["top-level"]],
  ])("recognises the marker %s", (_name, text, where) => {
    expect(readMarker(text)).toEqual({ isAutoSkill: true, where, problems: [] });
  });

  it.each([
    ["nothing", withLines()],
    ["another source", withLines("source: learned")],
    ["another source under metadata", withLines("metadata:", "  source: auto-extracted")],
    ["the marker in the body only", `${withLines()}source: auto-skill\n`],
    ["a homoglyph in the value", withLines("source: auto-sk\u0456ll")],
    ["a homoglyph in the key", withLines("s\u043eurce: auto-skill")],
    ["a comment", withLines("# source: auto skilled people")],
  ])("takes a file with %s for unmarked", (_name, text) => {
    expect(readMarker(text)).toMatchObject({ isAutoSkill: false, where: [] });
  });

  it.each([
    ["quoted", withLines("source: 'auto-skill'"), 4],
    ["double-quoted", withLines("metadata:", '  source: "auto-skill"'), 5],
    ["quoted key", withLines('"source": auto-skill'), 4],
    ["escaped key", withLines('"sour\\x63e": auto-skill'), null],
    ["trailing comment", withLines("source: auto-skill # c"), 4],
    ["trailing space", withLines("source: auto-skill "), 4],
    ["two spaces", withLines("source:  auto-skill"), 4],
    ["next line", withLines("source:", "  auto-skill"), 4],
    ["flow map", withLines("metadata: {source: auto-skill}"), null],
    ["block scalar", withLines("compatibility: |", "  source: auto-skill"), 5],
    ["block scalar under metadata", withLines("metadata:", "  n: |", "    source: auto-skill"), 6],
    ["quoted text over two lines", withLines("license: 'x", "  source: auto-skill", "  y'"), 5],
    ["duplicate", withLines("source: auto-skill", "source: auto-skill"), 5],
    ["duplicate with another value", withLines("source: auto-skill", "source: human"), 5],
    ["alias", withLines("license: &m auto-skill", "source: *m"), 4],
    ["anchor", withLines("source: &m auto-skill"), 4],
    ["merge key", withLines("<<: {source: auto-skill}"), 4],
    ["tag", withLines("source: !!str auto-skill"), 4],
    ["`---` in a description", withLines("license: a --- b", "source: auto-skill"), 4],
    ["second document", withLines("source: auto-skill", "--- ", "source: human"), 5],
    ["document end", withLines("source: auto-skill", "...", "source: human"), 5],
    ["NBSP after the colon", withLines("source:\u00a0auto-skill"), null],
    ["NBSP before the value", withLines("source: \u00a0auto-skill"), 4],
    ["NBSP after the value", withLines("source: auto-skill\u00a0"), 4],
    ["NBSP as indentation", withLines("metadata:", "\u00a0source: auto-skill"), null],
    ["zero-width space", withLines("source: auto-skill\u200b"), 4],
    ["byte order mark", `\ufeff${withLines("source: auto-skill")}`, 1],
    ["CR", withLines("source: auto-skill").replaceAll("\n", "\r"), 1],
    ["CRLF", withLines("source: auto-skill").replaceAll("\n", "\r\n"), 1],
    ["lone CR before the line", withLines("license: x\rsource: auto-skill"), 4],
    ["line separator", withLines("license: x\u2028source: auto-skill"), 4],
    ["tab indentation", withLines("metadata:", "\tsource: auto-skill"), 5],
    ["tab after the colon", withLines("source:\tauto-skill"), 4],
    ["upper case", withLines("source: auto-skill", "Source: human"), 5],
    ["contradiction between the places", withLines("source: human", ...UNDER_METADATA), 4],
    ["contradiction without a string", withLines("source: [auto-skill]", ...UNDER_METADATA), 4],
    ["too deep", withLines("metadata:", "  x:", "    source: auto-skill"), 6],
    ["another map", withLines("compatibility:", "  source: auto-skill"), 5],
    ["a list", withLines("metadata:", "  - source: auto-skill"), 5],
    ["__proto__", withLines("__proto__:", "  source: auto-skill", "source: auto-skill"), 4],
    ["a value that goes on", withLines("source: auto-skill", "  or so"), 4],
    ["no closing line", "---\nname: a\nsource: auto-skill\n", 1],
    ["a blank line before", `\n${withLines("source: auto-skill")}`, 1],
    [
      "no space before a comment of metadata",
      withLines("metadata: # c", "  source: auto-skill"),
      5,
    ],
  ])("refuses the trap: %s", (_name, text, line) => {
    const marker = readMarker(text);
    expect(marker.isAutoSkill).toBe(false);
    if (line === null) return;
    expect(marker.problems.map((problem) => problem.line)).toContain(line);
  });

  it("ends on an alias bomb", () => {
    const bomb = Array.from({ length: 30 }, (_, n) => `k${n}: &k${n} [*k${n - 1}, *k${n - 1}]`);
    expect(readMarker(withLines(...bomb, "source: auto-skill")).isAutoSkill).toBe(false);
  });

  it("agrees with a reader of raw lines whenever it says yes", () => {
    const piece = fc.constantFrom(
      "source: auto-skill",
      "  source: auto-skill",
      "metadata:",
      "source",
      ": ",
      "auto-skill",
      "\n",
      "'",
      "|",
      "# ",
      "---",
      "a: b",
      "{",
      "}",
      "\u00a0",
      "\r",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const text = `---\n${pieces.join("")}\n---\n`;
        if (!readMarker(text).isAutoSkill) return;
        const [, block = ""] = /^---\n([\s\S]*?)\n---(?:\n|$)/.exec(text) ?? [];
        expect(block).toMatch(/^\s*source:\s*auto-skill\s*$/m);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("mentionsMarker", () => {
  it.each([
    ["the marker", withLines("source: auto-skill"), true],
    ["a broken marker", withLines("source: 'Auto_Skill' # c"), true],
    ["a broken marker in an unclosed block", "---\nsource: auto-skill\n", true],
    ["another source", withLines("source: learned"), false],
    ["the body only", `${withLines()}source: auto-skill\n`, false],
  ])("of %s", (_name, text, expected) => {
    expect(mentionsMarker(text)).toBe(expected);
  });
});

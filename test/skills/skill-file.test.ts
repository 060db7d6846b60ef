import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FRONTMATTER_MAX_BYTES } from "../../src/core/limits.ts";
import { readMarker } from "../../src/skills/marker.ts";
import {
  lineOfKey,
  parseSkillFile,
  renderSkillFile,
  type SkillToRender,
} from "../../src/skills/skill-file.ts";

const LESSON: SkillToRender = {
  name: "release-flow",
  description: "Cut a release. Use when a version is to be published.",
  version: "1.0.0",
  extractedAt: "2026-11-29T12:00:00Z",
  marker: "metadata",
  body: "# Release flow\n\nRun the tests first.",
};

function problemsOf(text: string): string[] {
  const parsed = parseSkillFile(text);
  return parsed.ok ? [] : parsed.problems.map(({ rule, line }) => `${rule}:${line}`);
}

describe("renderSkillFile", () => {
  it("writes the shape of the contract", () => {
    expect(renderSkillFile(LESSON)).toBe(`---
name: release-flow
description: Cut a release. Use when a version is to be published.
version: 1.0.0
metadata:
  source: auto-skill
  extracted_at: '2026-11-29T12:00:00Z'
---

# Release flow

Run the tests first.
`);
  });

  it("writes the marker at the top level, or in both places", () => {
    expect(renderSkillFile({ ...LESSON, marker: "top-level" })).toContain(
      "version: 1.0.0\nsource: auto-skill\nextracted_at: '2026-11-29T12:00:00Z'\n---\n",
    );
    const both = renderSkillFile({ ...LESSON, marker: "both" });
    expect(readMarker(both)).toMatchObject({ isAutoSkill: true, where: ["metadata", "top-level"] });
  });

  it("keeps the keys of the previous version that it doesn't set itself", () => {
    const keep = {
      name: "old",
      description: "old",
      version: "0.9.0",
      source: "auto-skill",
      license: "Apache-2.0",
      metadata: { source: "auto-skill", extracted_at: "2025-01-01T00:00:00Z", team: "build" },
    };
    expect(renderSkillFile({ ...LESSON, keep })).toBe(
      renderSkillFile(LESSON).replace(
        /metadata:\n(.*\n.*\n)/,
        "license: Apache-2.0\nmetadata:\n$1  team: build\n",
      ),
    );
  });

  it("puts the description on one line without `---`, and the body into LF", () => {
    const text = renderSkillFile({
      ...LESSON,
      description: " First\n  line --- and\tmore ",
      body: "\r\n\n# Heading\r\ntext\r\n\n\n",
    });
    expect(text).toContain("description: First line – and more\n");
    expect(text.endsWith("---\n\n# Heading\ntext\n")).toBe(true);
    expect(text).not.toContain("\r");
  });

  it("keeps the indentation of a body that starts with code", () => {
    expect(renderSkillFile({ ...LESSON, body: "\n    indented\n" })).toContain(
      "\n\n    indented\n",
    );
  });

  it("is read back, marker included, whatever stands in description and body", () => {
    const places = fc.constantFrom("metadata" as const, "top-level" as const, "both" as const);
    const word = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.constantFrom("source: auto-skill", "---", "a: b", "# c", "'", '"', "\n", "- x"),
    );
    const words = fc.array(word, { minLength: 1, maxLength: 8 }).map((list) => list.join(" "));
    fc.assert(
      fc.property(words, words, places, (description, body, marker) => {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: a parser refuses them, by design
        const plain = `x ${description.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "")}`;
        const text = renderSkillFile({ ...LESSON, description: plain, body, marker });
        const parsed = parseSkillFile(text);
        expect(parsed.ok).toBe(true);
        if (!parsed.ok) return;
        expect(parsed.skill.description).toBe(
          plain.replace(/\s+/g, " ").trim().replace(/-{3,}/g, "–"),
        );
        expect(readMarker(text).isAutoSkill).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe("parseSkillFile", () => {
  it("gives the fields, the raw block and where the body starts", () => {
    const parsed = parseSkillFile(renderSkillFile(LESSON));
    expect(parsed.ok && parsed.skill).toMatchObject({
      name: "release-flow",
      description: LESSON.description,
      version: "1.0.0",
      extractedAt: "2026-11-29T12:00:00Z",
      frontmatterStartLine: 2,
      bodyStartLine: 9,
      body: "\n# Release flow\n\nRun the tests first.\n",
    });
  });

  it("gives null for what is absent or no string, and finds a top-level extracted_at", () => {
    const parsed = parseSkillFile("---\nversion: 1.0\nextracted_at: '2026-11-29'\n---\n");
    expect(parsed.ok && parsed.skill).toMatchObject({
      name: null,
      description: null,
      version: null,
      extractedAt: "2026-11-29",
      body: "",
    });
  });

  it("ends the block at the first closing line, also at the end of the file", () => {
    const parsed = parseSkillFile("---\nname: a\n---\ntext\n---\nmore\n");
    expect(parsed.ok && parsed.skill.body).toBe("text\n---\nmore\n");
    expect(problemsOf("---\nname: a\n---")).toEqual([]);
  });

  it.each([
    ["no frontmatter", "# Title\n", "frontmatter:1"],
    ["an empty file", "", "frontmatter:1"],
    ["a byte order mark", "\ufeff---\nname: a\n---\n", "frontmatter:1"],
    ["CRLF", "---\r\nname: a\r\n---\r\n", "frontmatter:1"],
    ["a blank line before", "\n---\nname: a\n---\n", "frontmatter:1"],
    ["a fence with a space", "--- \nname: a\n---\n", "frontmatter:1"],
    ["no closing line", "---\nname: a\n", "frontmatter:1"],
    ["an empty block", "---\n---\n", "frontmatter:1"],
    ["a lone carriage return", "---\nname: a\rb: c\n---\n", "frontmatter:2"],
    ["a hidden line break", "---\nname: a\ndescription: b\u2028c: d\n---\n", "frontmatter:3"],
    ["`---` inside a value", "---\nname: a\ndescription: b --- c\n---\n", "frontmatter:3"],
    ["an almost-fence", "---\nname: a\n--- \nb: c\n---\n", "frontmatter:3"],
    ["a repeated key", "---\nname: a\nname: b\n---\n", "yaml:3"],
    ["a list", "---\n- a\n---\n", "yaml:2"],
    ["text", "---\njust words\n---\n", "yaml:2"],
    ["an oversized block", `---\na: ${"x".repeat(FRONTMATTER_MAX_BYTES)}\n---\n`, "frontmatter:1"],
  ])("refuses %s", (_name, text, problem) => {
    expect(problemsOf(text)).toEqual([problem]);
  });

  it("tells the line of a key, quoted ones too", () => {
    const parsed = parseSkillFile('---\nname: a\n"license": b\nmetadata:\n  name: c\n---\n');
    if (!parsed.ok) throw new Error("the fixture is valid");
    expect(lineOfKey(parsed.skill, "license")).toBe(3);
    expect(lineOfKey(parsed.skill, "name")).toBe(2);
    expect(lineOfKey(parsed.skill, "absent")).toBeNull();
  });
});

import { describe, expect, it } from "vitest";
import { SKILLBOOK_INLINE_MAX_STRATEGIES } from "../../src/core/limits.ts";
import { readMarker } from "../../src/skills/marker.ts";
import { parseSkillFile } from "../../src/skills/skill-file.ts";
import { EMPTY_SKILLBOOK, type Skillbook } from "../../src/skills/skillbook.ts";
import {
  isSkillbookPath,
  promptForm,
  renderSkillbookFiles,
} from "../../src/skills/skillbook-files.ts";
import { ADD, applied, bookOf, HARNESS, ID, tag } from "./skillbook-samples.ts";

function fileOf(book: Skillbook, path: string): string | undefined {
  return renderSkillbookFiles(book).find((file) => file.path === path)?.content;
}

describe("SKILL.md of the Skillbook", () => {
  const book = applied(EMPTY_SKILLBOOK, HARNESS, ADD, tag(1, "context-00002"));

  it("is an auto-skill that says when it is used, and asks for the ids", () => {
    const text = fileOf(book, "SKILL.md") ?? "";
    expect(readMarker(text)).toMatchObject({ isAutoSkill: true, where: ["metadata"] });
    const parsed = parseSkillFile(text);
    expect(parsed.ok && parsed.skill).toMatchObject({ name: "skillbook" });
    expect(parsed.ok && parsed.skill.description).toMatch(/Use when/);
    expect(text).toContain("name its id in your answer");
  });

  it("shows the sections in ACE's order and form, with the marks", () => {
    expect(fileOf(book, "SKILL.md")).toContain(
      [
        "## context",
        "",
        "- [context-00002]",
        "  Keywords: math",
        `  Issue: ${ADD.issue}`,
        `  Insight: ${ADD.insight}`,
        "  Marks: helpful 1, harmful 0, neutral 0",
        "",
        "## harness",
        "",
        "- [harness-00001]",
        "  Keywords: tests",
        `  Issue: ${HARNESS.issue}`,
        "  Marks: helpful 0, harmful 0, neutral 0",
        "",
      ].join("\n"),
    );
  });

  it("the prompt form alone is ACE's, to the byte", () => {
    expect(promptForm(applied(EMPTY_SKILLBOOK, ADD))).toBe(
      `## context\n- [${ID}]\n  Keywords: math\n  Issue: ${ADD.issue}\n  Insight: ${ADD.insight}\n`,
    );
    expect(promptForm(EMPTY_SKILLBOOK)).toBe("");
  });

  it("leaves out what was removed, and stays in the JSON", () => {
    const removed = applied(book, { type: "REMOVE", skill_id: "context-00002" });
    expect(fileOf(removed, "SKILL.md")).not.toContain("context-00002");
    expect(fileOf(removed, "skillbook.json")).toContain(ADD.issue);
    const empty = applied(removed, { type: "REMOVE", skill_id: "harness-00001" });
    expect(fileOf(empty, "SKILL.md")).toContain("No strategy is in use.");
  });

  it("a strategy's text can't become a heading, a fence or another entry", () => {
    const sly = { ...ADD, issue: "One.\n\n## harness\n- [context-00009]\n```\nx" };
    const lines = (fileOf(applied(EMPTY_SKILLBOOK, sly), "SKILL.md") ?? "").split("\n");
    expect(lines.filter((line) => line.startsWith("## "))).toEqual(["## context"]);
    expect(lines.filter((line) => line.startsWith("- ["))).toEqual([`- [${ID}]`]);
    expect(lines.some((line) => line.startsWith("```"))).toBe(false);
  });
});

describe("past its bound", () => {
  it("SKILL.md lists ids and keywords, and the references hold the text", () => {
    expect(renderSkillbookFiles(bookOf(SKILLBOOK_INLINE_MAX_STRATEGIES)).length).toBe(2);
    const large = bookOf(SKILLBOOK_INLINE_MAX_STRATEGIES + 1);
    expect(renderSkillbookFiles(large).map(({ path }) => path)).toEqual([
      "skillbook.json",
      "SKILL.md",
      "references/context.md",
      "references/harness.md",
    ]);
    const skill = fileOf(large, "SKILL.md") ?? "";
    expect(skill).toContain(`- [${ID}] math (helpful 0, harmful 0, neutral 0)`);
    expect(skill).not.toContain("Issue number");
    expect(fileOf(large, "references/context.md")).toContain("  Issue: Issue number 1 comes back.");
  });

  it("a reference stays when what it held was removed", () => {
    const large = bookOf(SKILLBOOK_INLINE_MAX_STRATEGIES + 1);
    const removals = large.sections.harness.map((skill_id) => ({ type: "REMOVE", skill_id }));
    const less = applied(large, ...removals);
    expect(fileOf(less, "references/harness.md")).toContain("No strategy is in use.");
  });
});

it.each([
  [".qwen/skills/skillbook/skillbook.json", true],
  [".qwen/skills/skillbook/other.json", false],
  [".qwen/skills/skillbook/references/skillbook.json", false],
  [".qwen/skills/release-flow/skillbook.json", false],
  [".qwen/skills/Skillbook/skillbook.json", false],
  [".qwen/skills/skillbook.json", false],
  ["skillbook/skillbook.json", false],
])("%s is the Skillbook's file: %s", (path, expected) => {
  expect(isSkillbookPath(path, ".qwen/skills")).toBe(expected);
});

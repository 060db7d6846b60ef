import { describe, expect, it } from "vitest";
import { SKILL_PATH_MAX_DEPTH } from "../../src/core/limits.ts";
import { isAllowedSkillFile, parseSkillPath } from "../../src/skills/skill-path.ts";

const ROOT = ".qwen/skills";

describe("parseSkillPath", () => {
  it("splits a path into the skill's folder and the rest", () => {
    expect(parseSkillPath(".qwen/skills/a/SKILL.md", ROOT)).toEqual({
      folder: "a",
      rest: "SKILL.md",
    });
    expect(parseSkillPath(".qwen/skills/a/references/b/c.md", ROOT)).toEqual({
      folder: "a",
      rest: "references/b/c.md",
    });
  });

  it.each([
    ".qwen/skills",
    ".qwen/skills/",
    ".qwen/skills/a",
    ".qwen/skills/a/",
    ".qwen/skills//SKILL.md",
    ".qwen/skills/a//SKILL.md",
    ".qwen/skills/../x/SKILL.md",
    ".qwen/skills/a/../../../x",
    ".qwen/skills/a/./SKILL.md",
    ".qwen/skillset/a/SKILL.md",
    ".QWEN/skills/a/SKILL.md",
    "/.qwen/skills/a/SKILL.md",
    "x/.qwen/skills/a/SKILL.md",
  ])("is null for %s", (path) => expect(parseSkillPath(path, ROOT)).toBeNull());
});

describe("isAllowedSkillFile", () => {
  const deepest = `references/${"x/".repeat(SKILL_PATH_MAX_DEPTH - 1)}a.md`;

  it.each(["SKILL.md", "references/a.md", "references/a/b.md", "references/a b.md", deepest])(
    "allows %s",
    (rest) => expect(isAllowedSkillFile(rest)).toBe(true),
  );

  it.each([
    "",
    "skill.md",
    "SKILL.MD",
    "README.md",
    "SKILL.md/x.md",
    "references",
    "references/",
    "references/a",
    "references/a.sh",
    "references/a.md.sh",
    "references/a.MD",
    "references/.md",
    "references/.hidden.md",
    "references/../SKILL.md",
    "references/SKILL.md",
    "references/a/QWEN.md",
    "references//a.md",
    "references/.git/a.md",
    "references/aux.md",
    "references/a\n.md",
    "references/\u00e4.md",
    "reference/a.md",
    "scripts/run.sh",
    `references/x/${deepest.slice("references/".length)}`,
  ])("refuses %j", (rest) => expect(isAllowedSkillFile(rest)).toBe(false));
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SKILL_NAME_MAX_CHARS } from "../../src/core/limits.ts";
import { isSkillName, toSkillName } from "../../src/skills/skill-name.ts";

describe("isSkillName", () => {
  it.each(["a", "7", "release-flow", "a-1-b", "auto-skill-x", "a".repeat(SKILL_NAME_MAX_CHARS)])(
    "accepts %s",
    (name) => expect(isSkillName(name)).toBe(true),
  );

  it.each([
    "",
    "-a",
    "a-",
    "a--b",
    "A",
    "a_b",
    "a.b",
    "a b",
    "a/b",
    "..",
    "caf\u00e9",
    "\u6280\u80fd",
    "a\n",
    "con",
    "nul",
    "com1",
    "a".repeat(SKILL_NAME_MAX_CHARS + 1),
  ])("refuses %j", (name) => expect(isSkillName(name)).toBe(false));
});

describe("toSkillName", () => {
  it.each([
    ["npm run test:unit", "npm-run-test-unit"],
    ["  Café — Großes Menü!  ", "cafe-gro-es-menu"],
    ["already-a-name", "already-a-name"],
    ["x".repeat(100), "x".repeat(SKILL_NAME_MAX_CHARS)],
    [`${"word ".repeat(12)}longer-last`, `${"word-".repeat(12)}`.slice(0, -1)],
    ["技能", null],
    ["---", null],
    ["NUL", null],
    ["", null],
  ])("makes %j a name", (words, name) => expect(toSkillName(words)).toBe(name));

  it("gives a valid name or nothing", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (words) => {
        const name = toSkillName(words);
        expect(name === null || isSkillName(name)).toBe(true);
      }),
    );
  });
});

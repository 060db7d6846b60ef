import { describe, expect, it } from "vitest";
import { SKILLS_CHANGED_MAX } from "../../../src/core/limits.ts";
import { ROOT, rulesOf, skillText, type Tree } from "../verify-input.ts";

function skills(count: number): Tree {
  const names = Array.from({ length: count }, (_, n) => `skill-${n}`);
  return Object.fromEntries(names.map((name) => [`${ROOT}/${name}/SKILL.md`, skillText(name)]));
}

describe("structure.count", () => {
  it("refuses one skill too many at once", () => {
    expect(rulesOf({ next: skills(SKILLS_CHANGED_MAX) })).toEqual([]);
    expect(rulesOf({ next: skills(SKILLS_CHANGED_MAX + 1) })).toEqual(["structure.count"]);
  });

  it("counts what changed, not what exists", () => {
    const parent = skills(50);
    const more = { [`${ROOT}/one-more/SKILL.md`]: skillText("one-more") };
    expect(rulesOf({ parent, next: { ...parent, ...more } })).toEqual([]);
  });

  it("leaves people to themselves", () => {
    expect(rulesOf({ profile: "pull-request", next: skills(50) })).toEqual([]);
  });
});

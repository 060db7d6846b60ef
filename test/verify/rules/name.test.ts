import { describe, expect, it } from "vitest";
import { FLOW, findingsOf, flow, personalText, ROOT, rulesOf, skillText } from "../verify-input.ts";

const RULE = "structure.name";
const PREFIXED = `${ROOT}/auto-skill-release/SKILL.md`;

describe("structure.name", () => {
  it("refuses a name that differs from the folder of a new skill", () => {
    const found = findingsOf(RULE, { next: { [PREFIXED]: flow } });
    expect(found).toMatchObject([
      { line: 2, message: "The name `release-flow` differs from its folder `auto-skill-release`." },
    ]);
  });

  it("takes a new skill whose folder is its name with the prefix of Qwen Code's own reviewer", () => {
    const next = { [PREFIXED]: skillText("release") };
    expect(findingsOf(RULE, { next })).toEqual([]);
    const long = "x".repeat(60);
    const tooLong = { [`${ROOT}/auto-skill-${long}/SKILL.md`]: skillText(long) };
    expect(findingsOf(RULE, { next: tooLong })).toHaveLength(1);
  });

  it.each(["Release", "release_flow", "release--flow", "技能", "con", "x".repeat(65)])(
    "refuses the name %s although it is the folder",
    (name) => {
      const next = { [`${ROOT}/${name}/SKILL.md`]: skillText(name) };
      expect(findingsOf(RULE, { next })).toMatchObject([
        { message: expect.stringContaining("is no name for a skill") },
      ]);
    },
  );

  it("lets an existing skill keep a name and a folder that differ", () => {
    const old = skillText("Release.Flow");
    const parent = { [PREFIXED]: old };
    expect(rulesOf({ parent, next: { [PREFIXED]: `${old}\nMore.\n` } })).toEqual([]);
    const renamed = { [PREFIXED]: skillText("Release.Flow.2") };
    expect(findingsOf(RULE, { parent, next: renamed })).toMatchObject([
      { hint: "Keep the name that the skill had." },
    ]);
    const corrected = { [PREFIXED]: skillText("auto-skill-release") };
    expect(rulesOf({ parent, next: corrected })).toEqual([]);
  });

  it("warns in a pull request about a person's skill", () => {
    const next = { [FLOW]: personalText("another") };
    const found = findingsOf(RULE, { profile: "pull-request", next });
    expect(found).toMatchObject([{ level: "warning" }]);
  });
});

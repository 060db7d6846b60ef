import { describe, expect, it } from "vitest";
import { FLOW, findingsOf, flow, ROOT } from "../verify-input.ts";

const RULE = "structure.skill-file";
const REFERENCE = `${ROOT}/release-flow/references/a.md`;

describe("structure.skill-file", () => {
  it("refuses a folder without a SKILL.md", () => {
    expect(findingsOf(RULE, { next: { [REFERENCE]: "x\n" } })).toMatchObject([
      { path: `${ROOT}/release-flow`, hint: expect.stringContaining("release-flow/SKILL.md") },
    ]);
  });

  it.each(["SKILL.MD", "skill.md", "Skill.md"])("names the other spelling %s", (name) => {
    const path = `${ROOT}/release-flow/${name}`;
    expect(findingsOf(RULE, { next: { [path]: flow } })).toMatchObject([
      { path, message: expect.stringContaining("is not spelled `SKILL.md`") },
    ]);
  });

  it("is content with a SKILL.md that didn't change", () => {
    const parent = { [FLOW]: flow };
    expect(findingsOf(RULE, { parent, next: { ...parent, [REFERENCE]: "x\n" } })).toEqual([]);
  });

  it("refuses in a pull request a SKILL.md that is gone while files change", () => {
    const parent = { [FLOW]: flow, [REFERENCE]: "x\n" };
    const next = { [REFERENCE]: "y\n" };
    expect(findingsOf(RULE, { parent, next, profile: "pull-request" })).toHaveLength(1);
  });
});

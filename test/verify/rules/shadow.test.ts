import { describe, expect, it } from "vitest";
import { summarizeSkill } from "../../../src/skills/skill-summary.ts";
import { verify } from "../../../src/verify/verify.ts";
import { FLOW, findingsOf, flow, inputOf, personalText, ROOT, skillText } from "../verify-input.ts";

const RULE = "structure.shadow";
const REVIEW = `${ROOT}/review/SKILL.md`;

describe("structure.shadow", () => {
  it("refuses a new skill with the name of one that Qwen Code brings along, in either folder name", () => {
    for (const folder of ["review", "auto-skill-review"]) {
      const path = `${ROOT}/${folder}/SKILL.md`;
      expect(findingsOf(RULE, { next: { [path]: skillText("review") } })).toMatchObject([
        { level: "error", path, line: 2, message: expect.stringContaining("Qwen Code") },
      ]);
    }
  });

  it("lets an old skill keep such a name", () => {
    const old = skillText("review");
    const next = { [REVIEW]: `${old}\nMore.\n` };
    expect(findingsOf(RULE, { parent: { [REVIEW]: old }, next })).toEqual([]);
  });

  it.each([
    ["plainly", flow],
    ["in quotes", flow.replace("name: release-flow", 'name: "release-flow"')],
    [
      "in a frontmatter that only a lenient reader takes",
      flow.replace("Use when", "Use: when: it"),
    ],
    ["with CRLF", flow.replaceAll("\n", "\r\n")],
    ["in capitals", flow.replace("name: release-flow", "name: Release-Flow")],
  ])("finds the name of a skill in another folder, written %s", (_how, text) => {
    const parent = { [`${ROOT}/old-folder/SKILL.md`]: text };
    expect(findingsOf(RULE, { parent, next: { ...parent, [FLOW]: flow } })).toMatchObject([
      { path: FLOW, message: expect.stringContaining("old-folder/SKILL.md") },
    ]);
  });

  it("takes the folder for the name where a skill has none", () => {
    const parent = { [`${ROOT}/release-flow/SKILL.md`]: "# No frontmatter\n" };
    const path = `${ROOT}/auto-skill-release-flow/SKILL.md`;
    const next = { ...parent, [path]: flow };
    expect(findingsOf(RULE, { parent, next })).toHaveLength(1);
  });

  it("looks at the skills of the project's other roots, and warns about the user's own", () => {
    const path = ".agents/skills/other/SKILL.md";
    const input = {
      ...inputOf({ next: { [FLOW]: flow } }),
      otherSkills: [summarizeSkill(path, "other", flow)],
      userSkills: [{ name: "release-flow", path: "~/.qwen/skills/release-flow/SKILL.md" }],
    };
    const found = verify(input).filter(({ rule }) => rule === RULE);
    expect(found.map(({ level, message }) => [level, message.slice(0, 40)])).toEqual([
      ["error", "The skill `.agents/skills/other/SKILL.md"],
      ["warning", "A skill of yours, `~/.qwen/skills/releas"],
    ]);
  });

  it("warns in a pull request about a person's skill", () => {
    const next = { [REVIEW]: personalText("review") };
    expect(findingsOf(RULE, { profile: "pull-request", next })).toMatchObject([
      { level: "warning" },
    ]);
  });
});

import { describe, expect, it } from "vitest";
import { FLOW, findingsOf, flow, personalText, ROOT, rulesOf } from "../verify-input.ts";

const RULE = "structure.path";

describe("structure.path", () => {
  it("accepts SKILL.md and markdown references", () => {
    const next = { [FLOW]: flow, [`${ROOT}/release-flow/references/deep/er.md`]: "More.\n" };
    expect(rulesOf({ next })).toEqual([]);
  });

  it.each([
    ["README.md", "lies outside"],
    [".qwen/settings.json", "lies outside"],
    [".qwen/skills-more/a/SKILL.md", "lies outside"],
    [".QWEN/skills/a/SKILL.md", "only looks like"],
    [".qwen/Skills/a/SKILL.md", "only looks like"],
    [".qw\u200den/skills/a/SKILL.md", "only looks like"],
    [`${ROOT}/SKILL.md`, "no file in a skill's folder"],
    [`${ROOT}/../../x`, "no file in a skill's folder"],
    [`${ROOT}/release-flow/run.sh`, "not among the files"],
    [`${ROOT}/release-flow/.gitattributes`, "not among the files"],
    [`${ROOT}/release-flow/.gitmodules`, "not among the files"],
    [`${ROOT}/release-flow/references/a.sh`, "not among the files"],
    [`${ROOT}/release-flow/nested/SKILL.md`, "not among the files"],
    [`${ROOT}/release-flow/references/SKILL.md`, "load a file without being asked"],
    [`${ROOT}/release-flow/references/deep/skill.md`, "load a file without being asked"],
    [`${ROOT}/release-flow/references/AGENTS.md`, "load a file without being asked"],
    [`${ROOT}/release-flow/references/Claude.local.md`, "load a file without being asked"],
  ])("refuses %j", (path, message) => {
    const [finding] = findingsOf(RULE, { next: { [FLOW]: flow, [path]: "x\n" } });
    expect(finding).toMatchObject({ level: "error", message: expect.stringContaining(message) });
  });

  it("ignores in a pull request what lies outside, but no other spelling of the skills root", () => {
    const profile = "pull-request";
    const hand = personalText("by-hand");
    const outside = { "src/a.ts": "x", ".qwen/settings.json": "{}" };
    expect(rulesOf({ profile, next: { ...outside, [`${ROOT}/by-hand/SKILL.md`]: hand } })).toEqual(
      [],
    );
    expect(rulesOf({ profile, next: { ".QWEN/skills/by-hand/SKILL.md": hand } })).toEqual([RULE]);
  });
});

import { describe, expect, it } from "vitest";
import { FLOW, findingsOf, flow, ROOT } from "../verify-input.ts";

const RULE = "structure.case-collision";

describe("structure.case-collision", () => {
  it.each([
    ["a file", `${ROOT}/release-flow/references/A.md`, `${ROOT}/release-flow/references/a.md`],
    ["a folder", `${ROOT}/Release-Flow/references/a.md`, `${ROOT}/release-flow/references/b.md`],
    ["composition", `${ROOT}/caf\u00e9/SKILL.md`, `${ROOT}/cafe\u0301/SKILL.md`],
    ["a sharp s", `${ROOT}/stra\u00dfe/SKILL.md`, `${ROOT}/STRASSE/SKILL.md`],
    ["an ignored character", `${ROOT}/a\u200d/SKILL.md`, `${ROOT}/a/SKILL.md`],
  ])("refuses %s against an entry that didn't change", (_name, old, added) => {
    const found = findingsOf(RULE, { parent: { [old]: "x" }, next: { [old]: "x", [added]: "y" } });
    expect(found.map(({ path }) => path)).toEqual([added]);
  });

  it("refuses two that are added together, each", () => {
    const next = { [FLOW]: flow, [`${ROOT}/release-flow/SKILL.MD`]: flow };
    expect(findingsOf(RULE, { next })).toHaveLength(2);
  });

  it("leaves a collision alone that nobody touches, and different names", () => {
    const old = { [`${ROOT}/a/SKILL.md`]: "x", [`${ROOT}/A/SKILL.md`]: "y" };
    expect(findingsOf(RULE, { parent: old, next: { ...old, [FLOW]: flow } })).toEqual([]);
  });

  it("lets a person rename by case: the old spelling is gone", () => {
    const parent = { [`${ROOT}/Release-Flow/SKILL.md`]: flow };
    expect(findingsOf(RULE, { parent, next: { [FLOW]: flow }, profile: "pull-request" })).toEqual(
      [],
    );
  });
});

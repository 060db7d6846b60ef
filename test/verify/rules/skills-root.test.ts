import { describe, expect, it } from "vitest";
import { FLOW, findingsOf, flow, ROOT, rulesOf } from "../verify-input.ts";

const RULE = "structure.skills-root";
const link = { mode: "120000", content: "../.agents/skills" };
const submodule = { mode: "160000", content: "x" };

describe("structure.skills-root", () => {
  it.each([
    [".qwen", link, "is a symbolic link"],
    [ROOT, link, "is a symbolic link"],
    [".qwen", submodule, "is a submodule"],
    [ROOT, submodule, "is a submodule"],
    [ROOT, "text", "is a file"],
  ])("refuses %s when it is no folder", (path, entry, message) => {
    const expected = [{ path, message: expect.stringContaining(message) }];
    for (const profile of ["proposal", "pull-request"] as const) {
      expect(findingsOf(RULE, { profile, next: { [path]: entry } })).toMatchObject(expected);
    }
    const parent = { [path]: entry };
    expect(findingsOf(RULE, { parent, next: { ...parent, [FLOW]: flow } })).toMatchObject(expected);
    expect(findingsOf(RULE, { parent, next: { [FLOW]: flow } })).toMatchObject(expected);
  });

  it("says where the link leads", () => {
    const parent = { [".qwen"]: { mode: "120000", content: ".agents" } };
    const next = { ...parent, "README.md": "x" };
    expect(findingsOf(RULE, { parent, next, profile: "pull-request" })).toMatchObject([
      {
        message: expect.stringContaining("is a symbolic link to `.agents`"),
        hint: expect.stringContaining("--skills-root"),
      },
    ]);
  });

  it("lets a person replace the link by a folder", () => {
    const trees = { parent: { [ROOT]: link }, next: { [FLOW]: flow } };
    expect(rulesOf({ ...trees, profile: "pull-request" })).toEqual([]);
  });
});

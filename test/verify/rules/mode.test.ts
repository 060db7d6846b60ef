import { describe, expect, it } from "vitest";
import { FLOW, findingsOf, flow, flowChanged, ROOT, rulesOf } from "../verify-input.ts";

const RULE = "structure.mode";

describe("structure.mode", () => {
  it.each([
    ["120000", "is a symbolic link"],
    ["160000", "is a submodule"],
    ["100755", "is executable"],
    ["100600", "has the mode `100600`"],
  ])("refuses %s", (mode, message) => {
    for (const profile of ["proposal", "pull-request"] as const) {
      const path = `${ROOT}/release-flow/references/a.md`;
      const next = { [FLOW]: flow, [path]: { mode, content: "x\n" } };
      expect(findingsOf(RULE, { next, profile })).toMatchObject([
        { path, level: "error", message: expect.stringContaining(message) },
      ]);
    }
  });

  it("refuses a change of mode, but lets a person take an execute bit away", () => {
    const parent = { [FLOW]: { mode: "100755", content: flow } };
    const trees = { parent, next: { [FLOW]: flowChanged } };
    expect(findingsOf(RULE, trees)).toMatchObject([
      { message: expect.stringContaining("changes its mode from `100755`") },
    ]);
    expect(rulesOf({ ...trees, profile: "pull-request" })).toEqual([]);
  });
});

import { describe, expect, it } from "vitest";
import { verify } from "../../../src/verify/verify.ts";
import { FLOW, flow, flowChanged, inputOf, ROOT } from "../verify-input.ts";

const OTHER = `${ROOT}/by-hand/SKILL.md`;
const honest = inputOf({ parent: { [FLOW]: flow }, next: { [FLOW]: flowChanged } });

function pathsOf(input: typeof honest): (string | null)[] {
  return verify(input)
    .filter(({ rule }) => rule === "structure.tree")
    .map(({ path }) => path);
}

describe("structure.tree", () => {
  it("finds nothing where both agree", () => expect(pathsOf(honest)).toEqual([]));

  it("refuses a change that the list leaves out", () => {
    expect(pathsOf({ ...honest, changes: [] })).toEqual([FLOW]);
    const extra = { path: OTHER, mode: "100644", id: "1".repeat(40) };
    expect(pathsOf({ ...honest, next: [...honest.next, extra] })).toEqual([OTHER]);
    expect(pathsOf({ ...honest, parent: [...honest.parent, extra] })).toEqual([OTHER]);
  });

  it("refuses a change that the new tree doesn't hold", () => {
    expect(pathsOf({ ...honest, next: [] })).toEqual([FLOW]);
    expect(pathsOf({ ...honest, next: honest.parent })).toEqual([FLOW]);
    const executable = honest.next.map((file) => ({ ...file, mode: "100755" }));
    expect(pathsOf({ ...honest, next: executable })).toEqual([FLOW]);
  });

  it("refuses a deletion of what is still there", () => {
    const changes = honest.changes.map((change) => ({ ...change, status: "D" }));
    expect(pathsOf({ ...honest, changes })).toEqual([FLOW]);
  });

  it("refuses a path that stands twice in a tree, whichever of the two is meant", () => {
    const evil = { path: FLOW, mode: "100644", id: "1".repeat(40) };
    for (const next of [
      [...honest.next, evil],
      [evil, ...honest.next],
    ]) {
      expect(pathsOf({ ...honest, next })).toContain(FLOW);
    }
    expect(pathsOf({ ...honest, parent: [...honest.parent, evil] })).toContain(FLOW);
  });
});

import { describe, expect, it } from "vitest";
import { verify } from "../../../src/verify/verify.ts";
import { FLOW, findingsOf, flow, flowChanged, inputOf, ROOT, rulesOf } from "../verify-input.ts";

const RULE = "structure.operation";
const OTHER = `${ROOT}/release-flow/references/a.md`;

describe("structure.operation", () => {
  it("accepts what is added and modified", () => {
    expect(
      rulesOf({ parent: { [FLOW]: flow }, next: { [FLOW]: flowChanged, [OTHER]: "x\n" } }),
    ).toEqual([]);
  });

  it("refuses a deletion, by a person too unless in a pull request", () => {
    const trees = { parent: { [FLOW]: flow, [OTHER]: "x\n" }, next: { [FLOW]: flow } };
    expect(findingsOf(RULE, trees)).toMatchObject([
      { path: OTHER, message: expect.stringContaining("is deleted") },
    ]);
    expect(rulesOf({ ...trees, profile: "pull-request" })).toEqual([]);
  });

  it("lets a person delete a whole skill, or a file that could not be added", () => {
    const parent = { [FLOW]: flow, [`${ROOT}/old/run.sh`]: "x" };
    expect(rulesOf({ parent, next: {}, profile: "pull-request" })).toEqual([]);
    expect(rulesOf({ parent, next: {} })).toEqual(["structure.operation", "structure.path"]);
  });

  it("refuses a file that became a link", () => {
    const next = { [FLOW]: { mode: "120000", content: "/etc/passwd" } };
    const found = findingsOf(RULE, { parent: { [FLOW]: flow }, next });
    expect(found).toMatchObject([{ message: expect.stringContaining("changes its type") }]);
  });

  it.each([
    ["R100", "is renamed"],
    ["C75", "is a copy"],
    ["X", "unknown status `X`"],
    ["", "unknown status"],
    ["constructor", "unknown status"],
  ])("refuses the status %j", (status, message) => {
    const input = inputOf({ next: { [FLOW]: flow } });
    const changes = input.changes.map((change) => ({ ...change, status }));
    const found = verify({ ...input, changes }).filter(({ rule }) => rule === RULE);
    expect(found).toMatchObject([{ message: expect.stringContaining(message) }]);
  });
});

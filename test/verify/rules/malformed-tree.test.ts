import { describe, expect, it } from "vitest";
import { verify } from "../../../src/verify/verify.ts";
import { FLOW, flow, inputOf, placeOf, ROOT } from "../verify-input.ts";

describe("structure.malformed-tree", () => {
  it.each(["proposal", "pull-request"] as const)("refuses every oddity (%s)", (profile) => {
    const input = inputOf({ next: { [FLOW]: flow }, profile });
    const oddities = [
      { path: `${ROOT}/z`, problem: "is an empty folder" },
      { path: "", problem: "is cut off" },
    ];
    const findings = verify({ ...input, oddities });
    expect(findings.map(placeOf)).toEqual([
      "structure.malformed-tree -",
      `structure.malformed-tree ${ROOT}/z`,
    ]);
    expect(findings.every(({ level }) => level === "error")).toBe(true);
    expect(findings[1]?.message).toBe(`\`${ROOT}/z\` is an empty folder.`);
  });

  it("escapes what stands in a tree", () => {
    const oddities = [{ path: "a\u202e", problem: 'has the mode "\u001b[2J"' }];
    const [finding] = verify({ ...inputOf({ next: {} }), oddities });
    expect(finding?.message).toBe('`a\\u{202e}` has the mode "\\u{1b}[2J".');
  });

  it("finds nothing where there are none", () => {
    expect(verify({ ...inputOf({ next: { [FLOW]: flow } }), oddities: [] })).toEqual([]);
  });
});

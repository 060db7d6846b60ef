import { describe, expect, it } from "vitest";
import { FLOW, findingsOf, flow, ROOT } from "../verify-input.ts";

const RULE = "structure.component";

describe("structure.component", () => {
  it.each([
    [".GIT/config.md", "is `.git`"],
    [".g\u200cit/config.md", "is `.git`"],
    ["git~1/a.md", "is `.git`"],
    ["a\nb.md", "a control character"],
    ["a\tb.md", "a control character"],
    ["a\u202eb.md", "outside ASCII"],
    ["cafe\u0301.md", "outside ASCII"],
    ["\ufffd.md", "not valid UTF-8"],
    ["a\\b.md", "backslash"],
    ["a:b.md", "colon"],
    ["CON/a.md", "device"],
    ["aux.md", "device"],
    ["dot./a.md", "ends in a dot"],
    ["space /a.md", "ends in a dot or a space"],
    [`${"x".repeat(300)}.md`, "longer than"],
    ["../../x.md", "leads to another folder"],
    ["//x.md", "is empty"],
    ["a/b/c/d/e.md", "deeper than"],
  ])("refuses references/%j", (rest, message) => {
    const path = `${ROOT}/release-flow/references/${rest}`;
    for (const profile of ["proposal", "pull-request"] as const) {
      const found = findingsOf(RULE, { next: { [FLOW]: flow, [path]: "x\n" }, profile });
      expect(found).toMatchObject([{ level: "error", message: expect.stringContaining(message) }]);
    }
  });

  it("looks at the name of the skill's folder, and at what lies on disk alone", () => {
    const next = { [FLOW]: flow };
    const disk = [{ path: `${ROOT}/release-flow/.git`, kind: "folder", children: 3 } as const];
    expect(findingsOf(RULE, { next, disk })).toHaveLength(1);
    expect(findingsOf(RULE, { next: { [`${ROOT}/nul/SKILL.md`]: flow } })).toHaveLength(1);
  });

  it("accepts the deepest path", () => {
    const path = `${ROOT}/release-flow/references/a/b/c/d.md`;
    expect(findingsOf(RULE, { next: { [FLOW]: flow, [path]: "x\n" } })).toEqual([]);
  });

  it("shows the name escaped and cut", () => {
    const path = `${ROOT}/release-flow/references/\u001b[31m${"y".repeat(200)}.md`;
    const [finding] = findingsOf(RULE, { next: { [FLOW]: flow, [path]: "x\n" } });
    expect(finding?.message).toMatch(/^The name `\\u\{1b\}\[31my+…` holds a control character\.$/);
    expect(finding?.path).not.toContain("\u001b");
  });
});

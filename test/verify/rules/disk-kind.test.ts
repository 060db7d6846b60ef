import { describe, expect, it } from "vitest";
import { FLOW, findingsOf, flow, rulesOf } from "../verify-input.ts";

describe("structure.disk-kind", () => {
  it("accepts plain files and folders", () => {
    const disk = [
      { path: ".qwen/skills/release-flow", kind: "folder", children: 1, permissions: 0o755 },
      { path: FLOW, kind: "file", permissions: 0o644 },
    ] as const;
    expect(rulesOf({ next: { [FLOW]: flow }, disk })).toEqual([]);
  });

  it.each([
    ["symlink", "is a symbolic link"],
    ["hard-link", "is a hard link"],
    ["special", "is no file and no folder"],
    ["unreadable", "can't be read"],
    ["oversize", "is too large"],
  ] as const)("refuses a %s", (kind, message) => {
    const found = findingsOf("structure.disk-kind", {
      next: { [FLOW]: flow },
      disk: [{ path: FLOW, kind }],
    });
    expect(found).toMatchObject([{ path: FLOW, message: expect.stringContaining(message) }]);
  });

  it.each([0o755, 0o645, 0o4644, 0o2644, 0o1644])("refuses the permissions %s", (permissions) => {
    const found = findingsOf("structure.disk-kind", {
      next: { [FLOW]: flow },
      disk: [{ path: FLOW, kind: "file", permissions }],
    });
    expect(found).toMatchObject([{ message: expect.stringContaining(permissions.toString(8)) }]);
  });
});

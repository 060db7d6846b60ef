import { describe, expect, it } from "vitest";
import { FLOW, flow, ROOT, verdictOf } from "../verify-input.ts";

const folder = (path: string) => ({ path, kind: "folder", children: 1 }) as const;

describe("structure.extra-folder", () => {
  it("accepts folders of skills and what lies in them", () => {
    const next = { [FLOW]: flow, [`${ROOT}/release-flow/references/a.md`]: "x\n" };
    const disk = [folder(".qwen"), folder(ROOT), folder(`${ROOT}/release-flow`)];
    const inside = folder(`${ROOT}/release-flow/references`);
    expect(verdictOf({ next, disk: [...disk, inside] })).toEqual([]);
  });

  it("refuses a folder without a SKILL.md", () => {
    const disk = [folder(`${ROOT}/objects`), folder(`${ROOT}/objects/pack`)];
    expect(verdictOf({ next: { [FLOW]: flow }, disk })).toEqual([
      `structure.extra-folder ${ROOT}/objects`,
    ]);
  });

  it("leaves a folder alone that the parent holds without a SKILL.md", () => {
    const shared = { [`${ROOT}/shared/notes.txt`]: "x\n" };
    const disk = [folder(`${ROOT}/shared`)];
    expect(verdictOf({ parent: shared, next: { ...shared, [FLOW]: flow }, disk })).toEqual([]);
  });

  it("refuses everything outside the skills root", () => {
    const disk = [folder("hooks"), { path: ".qwen/settings.json", kind: "file" } as const];
    expect(verdictOf({ next: {}, disk })).toEqual([
      "structure.extra-folder .qwen/settings.json",
      "structure.extra-folder hooks",
    ]);
  });
});

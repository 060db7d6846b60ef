import { describe, expect, it } from "vitest";
import { FLOW, flow, ROOT, verdictOf } from "../verify-input.ts";

function verdict(...paths: string[]): string[] {
  const disk = paths.map((path) => ({ path, kind: "folder", children: 0 }) as const);
  return verdictOf({ next: { [FLOW]: flow }, disk });
}

describe("structure.empty-folder", () => {
  it("accepts an empty skills root: nothing was learned", () => {
    expect(verdict(".qwen", ROOT)).toEqual([]);
  });

  it("refuses an empty folder at every level", () => {
    const paths = [`${ROOT}/empty`, `${ROOT}/release-flow/references`];
    expect(verdict(...paths)).toEqual(paths.map((path) => `structure.empty-folder ${path}`));
  });
});

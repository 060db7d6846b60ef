import { describe, expect, it } from "vitest";
import {
  SKILL_FILE_MAX_BYTES,
  SKILL_LINE_MAX_CHARS,
  SKILL_MAX_FILES,
  SKILL_TOTAL_MAX_BYTES,
} from "../../../src/core/limits.ts";
import { FLOW, findingsOf, flow, flowChanged, ROOT, type Tree } from "../verify-input.ts";

const RULE = "structure.size";
const REFERENCES = `${ROOT}/release-flow/references`;

function text(bytes: number): string {
  return "line\n".repeat(Math.ceil(bytes / 5)).slice(0, bytes);
}

function references(count: number, bytes: number): Tree {
  const names = Array.from({ length: count }, (_, n) => `${REFERENCES}/r${n}.md`);
  return Object.fromEntries(names.map((path, n) => [path, `${n}${text(bytes)}`]));
}

describe("structure.size", () => {
  it("refuses one byte too many in a file", () => {
    const at = (bytes: number) => ({ [FLOW]: flow, [`${REFERENCES}/a.md`]: text(bytes) });
    expect(findingsOf(RULE, { next: at(SKILL_FILE_MAX_BYTES) })).toEqual([]);
    expect(findingsOf(RULE, { next: at(SKILL_FILE_MAX_BYTES + 1) })).toHaveLength(1);
  });

  it("refuses one file too many in a skill", () => {
    const at = (count: number) => ({ [FLOW]: flow, ...references(count, 10) });
    expect(findingsOf(RULE, { next: at(SKILL_MAX_FILES - 1) })).toEqual([]);
    expect(findingsOf(RULE, { next: at(SKILL_MAX_FILES) })).toMatchObject([
      { path: `${ROOT}/release-flow`, message: expect.stringContaining("has 17 files") },
    ]);
  });

  it("counts the files of a skill that didn't change", () => {
    const old = { [FLOW]: flow, ...references(5, SKILL_TOTAL_MAX_BYTES / 5) };
    const next = { ...old, [`${REFERENCES}/new.md`]: "x\n" };
    const found = findingsOf(RULE, { parent: old, next });
    expect(found).toMatchObject([{ message: expect.stringContaining("bytes together") }]);
  });

  it("doesn't hold a file against a change that was there before and wasn't loaded", () => {
    const path = `${REFERENCES}/large.md`;
    const old = { [FLOW]: flow, [path]: text(SKILL_TOTAL_MAX_BYTES + 1) };
    const next = { ...old, [FLOW]: flowChanged };
    expect(findingsOf(RULE, { parent: old, next })).toHaveLength(1);
    expect(findingsOf(RULE, { parent: old, next, unloaded: [path] })).toEqual([]);
  });

  it("refuses a line that is too long, by its number", () => {
    const at = (chars: number) => ({ [FLOW]: `${flow}\n${"x".repeat(chars)}\n` });
    expect(findingsOf(RULE, { next: at(SKILL_LINE_MAX_CHARS) })).toEqual([]);
    const line = flow.split("\n").length + 1;
    expect(findingsOf(RULE, { next: at(SKILL_LINE_MAX_CHARS + 1) })).toMatchObject([{ line }]);
  });

  it("warns in a pull request, except about what was not loaded", () => {
    const profile = "pull-request";
    const path = `${REFERENCES}/a.md`;
    const next = { [FLOW]: flow, [path]: text(SKILL_FILE_MAX_BYTES + 1) };
    expect(findingsOf(RULE, { profile, next })).toMatchObject([{ level: "warning" }]);
    expect(findingsOf(RULE, { profile, next, unloaded: [path] })).toMatchObject([
      { level: "error" },
    ]);
  });
});

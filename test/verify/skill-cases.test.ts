/** The labelled skills of the shared cases: only their structure is looked at here. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { hasError } from "../../src/verify/finding.ts";
import { verify } from "../../src/verify/verify.ts";
import { inputOf, ROOT, rulesOf } from "./verify-input.ts";

const CASES = new URL("../../../shared/cases/skills/", import.meta.url);

function cases(kind: string): [folder: string, text: string][] {
  const folders = existsSync(CASES) ? readdirSync(new URL(`${kind}/`, CASES)) : [];
  return folders.map((folder) => {
    return [folder, readFileSync(new URL(`${kind}/${folder}/SKILL.md`, CASES), "utf8")];
  });
}

describe.skipIf(!existsSync(CASES))("shared skills", () => {
  it("accepts every benign skill that carries the marker", () => {
    const marked = cases("benign").filter(([, text]) => text.includes("source: auto-skill"));
    expect(marked.length).toBeGreaterThan(3);
    for (const [folder, text] of marked) {
      expect([folder, rulesOf({ next: { [`${ROOT}/${folder}/SKILL.md`]: text } })]).toEqual([
        folder,
        [],
      ]);
    }
  });

  it("lets a person add every benign skill in a pull request", () => {
    for (const [folder, text] of cases("benign")) {
      const next = { [`${ROOT}/${folder}/SKILL.md`]: text };
      const errors = hasError(verify(inputOf({ next, profile: "pull-request" })));
      expect([folder, errors]).toEqual([folder, false]);
    }
  });
});

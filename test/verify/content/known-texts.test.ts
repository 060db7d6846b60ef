import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { expectedPatterns } from "../../../src/verify/content/content-document.ts";
import { KNOWN_TEXTS } from "../../../src/verify/content/known-texts.ts";
import { keyOf, requiredTexts } from "../../../src/verify/content/required-texts.ts";
import "../../../src/verify/rules.ts";

it("what the build puts in is what the patterns say themselves, of all that are read", () => {
  expect(KNOWN_TEXTS).toEqual({});
  const read = expectedPatterns().map((pattern) => [keyOf(pattern), requiredTexts(pattern)]);
  expect(read.length).toBeGreaterThan(40);
  const script = `import { patternTexts } from "./scripts/pattern-texts.mjs";
console.log(JSON.stringify(await patternTexts()));`;
  const cwd = resolve(import.meta.dirname, "../../..");
  const known = execFileSync(process.execPath, ["--input-type=module", "--eval", script], { cwd });
  expect(JSON.parse(known.toString())).toEqual(Object.fromEntries(read));
});

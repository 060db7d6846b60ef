/** What the build reads out of the patterns, so that the program needn't. */
import { expect, it } from "vitest";
import type { Attack } from "../../../src/verify/content/attack.ts";
import { requiredTexts } from "../../../src/verify/content/required-texts.ts";
import { readPatterns } from "../../../src/verify/read-patterns.ts";
import { RULES } from "../../../src/verify/rules.ts";

const ATTACKS = RULES.flatMap((rule) =>
  "attacks" in rule ? (rule.attacks as readonly Attack[]) : [],
);

it("the build knows of every pattern that a rule expects what the pattern itself says", () => {
  // As the program gets it.
  const known = JSON.parse(JSON.stringify(readPatterns()));
  expect(ATTACKS.length).toBeGreaterThan(100);
  for (const { pattern } of ATTACKS)
    expect(known[String(pattern)], String(pattern)).toEqual(requiredTexts(pattern));
});

/** For the build, which puts into known-texts.ts what this says (scripts/pattern-texts.mjs). */
import { expectedPatterns } from "./content/content-document.ts";
import { type Clause, requiredTexts } from "./content/required-texts.ts";
import { RULES } from "./rules.ts";

/** Of every pattern that the rules expect, as it is written: the clauses that hold in whatever it matches. */
export function readPatterns(): Readonly<Record<string, readonly Clause[]>> {
  // The rules expect their patterns when they are loaded.
  if (RULES.length === 0) throw new Error("there are no rules");
  return Object.fromEntries(
    expectedPatterns().map((pattern) => [String(pattern), requiredTexts(pattern)]),
  );
}

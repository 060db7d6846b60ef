/** Checks every byte of a change to skills. Pure: trees and bytes in, Findings out. */
import { FINDINGS_MAX } from "../core/limits.ts";
import { count } from "../core/text.ts";
import type { VerifyInput } from "./change.ts";
import { writtenDocuments } from "./content/content-document.ts";
import { createContext } from "./context.ts";
import { type Finding, hasError } from "./finding.ts";
import { withLevels } from "./levels.ts";
import { RULES } from "./rules.ts";

/**
 * Runs every rule of the input's profile.
 *
 * @returns findings sorted by path (those about no file first), line and rule; at most
 *   FINDINGS_MAX, the last of which then is `structure.too-many` and says how many were left out.
 *   No changes and no leftovers on disk give none. Never throws, whatever the bytes.
 */
export function verify(input: VerifyInput): Finding[] {
  const context = createContext(input);
  const rules = RULES.filter(({ profiles }) => profiles.includes(input.profile));
  const fileRules = rules.filter((rule) => "checkFile" in rule);
  const found = rules.flatMap((rule) => ("check" in rule ? rule.check(context) : []));
  // File by file: what one needs for its rules is let go of before the next is read.
  for (const file of writtenDocuments(context)) {
    for (const rule of fileRules) found.push(...rule.checkFile(file, context));
  }
  found.sort(byPlace);
  const findings = [...withLevels(found, input.levels)];
  return findings.length <= FINDINGS_MAX ? findings : cutOff(findings);
}

function cutOff(findings: readonly Finding[]): Finding[] {
  const shown = findings.slice(0, FINDINGS_MAX - 1);
  const rest = count(findings.length - shown.length, "more finding");
  return [
    ...shown,
    {
      rule: "structure.too-many",
      level: hasError(findings) ? "error" : "warning",
      path: null,
      line: null,
      message: `There are ${rest} that are not listed.`,
      hint: "Correct the listed ones first, then verify again.",
    },
  ];
}

function byPlace(a: Finding, b: Finding): number {
  return (
    compare(a.path ?? "", b.path ?? "") || (a.line ?? 0) - (b.line ?? 0) || compare(a.rule, b.rule)
  );
}

/** By code units: the same order on every machine, whatever its locale. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

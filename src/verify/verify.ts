/** Checks every byte of a change to skills. Pure: trees and bytes in, Findings out. */
import { FINDINGS_MAX } from "../core/limits.ts";
import { count } from "../core/text.ts";
import type { VerifyInput } from "./change.ts";
import { createContext } from "./context.ts";
import { createFileCheck, type FileCheck } from "./file-check.ts";
import { type Finding, hasError } from "./finding.ts";
import { withLevels } from "./levels.ts";
import { RULES } from "./rules.ts";

/**
 * Runs every rule of the input's profile.
 *
 * @returns findings sorted by path (those about no file first), line and rule; at most
 *   FINDINGS_MAX, errors rather than warnings, the last of which then is `structure.too-many` and says how many were left out.
 *   No changes and no leftovers on disk give none. Never throws, whatever the bytes.
 */
export function verify(input: VerifyInput): Finding[] {
  const { files, finish } = openVerification(input);
  return finish(Array.from({ length: files.count }, (_, index) => files.check(index)));
}

/** The same for who shares out the files: what the rules about trees say is known, the files are still to be checked. */
export interface Verification {
  readonly files: FileCheck;
  /** @param ofFiles what `files.check` gave for each of them, here or in a thread, in their order */
  finish(ofFiles: readonly (readonly Finding[])[]): Finding[];
}

export function openVerification(input: VerifyInput): Verification {
  const context = createContext(input);
  const ofTrees = RULES.filter(({ profiles }) => profiles.includes(input.profile)).flatMap(
    (rule) => ("check" in rule ? rule.check(context) : []),
  );
  return {
    files: createFileCheck(context),
    finish: (ofFiles) => {
      const found = [ofTrees, ...ofFiles].flat().sort(byPlace);
      const findings = withLevels(found, input.levels);
      return findings.length <= FINDINGS_MAX ? [...findings] : cutOff(findings);
    },
  };
}

function cutOff(findings: readonly Finding[]): Finding[] {
  // What refuses the change comes before what only warns.
  const errors = findings.filter(({ level }) => level === "error");
  const others = findings.filter(({ level }) => level !== "error");
  const shown = [...errors, ...others].slice(0, FINDINGS_MAX - 1).sort(byPlace);
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

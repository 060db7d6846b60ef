/** What the run of a check showed: red, green, or nothing certain. */
import type { ToolCall } from "../../transcript/session.ts";
import { type Failure, outputOf, readFailure } from "./read-failure.ts";

export type Verdict =
  | { readonly color: "red"; readonly failure: Failure | null }
  | { readonly color: "green" }
  | { readonly color: "unclear" };

const FAILED_SUMMARY =
  /^[ \t]*(?:#\s*fail\s+[1-9]|not ok \d+|FAILED\b|--- FAIL:|FAIL\b|.*\b[1-9]\d* (?:failed|failing|failures?|errors?)\b)|\berror TS\d+:/m;
const PASSED_SUMMARY =
  /^[ \t]*(?:#\s*fail\s+0\b|.*\b[1-9]\d* (?:passed|passing)\b|ok\b|PASS\b|BUILD SUCCESS|OK\b|test result: ok)/m;
const NOTHING_RAN =
  /^[ \t]*(?:#\s*tests\s+0\s*$|1\.\.0\s*$|no tests? (?:ran|found|files found)\b|No test files found|.*\bcollected 0 items\b|0 passing\b|.*\bno test files\b|running 0 tests\s*$)/im;

/**
 * The verdict on one run.
 * @param masked the command line hides the check's exit code; then only a plain summary counts
 */
export function verdictOf(call: ToolCall, masked: boolean): Verdict {
  const result = call.result ?? "";
  const printed = /\bexit(?:[ _]?(?:code|status))?[ \t]*[:=][ \t]*(\d+)[ \t]*$/im.exec(
    outputOf(result),
  )?.[1];
  const failed =
    call.outcome === "failure" ||
    (call.exitCode !== null && call.exitCode !== 0) ||
    (masked && (printed === undefined ? FAILED_SUMMARY.test(result) : printed !== "0"));
  if (failed) return { color: "red", failure: readFailure(result) };
  const unsure =
    call.outcome !== "success" ||
    call.args["is_background"] === true ||
    call.args["run_in_background"] === true;
  if (unsure || NOTHING_RAN.test(result)) return { color: "unclear" };
  if (masked && printed !== "0" && !PASSED_SUMMARY.test(result)) return { color: "unclear" };
  return { color: "green" };
}

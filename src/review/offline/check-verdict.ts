/** What the run of a check showed: red, green, or nothing certain. */
import type { ToolCall } from "../../transcript/session.ts";
import { type Failure, outputOf, readFailure, shortLines } from "./read-failure.ts";

export type Verdict =
  | { readonly color: "red"; readonly failure: Failure | null }
  | { readonly color: "green" }
  | { readonly color: "unclear" };

/** Each is tried on one line; none holds two parts that may match the same blanks. */
const FAILED_SUMMARY =
  /^\s*(?:#\s*fail\s+[1-9]|not ok \d+|FAILED\b|--- FAIL:|FAIL\b)|\b[1-9]\d* (?:failed|failing|failures?|errors?)\b|\berror TS\d+:/;
const PASSED_SUMMARY =
  /^\s*(?:#\s*fail\s+0\b|ok\b|PASS\b|BUILD SUCCESS|OK\b|test result: ok)|\b[1-9]\d* (?:passed|passing)\b/;
const NOTHING_RAN =
  /^\s*(?:#\s*tests\s+0\s*$|1\.\.0\s*$|no tests? (?:ran|found|files found)\b|No test files found|0 passing\b|running 0 tests\s*$)|\bcollected 0 items\b|\bno test files\b/i;
const PRINTED = /\bexit(?:[ _]?(?:code|status))?\s*[:=]\s*(\d+)\s*$/i;

/**
 * The verdict on one run.
 * @param masked the command line hides the check's exit code; then only a plain summary counts
 */
export function verdictOf(call: ToolCall, masked: boolean): Verdict {
  const result = call.result ?? "";
  const lines = shortLines(result);
  const says = (pattern: RegExp) => lines.some((line) => pattern.test(line));
  const printed = shortLines(outputOf(result))
    .map((line) => PRINTED.exec(line)?.[1])
    .find((code) => code !== undefined);
  const failed =
    call.outcome === "failure" ||
    (call.exitCode !== null && call.exitCode !== 0) ||
    (masked && (printed === undefined ? says(FAILED_SUMMARY) : printed !== "0"));
  if (failed) return { color: "red", failure: readFailure(result) };
  const unsure =
    call.outcome !== "success" ||
    call.args["is_background"] === true ||
    call.args["run_in_background"] === true;
  if (unsure || says(NOTHING_RAN)) return { color: "unclear" };
  if (masked && printed !== "0" && !says(PASSED_SUMMARY)) return { color: "unclear" };
  return { color: "green" };
}

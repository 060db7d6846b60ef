/**
 * What the run of a check showed: red, green, or nothing certain; and the one line of its output
 * that says what was wrong.
 */
import type { ToolCall } from "../../transcript/session.ts";

export interface Failure {
  /** The line that names the error, as printed. */
  readonly line: string;
  /** The failing item (a test, a file) as its runner names it; null when the output names none. */
  readonly item: string | null;
  /** Equal for the same failure in two runs: digits, quotes and spaces don't count. */
  readonly key: string;
  /** The machine was at fault (network, port, disk, a program or package that isn't installed). */
  readonly isEnvironment: boolean;
  /** A file or module that isn't there. */
  readonly isMissingFile: boolean;
}

export type Verdict =
  | { readonly color: "red"; readonly failure: Failure | null }
  | { readonly color: "green" }
  | { readonly color: "unclear" };

/** Lines that name an error, the most telling first. */
const ERROR_LINES: readonly RegExp[] = [
  /^\s*error: ["'`].*\S/,
  /^(?:E\s+)?\s*(?:Uncaught\s+)?(?:[A-Za-z_.]*\.)?[A-Z]\w*(?:Error|Exception|Failure)\b(?:\s*\[\w+\])?\s*[:(].*\S/,
  /\berror(?:\s*\[?[A-Z]+\d+\]?)\s*:.*\S/,
  /^\s*(?:panic|fatal|thread '.*' panicked)\b.*\S/,
  /^\s*\d+:\d+\s+error\s+\S.*/,
  /^\s*(?:expected|actual|received|want|got)\b.*\S/i,
  /^\s*(?:[\w./-]+:\d+(?::\d+)?:?\s.*\S)/,
  /^.*\b(?:error|ERR!|failed|cannot|could not|unable to)\b.*\S/i,
];
/** Lines that name the failing item; the first group is its name. */
const ITEM_LINES: readonly RegExp[] = [
  /^\s*not ok \d+ - (.+?)(?:\s+#.*)?$/,
  /^\s*--- FAIL: (\S+)/,
  /^FAILED (\S+::\S+)/,
  /^\s*(?:FAIL|✗|✘|✕|×|✖)\s+(.+?)(?:\s+\(?\d+(?:\.\d+)?\s*m?s\)?)?$/,
  /^\s*test (\S+) \.\.\. FAILED$/,
  /^\s*● (.+)$/,
];
const FAILED_SUMMARY =
  /^[ \t]*(?:#\s*fail\s+[1-9]|not ok \d+|FAILED\b|--- FAIL:|FAIL\b|.*\b[1-9]\d* (?:failed|failing|failures?|errors?)\b)|\berror TS\d+:/m;
const PASSED_SUMMARY =
  /^[ \t]*(?:#\s*fail\s+0\b|.*\b[1-9]\d* (?:passed|passing)\b|ok\b|PASS\b|BUILD SUCCESS|OK\b|test result: ok)/m;
const NOTHING_RAN =
  /^[ \t]*(?:#\s*tests\s+0\s*$|1\.\.0\s*$|no tests? (?:ran|found|files found)\b|No test files found|.*\bcollected 0 items\b|0 passing\b|.*\bno test files\b|running 0 tests\s*$)/im;
const ENVIRONMENT =
  /\b(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EADDRINUSE|ENOSPC|ENOMEM|EACCES|EPERM)\b|could not resolve host|network is unreachable|name resolution|no space left|connection (?:refused|timed out|reset)|address already in use|command not found|: not found\s*$|is not recognized as an internal|no module named|cannot find (?:package|module) ['"][^./'"]|could not find a version|rate limit|too many requests|service unavailable|permission denied|missing script|out of memory|heap limit/i;
const MISSING_FILE =
  /\bENOENT\b|no such file|filenotfound|cannot find module|file not found|module not found/i;

/** The output itself, without the lines that Qwen Code puts around it. */
function outputOf(result: string): string {
  const inner = /^Command: [\s\S]*?\nOutput: ([\s\S]*?)(?:\nError: [^\n]*)?\nExit Code: /.exec(
    result,
  );
  return inner?.[1] ?? result.replace(/^Command: .*\n(?:Directory: .*\n)?Output: /, "");
}

function firstMatch(lines: readonly string[], patterns: readonly RegExp[]): RegExpExecArray | null {
  for (const pattern of patterns) {
    for (const line of lines) {
      const match = pattern.exec(line);
      if (match !== null) return match;
    }
  }
  return null;
}

/** `expected: …, actual: …` of a test runner that prints them on lines of their own. */
function comparison(lines: readonly string[]): string | null {
  const expected = lines.find((line) => /^\s*expected: .*\S/.test(line));
  const actual = lines.find((line) => /^\s*actual: .*\S/.test(line));
  return expected === undefined || actual === undefined
    ? null
    : `${expected.trim()}, ${actual.trim()}`;
}

function comparable(text: string): string {
  return text
    .toLowerCase()
    .replace(/0x[0-9a-f]+|\d+/g, "0")
    .replace(/["'`\s]+/g, " ")
    .trim();
}

/** The failure that an output shows; null when no line of it names one. */
function readFailure(result: string): Failure | null {
  const lines = outputOf(result)
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "" && !/^\s*>|^\s*at\s|\b0 (?:errors?|failed)\b/.test(line));
  const item = firstMatch(lines, ITEM_LINES)?.[1]?.trim() ?? null;
  const line = comparison(lines) ?? firstMatch(lines, ERROR_LINES)?.[0]?.trim() ?? item;
  if (line === null) return null;
  return {
    line,
    item: item === line ? null : item,
    key: comparable(item ?? line),
    isEnvironment: lines.some((each) => ENVIRONMENT.test(each)),
    isMissingFile: lines.some((each) => MISSING_FILE.test(each)),
  };
}

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

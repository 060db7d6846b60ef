/** What the output of a failed check says was wrong. */
import { OFFLINE_QUOTE_MAX_CHARS } from "../../core/limits.ts";
import { tellingLine } from "./telling-line.ts";

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

/** Lines that name the failing item; the first group is its name. */
const ITEM_LINES: readonly RegExp[] = [
  /^\s*not ok \d+ - (.+?)(?:\s+#.*)?$/,
  /^\s*--- FAIL: (\S+)/,
  /^FAILED (\S+::\S+)/,
  /^\s*● (?!Console\b)(.+)$/,
  /^\s*(?:FAIL|✗|✘|✕|×|✖)\s+(.+?[^:\s])(?:\s+\(?\d+(?:\.\d+)?\s*m?s\)?)?$/,
  /^\s*test (\S+) \.\.\. FAILED$/,
];
const ENVIRONMENT =
  /\b(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EADDRINUSE|ENOSPC|ENOMEM|EACCES|EPERM)\b|could not resolve host|network is unreachable|name resolution|no space left|connection (?:refused|timed out|reset)|address already in use|command not found|: not found\s*$|is not recognized as an internal|no module named|cannot find (?:package|module) ['"][^./'"]|could not find a version|rate limit|too many requests|service unavailable|permission denied|missing script|out of memory|heap limit/i;
const MISSING_FILE =
  /\bENOENT\b|no such file|filenotfound|cannot find module|file not found|module not found/i;

/** The output itself, without the lines that Qwen Code puts around it. */
export function outputOf(result: string): string {
  const start = result.startsWith("Command: ") ? result.indexOf("\nOutput: ") : -1;
  const end = start === -1 ? -1 : result.indexOf("\nExit Code: ", start);
  if (end !== -1) {
    const inner = result.slice(
      start + "\nOutput: ".length,
      Math.max(end, start + "\nOutput: ".length),
    );
    const last = inner.lastIndexOf("\n");
    return inner.startsWith("Error: ", last + 1) && last !== -1 ? inner.slice(0, last) : inner;
  }
  return result.replace(/^Command: .*\n(?:Directory: .*\n)?Output: /, "");
}

/** Docker puts the number of a step and a time in front of what the step's own program prints. */
function withoutStepNumbers(lines: readonly string[]): string[] {
  if (!lines.some((line) => /^#\d+ /.test(line))) return [...lines];
  return lines.map((line) => line.replace(/^#\d+ (?:\d+\.\d+ )?|^\d+\.\d{2,3} (?=\S)/, ""));
}

/**
 * The lines of an output, made cheap for any pattern: of a line no more is kept than is quoted, and
 * runs of blanks are shortened to two, so that no pattern can try them in many ways.
 */
export function shortLines(output: string): string[] {
  return output.split("\n").map((line) =>
    line
      .slice(0, 2 * OFFLINE_QUOTE_MAX_CHARS)
      .replace(/\s{3,}/g, "  ")
      .trimEnd(),
  );
}

interface Item {
  readonly name: string;
  /** The lines behind its name, up to the next item. */
  readonly part: readonly string[];
}

function firstItem(lines: readonly string[]): Item | null {
  for (const pattern of ITEM_LINES) {
    const at = lines.findIndex((line) => pattern.test(line));
    const name = pattern.exec(lines[at] ?? "")?.[1]?.trim();
    if (name === undefined) continue;
    const behind = lines.slice(at + 1);
    const next = behind.findIndex((line) => pattern.test(line));
    return { name, part: next < 0 ? behind : behind.slice(0, next) };
  }
  return null;
}

function comparable(text: string): string {
  return text
    .toLowerCase()
    .replace(/0x[0-9a-f]+|\d+/g, "0")
    .replace(/["'`\s]+/g, " ")
    .trim();
}

/** The failure that a result shows; null when no line of it names one. */
export function readFailure(result: string): Failure | null {
  const all = shortLines(outputOf(result)).filter(
    (line) => line.trim() !== "" && !/^\s*>|^\s*at\s|\b0 (?:errors?|failed)\b/.test(line),
  );
  const lines = withoutStepNumbers(all);
  const item = firstItem(lines);
  const line = tellingLine(lines, item?.part ?? []) ?? item?.name ?? null;
  if (line === null) return null;
  return {
    line,
    item: item === null || item.name === line ? null : item.name,
    key: comparable(item?.name ?? line),
    isEnvironment: all.some((each) => ENVIRONMENT.test(each)),
    isMissingFile: all.some((each) => MISSING_FILE.test(each)),
  };
}

import { asInteger, asRecord } from "./json-values.ts";

/** `Exit Code: 1`, `Exit code 1`, `Process exited with code 1`, `<exited with exit code 1>`, each at the start of a line. */
const IN_TEXT =
  /^[ \t]*<?(?:exit code:?|(?:process |command )?exited with (?:exit )?(?:code|status):?)[ \t]+(-?\d{1,9})\b/gim;

/**
 * The exit code that a shell result's text tells, or null. Agents put it before or behind the
 * output; the last one counts, since the command's own output may hold such a line too.
 */
export function exitCodeInText(text: string): number | null {
  let code: number | null = null;
  for (const match of text.matchAll(IN_TEXT)) code = Number(match[1]);
  return code;
}

/** The exit code in a result that is a JSON object, at the keys that agents use, or null. */
export function exitCodeInObject(result: unknown): number | null {
  const object = asRecord(result);
  if (object === null) return null;
  for (const key of ["exit_code", "exitCode", "returncode", "return_code"]) {
    const code = asInteger(object[key]);
    if (code !== null) return code;
  }
  return exitCodeInObject(object["metadata"]);
}

/** Commands whose exit code 1 is an answer (`nothing found`, `they differ`), not a failure. */
const ANSWERS_BY_EXIT_CODE =
  /^(?:e?grep|fgrep|rg|ag|ack|diff|cmp|test|\[|git (?:diff|grep))(?:\s|$)/;

/** True when the exit code tells of a failure of this command. */
export function isFailingExit(code: number, command: string | null): boolean {
  if (code !== 1 || command === null) return code !== 0;
  const last = command.split(/&&|\|\||[|;\n]/).at(-1) ?? "";
  return !ANSWERS_BY_EXIT_CODE.test(last.trim());
}

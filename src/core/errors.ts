/**
 * The three kinds of failure, as the doors see them.
 *
 * An expected result is a value (a Verdict, Findings, an Outcome). A failure that somebody can act
 * on is a SkillprError: it says what was wrong, where, and what to do next. Anything else that is
 * thrown is a bug: the doors print its stack and leave with 70.
 */

import { safeLine } from "./text.ts";

/** Which part failed; decides the exit code and stands in the JSON of an outcome as `error.code`. */
export type ErrorCode = "usage" | "input" | "config" | "git" | "model" | "github" | "interrupted";

const EXIT_CODES: Readonly<Record<ErrorCode, number>> = {
  usage: 1,
  input: 1,
  config: 1,
  git: 3,
  model: 3,
  github: 3,
  interrupted: 3,
};

export function exitCodeFor(code: ErrorCode): number {
  return EXIT_CODES[code];
}

/** Exit code of a change that the verifier refused. */
export const EXIT_REFUSED = 2;
/** Exit code of a bug. */
export const EXIT_BUG = 70;

/** A failure that somebody can act on: every error that is thrown and is no bug. */
export class SkillprError extends Error {
  readonly code: ErrorCode;
  /** One sentence: what to do next. */
  readonly hint: string;

  /**
   * @param code which part failed
   * @param message what was wrong and where (file, line, flag), without a trailing full stop
   * @param hint what to do next
   * @param options `cause`: the error behind it, kept for the library's callers and for tests
   */
  constructor(code: ErrorCode, message: string, hint: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "SkillprError";
    this.code = code;
    this.hint = hint;
  }

  get exitCode(): number {
    return exitCodeFor(this.code);
  }
}

/**
 * A file or stream that the system refused: not a bug of ours, so it is told as bad input.
 * @returns null when the error isn't the system's
 */
export function systemFailure(error: unknown): SkillprError | null {
  if (!(error instanceof Error) || !("syscall" in error) || !("code" in error)) return null;
  const text = (value: unknown, before: string) =>
    typeof value === "string" ? `${before}${safeLine(value)}` : "";
  const { path, dest } = error as { path?: unknown; dest?: unknown };
  const where = text(path, " ") + text(dest, " to ");
  return new SkillprError(
    "input",
    `${String(error.syscall)}${where} failed: ${String(error.code)}`,
    "check the path, what lies there, its permissions and the free space, then run this again",
    { cause: error },
  );
}

/**
 * What somebody can act on, as one kind of error.
 * @throws the error itself when it is neither ours nor the system's: a bug
 */
export function asFailure(error: unknown): SkillprError {
  const failure = error instanceof SkillprError ? error : systemFailure(error);
  if (failure === null) throw error;
  return failure;
}

/** True for errors with this Node.js or system code, e.g. `hasCode(error, "ENOENT")`. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return (
    typeof error === "object" &&
    error !== null &&
    "code" in error &&
    typeof error.code === "string" &&
    codes.includes(error.code)
  );
}

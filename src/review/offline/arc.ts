/** A failed-then-fixed arc: the evidence for one lesson. */

import type { Hunk, NetHunk, TakenBack } from "./net-change.ts";
import type { Failure } from "./read-failure.ts";
import type { CheckRun, Look, Step } from "./step.ts";

export interface RedRun extends CheckRun {
  readonly failure: Failure;
}

/** Something that was tried and isn't part of the fix. */
export interface FailedAttempt {
  readonly path: string;
  readonly hunk: Hunk;
  readonly triedIn: string;
  /** The next run of the check while the change was in place; null when there was none. */
  readonly next: CheckRun | null;
  /** Turn in which it was taken back; null when other edits replaced it. */
  readonly takenBackIn: string | null;
}

export interface Verification {
  readonly run: CheckRun;
  /** The edit that added the script it runs, when the session added it. */
  readonly scriptAdded: {
    readonly path: string;
    readonly turn: string;
    readonly hunk: Hunk;
  } | null;
}

export interface Arc {
  /** The first failing run. */
  readonly red: RedRun;
  /** All failing runs of the same check, in order. */
  readonly reds: readonly RedRun[];
  /** Those of them before the first change: what the project itself showed, `red` first. */
  readonly symptoms: readonly RedRun[];
  /** The first success after the last failure, with a command line that had failed before. */
  readonly green: CheckRun;
  /** What made it succeed, in the order of the session; never empty. */
  readonly fix: readonly NetHunk[];
  readonly failedAttempts: readonly FailedAttempt[];
  /** Looks and narrower runs between the first failure and the fix. */
  readonly looks: readonly (Look | CheckRun)[];
  /** Checks that succeeded on the fixed state, `green` first, one per command line. */
  readonly verifiedBy: readonly Verification[];
}

/** Turns in which the fix of a file was made, in order; those of a failed attempt at it are none of them. */
export function fixTurns({ fix, failedAttempts }: Arc, path: string): string[] {
  const tried = new Set(
    failedAttempts.flatMap((attempt) => (attempt.path === path ? [attempt.triedIn] : [])),
  );
  const turns = fix.flatMap((hunk) => {
    if (hunk.path !== path) return [];
    const own = hunk.turns.filter((turn) => !tried.has(turn));
    return own.length > 0 ? own : hunk.turns.slice(-1);
  });
  return [...new Set(turns)];
}

/** Where an arc may be: a check that failed, and the run that succeeded after its last failure. */
export interface Candidate {
  readonly steps: readonly Step[];
  readonly runs: readonly CheckRun[];
  readonly reds: readonly CheckRun[];
  readonly green: CheckRun;
  /** Steps between the first failure and the success. */
  readonly window: readonly Step[];
  readonly stayed: readonly NetHunk[];
  readonly takenBack: readonly TakenBack[];
}

/** Rough family of a check: only checks of one family say something about each other's failures. */
export function familyOf(run: CheckRun): "lint" | "types" | "build" | "test" {
  const key = run.command.key;
  if (/\b(?:lint|eslint|ruff|biome|flake8|pylint|clippy|rubocop|shellcheck)\b/.test(key))
    return "lint";
  if (/\b(?:tsc|typecheck|type-check|check-types|mypy|pyright)\b/.test(key)) return "types";
  return /\b(?:build|compile|assemble|package)\b/.test(key) ? "build" : "test";
}

const TEST_FILE =
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e|__snapshots__|fixtures|testdata)\/|(?:^|\/)test_[^/]*$|[._-](?:test|spec)s?\.\w+$|_test\.\w+$|\.snap$|(?:^|\/)conftest\.py$/i;

export function isTestFile(path: string): boolean {
  return TEST_FILE.test(path);
}

export function isDocument(path: string): boolean {
  return (
    /\.(?:md|mdx|rst|adoc|txt)$/i.test(path) ||
    /(?:^|\/)(?:CHANGELOG|LICENSE|NOTICE)[^/]*$/.test(path)
  );
}

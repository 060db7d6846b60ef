/**
 * What keeps a candidate from being a lesson. Each bar is here because arcs that fail it make
 * skills that people would delete: the offline reviewer would rather say nothing.
 */
import { type Candidate, familyOf, isDocument, isTestFile } from "./arc.ts";
import { type NetHunk, netChange } from "./net-change.ts";
import type { CheckRun, Step } from "./step.ts";

/** Why nothing is learned from a failed check. */
export type SilenceReason =
  | "error-not-shown"
  | "environment"
  | "flaky"
  | "not-followed"
  | "no-change"
  | "missing-file-created"
  | "only-the-check-changed"
  | "check-silenced"
  | "typo"
  | "own-mistake"
  | "changed-after-success"
  | "no-effort"
  | "ends-red";

/** Ways of making a check pass without solving anything. */
const SILENCED =
  /eslint-disable|biome-ignore|@ts-(?:ignore|expect-error|nocheck)|#\s*noqa|type:\s*ignore|pylint:\s*disable|nolint|@Disabled\b|\bxit\(|\bxdescribe\(|\.(?:skip|todo)\(|\bskip(?:\s*:\s*true|If\()|pytest\.mark\.(?:skip|xfail)|#\[ignore|\|\|\s*true|continue-on-error|--(?:passWithNoTests|no-verify|retries|retry)\b/;

function isRed(step: Step): step is CheckRun {
  return step.kind === "check" && step.verdict.color === "red";
}

function changesIn(steps: readonly Step[]): boolean {
  return steps.some((step) => step.kind === "change" || step.kind === "unseen-change");
}

/** The same command line failed and then succeeded with nothing changed between: chance, not a fix. */
function isFlaky({ steps, green }: Candidate): boolean {
  const runs = steps.filter(
    (step): step is CheckRun =>
      step.kind === "check" &&
      step.command.key === green.command.key &&
      step.verdict.color !== "unclear",
  );
  return runs.some((run, i) => {
    const next = runs[i + 1];
    return (
      next !== undefined &&
      isRed(run) &&
      next.verdict.color === "green" &&
      run.command.exactKey === next.command.exactKey &&
      !changesIn(steps.slice(run.at, next.at))
    );
  });
}

/** True when exactly one word differs, and that by a letter or two. */
function isMisspelling(before: string, after: string): boolean {
  const left = before.split(/\b/);
  const right = after.split(/\b/);
  if (left.length !== right.length) return false;
  const differing = left.flatMap((word, i) => (word === right[i] ? [] : [[word, right[i] ?? ""]]));
  const [a = "", b = ""] = differing[0] ?? [];
  if (differing.length !== 1 || !/^[a-z_]{4,}$/i.test(a) || !/^[a-z_]{4,}$/i.test(b)) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return Math.max(a.length, b.length) - start - end <= 2;
}

/**
 * Finding out took something: an attempt that failed or was taken back; or else a look at the cause
 * and a check of the same family beyond the re-run. One edit and a re-run is everyday work.
 */
function tookEffort({ reds, green, window, steps, takenBack }: Candidate): boolean {
  if (takenBack.length > 0) return true;
  const key = (run: CheckRun) =>
    run.verdict.color === "red" ? run.verdict.failure?.key : undefined;
  const again = reds.some((red, i) => {
    const next = reds[i + 1];
    // Another error after an edit is progress through several small faults, not a failed attempt.
    return next !== undefined && key(red) === key(next) && changesIn(steps.slice(red.at, next.at));
  });
  if (again) return true;
  const firstChange = window.find((step) => step.kind === "change")?.at ?? 0;
  const looked = window.some(
    (step) =>
      step.at < firstChange &&
      (step.kind === "look"
        ? step.command === null ||
          !/^\s*(?:ls|cat|pwd|head|tail|git (?:status|diff|log|show))\b/.test(step.command)
        : step.kind === "check" && step.command.exactKey !== green.command.exactKey),
  );
  const checked = steps.some(
    (step) =>
      step.at > green.at &&
      step.kind === "check" &&
      step.verdict.color === "green" &&
      step.command.exactKey !== green.command.exactKey &&
      familyOf(step) === familyOf(green),
  );
  return looked && checked;
}

/** A check that failed after the fix and never succeeded again, or the last run of all failed. */
function endsRed(steps: readonly Step[], from: number): boolean {
  const last = new Map<string, boolean>();
  let final = false;
  for (const step of steps) {
    if (step.kind !== "check" || step.verdict.color === "unclear") continue;
    final = isRed(step);
    if (step.at >= from) last.set(step.command.exactKey, final);
  }
  return final || [...last.values()].some((red) => red);
}

function pathsChanged(steps: readonly Step[]): Set<string> {
  return new Set(steps.flatMap((step) => (step.kind === "change" ? [step.change.path] : [])));
}

/**
 * The session may have caused the failure itself: changes that no check had passed yet stood when
 * it was first seen (a feature half done, a test written first), or the fix is only in files that
 * the session had changed before. That is about the session, not about the project.
 */
function isOwnMistake({ steps, reds }: Candidate, fix: readonly NetHunk[]): boolean {
  const before = steps.slice(0, reds[0]?.at ?? 0);
  const settled = before.findLastIndex(
    (step) => step.kind === "check" && step.verdict.color === "green",
  );
  const open = before.slice(settled + 1);
  if (
    open.some(
      (step) =>
        step.kind === "unseen-change" && ["shell", "subagent", "no-text"].includes(step.why),
    )
  ) {
    return true;
  }
  const changes = open.flatMap((step) => (step.kind === "change" ? [step.change] : []));
  if (netChange(changes).stayed.some((hunk) => !isDocument(hunk.path))) return true;
  const touched = pathsChanged(before);
  return fix.filter((hunk) => !isTestFile(hunk.path)).every((hunk) => touched.has(hunk.path));
}

/** The bars about what was changed. */
function whyFixTeachesNothing(candidate: Candidate): SilenceReason | null {
  const { stayed, reds, steps, green } = candidate;
  const fix = stayed.filter((hunk) => !isDocument(hunk.path));
  // Without a change that stayed, something else made the check succeed.
  if (fix.length === 0) return "no-change";
  const missing = reds.some(
    (red) => red.verdict.color === "red" && red.verdict.failure?.isMissingFile,
  );
  // A file that wasn't there and then was needs no procedure.
  if (fix.every((hunk) => hunk.creates) || (missing && fix.some((hunk) => hunk.creates)))
    return "missing-file-created";
  // Changing the expectation until it fits teaches the wrong thing.
  if (fix.every((hunk) => isTestFile(hunk.path))) return "only-the-check-changed";
  if (fix.some((hunk) => SILENCED.test(hunk.after) && !SILENCED.test(hunk.before ?? "")))
    return "check-silenced";
  if (fix.length === 1 && isMisspelling(fix[0]?.before ?? "", fix[0]?.after ?? "")) return "typo";
  if (isOwnMistake(candidate, fix)) return "own-mistake";
  const lastGreen =
    steps.findLast((step) => step.kind === "check" && step.verdict.color === "green")?.at ??
    green.at;
  const after = pathsChanged(steps.slice(lastGreen));
  const dropped = steps.some(
    (step) => step.at > green.at && step.kind === "unseen-change" && step.why === "git-drop",
  );
  // Then the state that the skill would describe was never checked.
  return dropped || fix.some((hunk) => after.has(hunk.path)) ? "changed-after-success" : null;
}

/** The first bar that the candidate fails; null when it is unmistakable. */
export function whySilent(candidate: Candidate): SilenceReason | null {
  const { reds, window, steps, green } = candidate;
  const failures = reds.map((red) => (red.verdict.color === "red" ? red.verdict.failure : null));
  // A reader must be able to recognise the situation; without an error line there is nothing to recognise.
  if (failures.some((failure) => failure === null)) return "error-not-shown";
  if (failures.some((failure) => failure?.isEnvironment === true)) return "environment";
  const unseen = window.flatMap((step) => (step.kind === "unseen-change" ? [step.why] : []));
  // An installation in between: the machine lacked something. It says nothing about the project.
  if (unseen.includes("install")) return "environment";
  if (isFlaky(candidate)) return "flaky";
  // The steps would be incomplete, and nobody could tell.
  if (unseen.length > 0) return "not-followed";
  const reason = whyFixTeachesNothing(candidate);
  if (reason !== null) return reason;
  if (!tookEffort(candidate)) return "no-effort";
  return endsRed(steps, green.at) ? "ends-red" : null;
}

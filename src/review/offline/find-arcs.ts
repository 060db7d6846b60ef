/**
 * Finds arcs: a check failed, something was changed, and the same check succeeded for good.
 * Pure; what it finds is evidence with turns, what it leaves out has a reason (arc-bars.ts).
 */
import type { Session } from "../../transcript/session.ts";
import {
  type Arc,
  type Candidate,
  type FailedAttempt,
  isDocument,
  type RedRun,
  type Verification,
} from "./arc.ts";
import { type SilenceReason, whySilent } from "./arc-bars.ts";
import {
  type Hunk,
  type NetHunk,
  netChange,
  type PathChange,
  type TakenBack,
} from "./net-change.ts";
import { hasFixedCheck, readSteps } from "./read-steps.ts";
import type { ChangeStep, CheckRun, Look, Step } from "./step.ts";
import { tellOnce } from "./tell-once.ts";

export interface LeftOut {
  readonly command: string;
  readonly turn: string;
  readonly reason: SilenceReason;
}

export interface ArcSearch {
  /** The strongest first: most failed attempts, then most checks. */
  readonly arcs: readonly Arc[];
  /** Checks that failed and teach nothing, with the reason. */
  readonly left: readonly LeftOut[];
}

function redRuns(runs: readonly CheckRun[]): RedRun[] {
  return runs.flatMap((run) => {
    const failure = run.verdict.color === "red" ? run.verdict.failure : null;
    return failure === null ? [] : [{ ...run, failure }];
  });
}

function isRed(run: CheckRun): boolean {
  return run.verdict.color === "red";
}

function failureKey(run: CheckRun): string | null {
  return run.verdict.color === "red" ? (run.verdict.failure?.key ?? null) : null;
}

/**
 * The runs of one check that belong to its last failure: a success in between ends an older story,
 * unless the same failure came back, which makes that success part of this one.
 */
function lastStory(runs: readonly CheckRun[]): CheckRun[] {
  let start = 0;
  const seen = new Set<string | null>();
  for (const [i, run] of runs.entries()) {
    if (run.verdict.color !== "red") continue;
    const afterGreen = runs[i - 1]?.verdict.color === "green";
    if (afterGreen && !seen.has(failureKey(run))) {
      start = i;
      seen.clear();
    }
    seen.add(failureKey(run));
  }
  return runs.slice(start);
}

function changesOf(steps: readonly Step[]): PathChange[] {
  return steps.flatMap((step) => (step.kind === "change" ? [step.change] : []));
}

/**
 * The success that lasted: the first after the last failure, of a command line that had failed
 * before. One that rested on a change which was taken back later (a skipped test, a pinned value)
 * is part of the attempts.
 */
function lastingGreen(runs: readonly CheckRun[], steps: readonly Step[]): CheckRun | null {
  const reds = runs.filter((run) => run.verdict.color === "red");
  const last = reds.at(-1);
  if (last === undefined) return null;
  const failed = new Set(reds.map((red) => red.command.exactKey));
  const greens = runs.filter((run) => run.at > last.at && failed.has(run.command.exactKey));
  // Most failures have none, and what follows looks at the whole session.
  if (greens.length === 0) return null;
  const placeOf = new Map(steps.map((step) => [step.turn, step.at]));
  const { takenBack } = netChange(changesOf(steps.slice(reds[0]?.at ?? 0)));
  const rests = (green: CheckRun) =>
    takenBack.some(
      ({ triedIn, takenBackIn }) =>
        (placeOf.get(triedIn) ?? 0) < green.at && (placeOf.get(takenBackIn) ?? 0) > green.at,
    );
  return greens.find((green) => !rests(green)) ?? null;
}

/** null when the check never failed, or never succeeded for good after its last failure. */
function candidateOf(all: readonly CheckRun[], steps: readonly Step[]): Candidate | null {
  const runs = lastStory(all.filter((run) => run.verdict.color !== "unclear"));
  const reds = runs.filter((run) => run.verdict.color === "red");
  const first = reds[0];
  const green = lastingGreen(runs, steps);
  if (first === undefined || green === null) return null;
  const window = steps.slice(first.at + 1, green.at);
  return { steps, runs, reds, green, window, ...netChange(changesOf(window)) };
}

/** The attempt that a hunk was, null when it stayed, or when nothing shows that it was none. */
function attemptOf(candidate: Candidate, step: ChangeStep, hunk: Hunk): FailedAttempt | null {
  const { path, turn } = step.change;
  const ofPath = candidate.takenBack.filter((each) => each.path === path);
  // The edit that takes another one back is no attempt of its own.
  const takesBack = (each: TakenBack) =>
    each.takenBackIn === turn && each.hunk.before === hunk.after;
  if (ofPath.some(takesBack)) return null;
  const tried = ofPath.filter((each) => each.triedIn === turn);
  const back = tried.find((each) => each.hunk.after === hunk.after) ?? tried[0];
  const stays = candidate.stayed.some(
    (each) => each.path === path && each.after.includes(hunk.after),
  );
  if (stays && back === undefined) return null;
  const takenBackIn = back?.takenBackIn ?? null;
  const end = candidate.window.find(
    (each) => each.kind === "change" && each.turn === takenBackIn,
  )?.at;
  const next =
    candidate.runs.find((run) => run.at > step.at && run.at < (end ?? candidate.green.at)) ?? null;
  if (back === undefined && next?.verdict.color !== "red") return null;
  return { path, hunk: back?.hunk ?? hunk, triedIn: turn, next, takenBackIn };
}

/** What was tried and didn't stay, in the order of the attempts. */
function failedAttempts(candidate: Candidate): FailedAttempt[] {
  return candidate.window.flatMap((step) =>
    step.kind === "change" && !isDocument(step.change.path)
      ? step.change.hunks.flatMap((hunk) => attemptOf(candidate, step, hunk) ?? [])
      : [],
  );
}

/** Without documents: prose beside the fix is no part of it. */
function withoutDocuments(stayed: readonly NetHunk[]): NetHunk[] {
  return stayed.filter((hunk) => !isDocument(hunk.path));
}

/** Where the session added the package script that a check runs. */
function scriptAdded(run: CheckRun, steps: readonly Step[]): Verification["scriptAdded"] {
  const script = /\brun ([\w:.-]+)/.exec(run.command.key)?.[1];
  if (script === undefined) return null;
  for (const step of steps) {
    if (step.kind !== "change" || !/(?:^|\/)package\.json$/.test(step.change.path)) continue;
    const entry = `"${script}":`;
    const hunk = step.change.hunks.find(
      ({ before, after }) => after.includes(entry) && before?.includes(entry) === false,
    );
    if (hunk !== undefined) return { path: step.change.path, turn: step.turn, hunk };
  }
  return null;
}

function verifications({ green, steps, window }: Candidate): Verification[] {
  const lastChange = window.findLast((step) => step.kind === "change")?.at ?? 0;
  const runs = new Map<string, CheckRun>([[green.command.exactKey, green]]);
  const after = steps.slice(lastChange).filter((step) => step.kind === "check");
  // One that failed first was made to succeed by something else.
  const other = new Set(after.filter(isRed).map((step) => step.command.key));
  for (const step of after) {
    if (step.verdict.color !== "green" || other.has(step.command.key)) continue;
    if (!runs.has(step.command.exactKey)) runs.set(step.command.exactKey, step);
  }
  return [...runs.values()].map((run) => ({ run, scriptAdded: scriptAdded(run, steps) }));
}

function toArc(candidate: Candidate): Arc | null {
  const reds = redRuns(candidate.reds);
  const red = reds[0];
  if (red === undefined) return null;
  const { green, window, stayed } = candidate;
  const firstChange = window.find((step) => step.kind === "change")?.at ?? 0;
  const touched = window.find((step) => step.kind === "change" && !isDocument(step.change.path));
  const fixedIn = new Set(stayed.map((hunk) => hunk.turns[0]));
  const firstFix = window.find((step) => step.kind === "change" && fixedIn.has(step.turn))?.at ?? 0;
  return {
    red,
    reds,
    // A later one may come of a wrong attempt, and whoever has the failure before them won't see it.
    symptoms: reds.filter((each) => each.at < (touched?.at ?? green.at)),
    green,
    fix: withoutDocuments(stayed),
    failedAttempts: failedAttempts(candidate),
    looks: window.flatMap((step): (Look | CheckRun)[] => {
      if (step.kind === "look") return step.at < firstFix ? [step] : [];
      // What a check says with a wrong change in place isn't about the cause.
      const narrows = step.kind === "check" && step.command.exactKey !== red.command.exactKey;
      return narrows && step.at < firstChange ? [step] : [];
    }),
    verifiedBy: verifications(candidate),
  };
}

function runsByCheck(steps: readonly Step[]): CheckRun[][] {
  const byCheck = new Map<string, CheckRun[]>();
  for (const step of steps) {
    if (step.kind !== "check") continue;
    const runs = byCheck.get(step.command.key);
    if (runs === undefined) byCheck.set(step.command.key, [step]);
    else runs.push(step);
  }
  return [...byCheck.values()];
}

/** @param session redacted or raw; the result quotes it */
export function findArcs(session: Session): ArcSearch {
  if (!hasFixedCheck(session)) return { arcs: [], left: [] };
  const steps = readSteps(session);
  const found: Arc[] = [];
  const left: LeftOut[] = [];
  for (const runs of runsByCheck(steps)) {
    const candidate = candidateOf(runs, steps);
    const first = candidate?.reds[0];
    if (candidate === null || first === undefined) continue;
    const reason = whySilent(candidate);
    const arc = reason === null ? toArc(candidate) : null;
    if (arc !== null) found.push(arc);
    else if (reason !== null) left.push({ command: first.command.text, turn: first.turn, reason });
  }
  return { arcs: tellOnce(found, steps), left };
}

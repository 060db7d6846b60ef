/** Jobs as `status` and `work` show them. */

import { SHORT_SESSION_MAX_CHARS } from "../core/limits.ts";
import { cut, safeLine } from "../core/text.ts";
import { dueAt, type WorkerPolicy } from "../hook/due.ts";
import type { JobOutcome, JobRecord } from "../hook/job-record.ts";
import type { Job } from "../hook/queue.ts";
import type { Paint } from "./terminal.ts";

/** One job in the JSON that the contract promises. */
export interface JobView {
  readonly id: string;
  readonly sessionId: string;
  readonly agent: string | null;
  readonly state: "queued" | "running" | "done" | "parked";
  /** ISO 8601; from when on a worker takes it. Null when none will. */
  readonly due: string | null;
  readonly tries: number;
  /** ISO 8601. */
  readonly capturedAt: string;
  /** Of the last try; while it waits for another one, too. */
  readonly outcome: JobOutcome | null;
}

export interface ViewedAt {
  readonly policy: WorkerPolicy;
  readonly nowMs: number;
  /** Whether a living worker holds the lock. */
  readonly isWorking: boolean;
  /** Nothing is taken before it, in milliseconds since 1970: the day is used up. 0: it isn't. */
  readonly heldUntilMs: number;
}

export function jobView(job: Job, at: ViewedAt): JobView {
  const { id, capture, record, earlier } = job;
  const { sessionId, agent, capturedAt } = capture ?? record ?? UNKNOWN;
  const state = stateOf(job, at);
  const { tries, outcome } = record ?? { tries: 0, outcome: earlier?.outcome ?? null };
  const due = state === "queued" ? dueTime(job, at) : null;
  return { id, sessionId, agent, state, due, tries, capturedAt, outcome };
}

const UNKNOWN = { sessionId: "", agent: null, capturedAt: "" };

function stateOf(job: Job, { policy, nowMs, isWorking }: ViewedAt): JobView["state"] {
  const { record } = job;
  if (record?.state === "running" && isWorking) return "running";
  if (dueAt(job, policy, nowMs) !== Number.POSITIVE_INFINITY) return "queued";
  return record?.state === "done" ? "done" : "parked";
}

function dueTime(job: Job, { policy, nowMs, heldUntilMs }: ViewedAt): string {
  const due = dueAt(job, policy, nowMs) || nowMs;
  return new Date(Math.max(due, heldUntilMs)).toISOString();
}

/** A job that was just taken. */
export function recordView(record: JobRecord): JobView {
  const { id, sessionId, agent, state, due, tries, capturedAt, outcome } = record;
  const shown = state === "waiting" ? "queued" : state;
  return { id, sessionId, agent, state: shown, due, tries, capturedAt, outcome };
}

/** `skipped: below_threshold`; why it failed stands elsewhere. */
export function outcomeWords(outcome: JobOutcome | null): string {
  if (outcome === null) return "";
  const { status, skippedReason, error } = outcome;
  const why = skippedReason ?? error?.code;
  return safeLine(status.replaceAll("_", " ") + (why === undefined ? "" : `: ${why}`));
}

/** Why a job is parked or waits for another try: the error and what to do, or the detail. */
export function reasonLines({ outcome }: JobView, paint: Paint): string[] {
  if (outcome === null) return [];
  const { error, detail } = outcome;
  if (error !== undefined) return [safeLine(error.message), paint.dim(safeLine(error.hint))];
  return detail === undefined ? [] : [safeLine(detail)];
}

/** Enough of a session's id to know it by. */
export function shortSession(sessionId: string): string {
  return cut(safeLine(sessionId), SHORT_SESSION_MAX_CHARS);
}

/** `now`, `3 min`, `2 h`, `5 d`, for a time span in milliseconds. */
export function spanWords(ms: number): string {
  const minutes = Math.round(Math.abs(ms) / 60_000);
  if (minutes < 1) return "now";
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} d`;
}

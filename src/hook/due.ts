/** When a job's turn is. Clocks jump: a time that our own pauses can't explain counts as come. */
import * as limits from "../core/limits.ts";
import type { DailyUsage } from "./daily-usage.ts";
import type { Job } from "./queue.ts";

/** The user's `worker:` settings; see docs/worker.md. */
export interface WorkerPolicy {
  readonly quietMinutes: number;
  readonly reviewsPerDay: number;
  /** Input and output together. */
  readonly tokensPerDay: number;
}

export const DEFAULT_POLICY: WorkerPolicy = {
  quietMinutes: limits.QUIET_MINUTES,
  reviewsPerDay: limits.REVIEWS_PER_DAY,
  tokensPerDay: limits.TOKENS_PER_DAY,
};

const MINUTE_MS = 60_000;

/**
 * Milliseconds since 1970 from when on a worker may take the job; 0: at once; Infinity: never (it
 * is done, or parked until somebody retries it). A record that says `running` counts as at once:
 * who asks holds the lock, so its worker is dead.
 */
export function dueAt(job: Job, policy: WorkerPolicy, nowMs: number): number {
  const { capture, record } = job;
  if (record === null)
    return capture === null ? Number.POSITIVE_INFINITY : dueOf(job, policy, nowMs);
  if (record.state === "done") return Number.POSITIVE_INFINITY;
  if (record.state === "parked") return job.isRetried ? 0 : Number.POSITIVE_INFINITY;
  if (record.state === "running" || job.isRetried || record.due === null) return 0;
  return believable(Date.parse(record.due), limits.RETRY_PAUSE_MAX_MS, nowMs);
}

/** The hook knows no config: it reckons with the default quiet period, and the user's is put in its place here. */
function dueOf({ capture, isRetried }: Job, policy: WorkerPolicy, nowMs: number): number {
  if (capture === null || isRetried || capture.event === "SessionEnd") return 0;
  const due = Date.parse(capture.due);
  if (due <= Date.parse(capture.capturedAt)) return 0;
  const quietMs = policy.quietMinutes * MINUTE_MS;
  return believable(due + quietMs - limits.QUIET_MINUTES * MINUTE_MS, quietMs, nowMs);
}

function believable(timeMs: number, longestMs: number, nowMs: number): number {
  return Number.isFinite(timeMs) && timeMs - nowMs <= longestMs ? timeMs : 0;
}

/** The pause after that many tries. */
export function retryPauseMs(tries: number): number {
  const pause = limits.RETRY_PAUSE_MS * limits.RETRY_PAUSE_GROWTH ** Math.max(0, tries - 1);
  return Math.min(pause, limits.RETRY_PAUSE_MAX_MS);
}

/** Whether the day's reviews or tokens are used up. */
export function isUsedUp(usage: DailyUsage, policy: WorkerPolicy): boolean {
  const tokens = usage.inputTokens + usage.outputTokens;
  return usage.reviews >= policy.reviewsPerDay || tokens >= policy.tokensPerDay;
}

/** Start of the next day (UTC), in milliseconds since 1970. */
export function nextDayMs(nowMs: number): number {
  const dayMs = 24 * 60 * MINUTE_MS;
  return (Math.floor(nowMs / dayMs) + 1) * dayMs;
}

/** Due first, then captured first: the order in which jobs are taken. */
export function byTurn(policy: WorkerPolicy, nowMs: number): (a: Job, b: Job) => number {
  // A job that ended its worker lets the others go first: should it do so again, they are done.
  const deaths = (job: Job) => (job.record?.state === "running" ? job.record.deaths + 1 : 0);
  const captured = (job: Job) => job.capture?.capturedAt ?? job.record?.capturedAt ?? "";
  return (a, b) =>
    deaths(a) - deaths(b) ||
    dueAt(a, policy, nowMs) - dueAt(b, policy, nowMs) ||
    (captured(a) < captured(b) ? -1 : captured(a) > captured(b) ? 1 : 0) ||
    (a.id < b.id ? -1 : 1);
}

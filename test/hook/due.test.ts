import { describe, expect, test } from "vitest";
import {
  JOB_TRIES_MAX,
  QUIET_MINUTES,
  RETRY_PAUSE_MAX_MS,
  RETRY_PAUSE_MS,
} from "../../src/core/limits.ts";
import {
  byTurn,
  DEFAULT_POLICY,
  dueAt,
  isUsedUp,
  nextDayMs,
  retryPauseMs,
} from "../../src/hook/due.ts";
import { iso, MINUTE, NOON, sampleCapture, sampleJob, sampleRecord } from "./queue-samples.ts";

const QUIET = QUIET_MINUTES * MINUTE;
const stopped = (more = {}) =>
  sampleJob({ capture: sampleCapture({ event: "Stop", due: iso(NOON + QUIET), ...more }) });
const due = (job = sampleJob(), nowMs = NOON, policy = DEFAULT_POLICY) => dueAt(job, policy, nowMs);

describe("a captured session", () => {
  test("that has ended is due at once", () => {
    expect(due()).toBe(0);
  });

  test("whose turn stopped is due after the quiet period", () => {
    expect(due(stopped())).toBe(NOON + QUIET);
    expect(due({ ...stopped(), isRetried: true })).toBe(0);
  });

  test("the user's quiet period takes the place of the hook's", () => {
    const quieter = { ...DEFAULT_POLICY, quietMinutes: 30 };
    expect(due(stopped(), NOON, quieter)).toBe(NOON + 30 * MINUTE);
    const quicker = { ...DEFAULT_POLICY, quietMinutes: 0 };
    expect(due(stopped(), NOON, quicker)).toBe(NOON);
  });

  test("a due time that the quiet period doesn't explain counts as come", () => {
    // The clock was a year ahead when the hook ran.
    const year = 365 * 24 * 60 * MINUTE;
    const odd = stopped({ capturedAt: iso(NOON + year), due: iso(NOON + year + QUIET) });
    expect(due(odd)).toBe(0);
    expect(due(stopped({ due: "no time" }))).toBe(0);
  });
});

describe("a job with a record", () => {
  const waiting = (dueMs: number) =>
    sampleJob({ record: sampleRecord({ state: "waiting", due: iso(dueMs) }) });

  test("waits for its next try, but never longer than the longest pause", () => {
    expect(due(waiting(NOON + MINUTE))).toBe(NOON + MINUTE);
    expect(due(waiting(NOON + RETRY_PAUSE_MAX_MS + MINUTE))).toBe(0);
  });

  test("is never due when it is done or parked, unless somebody retries a parked one", () => {
    const done = sampleJob({ record: sampleRecord(), isRetried: true });
    const parked = sampleJob({ record: sampleRecord({ state: "parked" }) });
    expect([due(done), due(parked)]).toEqual([Infinity, Infinity]);
    expect(due({ ...parked, isRetried: true })).toBe(0);
    expect(due({ ...waiting(NOON + MINUTE), isRetried: true })).toBe(0);
  });

  test("is due at once when its worker died", () => {
    expect(due(sampleJob({ record: sampleRecord({ state: "running" }) }))).toBe(0);
  });
});

test("pauses grow up to the longest", () => {
  const pauses = Array.from({ length: JOB_TRIES_MAX }, (_, tries) => retryPauseMs(tries + 1));
  expect(pauses[0]).toBe(RETRY_PAUSE_MS);
  expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
  expect(retryPauseMs(100)).toBe(RETRY_PAUSE_MAX_MS);
});

test("a day is used up by its reviews or by its tokens", () => {
  const policy = { quietMinutes: 1, reviewsPerDay: 2, tokensPerDay: 100 };
  const usage = { day: "2026-03-02", reviews: 1, inputTokens: 50, outputTokens: 49 };
  expect(isUsedUp(usage, policy)).toBe(false);
  expect(isUsedUp({ ...usage, reviews: 2 }, policy)).toBe(true);
  expect(isUsedUp({ ...usage, outputTokens: 50 }, policy)).toBe(true);
  expect(iso(nextDayMs(NOON))).toBe("2026-03-03T00:00:00.000Z");
});

test("jobs are taken as they become due, then as they were captured; one that ended its worker comes last", () => {
  const at = (id: string, job = sampleJob()) => ({ ...job, id });
  const late = sampleJob({ capture: sampleCapture({ capturedAt: iso(NOON + 1) }) });
  const died = sampleJob({ record: sampleRecord({ state: "running" }) });
  const jobs = [at("died", died), at("stopped", stopped()), at("late", late), at("first")];
  const order = jobs.sort(byTurn(DEFAULT_POLICY, NOON)).map(({ id }) => id);
  expect(order).toEqual(["first", "late", "stopped", "died"]);
});

/** Jobs as the queue's functions take them, built in memory. */
import type { JobRecord } from "../../src/hook/job-record.ts";
import type { Job } from "../../src/hook/queue.ts";
import type { Capture } from "../../src/hook/queue-files.ts";

export const ID = "0123456789abcdef";
/** When samples are captured, in milliseconds since 1970. */
export const NOON = Date.parse("2026-03-02T12:00:00.000Z");
export const MINUTE = 60_000;
export const iso = (ms: number) => new Date(ms).toISOString();

export function sampleCapture(more: Partial<Capture> = {}): Capture {
  return {
    version: 1,
    id: ID,
    sessionId: "session-1",
    agent: "qwen-code",
    event: "SessionEnd",
    transcriptPath: "/nowhere/session.jsonl",
    copy: `${ID}-aaaa`,
    size: 3,
    cwd: "/nowhere",
    capturedAt: iso(NOON),
    due: iso(NOON),
    ...more,
  };
}

export function sampleRecord(more: Partial<JobRecord> = {}): JobRecord {
  return {
    version: 1,
    id: ID,
    copy: `${ID}-aaaa`,
    transcript: `${ID}-aaaa`,
    sessionId: "session-1",
    agent: "qwen-code",
    capturedAt: iso(NOON),
    state: "done",
    tries: 1,
    deaths: 0,
    due: null,
    startedAt: iso(NOON),
    endedAt: iso(NOON),
    outcome: { status: "nothing_to_save", skills: [], branches: [] },
    ...more,
  };
}

export function sampleJob(more: Partial<Job> = {}): Job {
  return {
    id: ID,
    capture: sampleCapture(),
    record: null,
    earlier: null,
    isRetried: false,
    ...more,
  };
}

/**
 * The worker: takes due jobs in order, one process per repository, and records exactly one outcome
 * for each session. It knows nothing of reviews: how a transcript is reviewed is handed in.
 */
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { hasCode } from "../core/errors.ts";
import * as limits from "../core/limits.ts";
import { syncFolder } from "../core/make-folders.ts";
import { count } from "../core/text.ts";
import { acquireLock } from "../git/process-lock.ts";
import { addUsage, type DailyUsage, readUsage } from "./daily-usage.ts";
import { byTurn, dueAt, isUsedUp, retryPauseMs, type WorkerPolicy } from "./due.ts";
import { freshTranscript } from "./fresh-transcript.ts";
import { type JobOutcome, type JobRecord, writeRecord } from "./job-record.ts";
import { type Job, readJob, readQueue, setAside } from "./queue.ts";
import type { Capture, QueueFolders } from "./queue-files.ts";
import { sweepQueue } from "./sweep-queue.ts";

export interface ReviewTask {
  readonly capture: Capture;
  /** Absolute path of the newest copy of the transcript. */
  readonly transcript: string;
}

export interface ReviewAnswer {
  readonly outcome: JobOutcome;
  readonly used: Omit<DailyUsage, "day">;
  /** False: somebody has to do something first, then it can be tried again. */
  readonly isFinal: boolean;
}

export interface WorkerOptions {
  readonly folders: QueueFolders;
  readonly policy: WorkerPolicy;
  /** Also jobs that are not due yet; each once. */
  readonly takesAll: boolean;
  /** Expected failures are outcomes; what it throws is a bug, and ends the worker. */
  readonly review: (task: ReviewTask) => Promise<ReviewAnswer>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Ends the worker after the running job, which goes back into the queue. */
  readonly signal: AbortSignal;
  /** Told what a person may want to know and no outcome says. */
  readonly onNote: (note: string) => void;
  /** Called when a session's transcript isn't quiet yet: time for what its review will need. */
  readonly onWait?: () => void;
}

export interface WorkerReport {
  /** `busy`: another worker is at it. `gone`: the repository was removed meanwhile. */
  readonly status: "done" | "busy" | "gone";
  /** The records of the jobs that were taken, as they stand now. */
  readonly taken: readonly JobRecord[];
}

/** Works until nothing is due. */
export async function runWorker(options: WorkerOptions): Promise<WorkerReport> {
  const { folders } = options;
  const taken = new Map<string, JobRecord>();
  const report = (status: WorkerReport["status"]) => ({ status, taken: [...taken.values()] });
  try {
    // What a hook put there may only be in memory yet; it left that wait to us.
    for (const folder of [folders.transcripts, folders.captured])
      if (existsSync(folder)) syncFolder(folder);
    while (existsSync(folders.queue)) {
      const lock = await acquireLock(folders.workerLock);
      if (lock === null) return report("busy");
      try {
        await takeDue(options, taken);
      } finally {
        lock.release();
      }
      // A hook may have queued something after the last look, and its worker met the lock and left.
      if (options.signal.aborted || dueJobs(options, taken).length === 0) break;
    }
    return report("done");
  } catch (error) {
    const isGone = hasCode(error, "ENOENT") && !existsSync(dirname(folders.queue));
    if (!isGone) throw error;
    return report("gone");
  }
}

type Taken = ReadonlyMap<string, JobRecord>;

async function takeDue(options: WorkerOptions, taken: Map<string, JobRecord>): Promise<void> {
  const { folders, signal, onNote } = options;
  for (const folder of [folders.records, folders.transcripts]) makeFolder(folder);
  for (const file of readQueue(folders).damaged) onNote(setAside(folders, file));
  sweepQueue(folders, options.now());
  for (let due = dueJobs(options, taken); due.length > 0; due = dueJobs(options, taken)) {
    for (const { id } of due) {
      if (signal.aborted || isDayUsedUp(options)) return;
      // A hook may have replaced the capture since.
      const job = readJob(folders, id);
      if (!isDue(job, options, taken)) continue;
      taken.set(id, await takeJob(job, options));
    }
  }
}

/** Not recursive: a repository that was removed must not come back as a folder. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  }
}

function dueJobs(options: WorkerOptions, taken: Taken): Job[] {
  if (isDayUsedUp(options)) return [];
  const { jobs } = readQueue(options.folders);
  const due = jobs.filter((job) => isDue(job, options, taken));
  return due.sort(byTurn(options.policy, options.now()));
}

function isDue(job: Job, { policy, takesAll, now }: WorkerOptions, taken: Taken): boolean {
  const due = dueAt(job, policy, now());
  if (due <= now()) return true;
  const wasTaken = taken.get(job.id)?.copy === (job.capture ?? job.record)?.copy;
  return takesAll && due !== Number.POSITIVE_INFINITY && !wasTaken;
}

function isDayUsedUp({ folders, policy, now }: WorkerOptions): boolean {
  return isUsedUp(readUsage(folders, now()), policy);
}

/** One try of one job. Killed at any step, the next worker finds what it needs to go on. */
async function takeJob(job: Job, options: WorkerOptions): Promise<JobRecord> {
  const { folders } = options;
  const begun = beginning(job, options);
  const { capture } = job;
  if (begun.deaths >= limits.JOB_DEATHS_MAX)
    return finish({ ...begun, tries: begun.tries - 1 }, deadly(begun.deaths), options);
  await writeRecord(folders, begun);
  rmSync(join(folders.retries, job.id), { recursive: true, force: true });
  if (capture === null) return finish(begun, missing("its capture"), options);
  let running = begun;
  const transcript = await freshTranscript({
    ...options,
    capture,
    current: begun.transcript,
    onName: async (name) => {
      running = { ...running, transcript: name };
      await writeRecord(folders, running);
    },
  });
  if (transcript === null) return finish(running, missing("its transcript"), options);
  const path = join(folders.transcripts, transcript);
  const answer = await options.review({ capture, transcript: path });
  await addUsage(folders, answer.used, options.now());
  return finish({ ...running, transcript }, answer, options);
}

/** The record of the try that begins now. */
function beginning(
  { id, capture, record, earlier, isRetried }: Job,
  options: WorkerOptions,
): JobRecord {
  const startedAt = new Date(options.now()).toISOString();
  const now = { version: 1, id, state: "running", due: null, startedAt, endedAt: null } as const;
  if (record !== null) {
    const { tries, deaths } = isRetried ? { tries: 0, deaths: 0 } : record;
    const died = record.state === "running" ? 1 : 0;
    return { ...record, ...now, tries: tries + 1, deaths: deaths + died };
  }
  if (capture === null) throw new Error(`job ${id} has neither capture nor record`);
  const { copy, sessionId, agent, capturedAt } = capture;
  const outcome = earlier?.outcome ?? null;
  const fresh = { copy, transcript: copy, sessionId, agent, capturedAt, outcome };
  return { ...now, ...fresh, tries: 1, deaths: 0 };
}

/** How a try ended. */
type Ending = Pick<ReviewAnswer, "outcome" | "isFinal">;

async function finish(
  running: JobRecord,
  answer: Ending,
  options: WorkerOptions,
): Promise<JobRecord> {
  const { folders } = options;
  const outcome = { ...answer.outcome, branches: allBranches(running, answer) };
  const record = { ...running, ...ending(running, answer, options.now()), outcome };
  await writeRecord(folders, record);
  if (record.state === "done")
    // The outcome is recorded; a capture that came meanwhile names a copy of its own.
    for (const name of new Set([record.copy, record.transcript]))
      rmSync(join(folders.transcripts, name), { force: true });
  return record;
}

/** A session that was reviewed and went on has the branches of all its reviews. */
function allBranches({ outcome }: JobRecord, answer: Ending): string[] {
  const all = new Set([...(outcome?.branches ?? []), ...answer.outcome.branches]);
  return [...all].slice(-limits.RECORD_BRANCHES_MAX);
}

/** Failures that pass by themselves. A full disk is one, and is told by whoever met it, as whatever it was to them. */
const PASSING = new Set(["model", "git", "github"]);
const DISK_FULL = /\b(?:ENOSPC|EDQUOT)\b/;

function passes({ error }: JobOutcome): boolean {
  return PASSING.has(error?.code ?? "") || DISK_FULL.test(error?.message ?? "");
}

function ending(
  { tries }: JobRecord,
  { outcome, isFinal }: Ending,
  nowMs: number,
): Pick<JobRecord, "state" | "due" | "endedAt" | "tries"> {
  const endedAt = new Date(nowMs).toISOString();
  const at = (ms: number) => new Date(ms).toISOString();
  const { status, error } = outcome;
  if (status === "failed" && error?.code === "interrupted")
    return { state: "waiting", due: at(nowMs), endedAt, tries: tries - 1 };
  if (status === "failed" && passes(outcome) && tries < limits.JOB_TRIES_MAX)
    return { state: "waiting", due: at(nowMs + retryPauseMs(tries)), endedAt, tries };
  return { state: isFinal ? "done" : "parked", due: null, endedAt, tries };
}

function failure(message: string, hint: string): Ending {
  const error = { code: "input", message, hint };
  return { outcome: { status: "failed", error, skills: [], branches: [] }, isFinal: false };
}

function missing(what: string): Ending {
  return failure(
    `${what} is gone: neither the copy nor the agent's own file is there`,
    "if you have the transcript elsewhere, `skillpr review <file>` reviews it",
  );
}

function deadly(deaths: number): Ending {
  return failure(
    `${count(deaths, "worker")} ended without an outcome while this session was reviewed`,
    "`skillpr retry <job>` tries it again; `skillpr review <its transcript>` shows what happens",
  );
}

/** `skillpr status`: what hooks have captured, what became of it, what waits and until when. */
import { setTimeout as pause } from "node:timers/promises";
import { SkillprError } from "../core/errors.ts";
import { STATUS_LOG_LINES, STATUS_LOG_MAX_AGE_MS, STATUS_REFRESH_MS } from "../core/limits.ts";
import { isLocked } from "../git/process-lock.ts";
import { stateDir } from "../git/repository.ts";
import { readUsage } from "../hook/daily-usage.ts";
import { isUsedUp, nextDayMs } from "../hook/due.ts";
import { readQueue } from "../hook/queue.ts";
import { type QueueFolders, queueFolders } from "../hook/queue-files.ts";
import { type LogEntry, readLog, userLogFile } from "../hook/queue-log.ts";
import { listPullRequestNotes } from "../publish/pull-request-notes.ts";
import { type JobView, jobView } from "./job-view.ts";
import { isJson, type OpenPlace, openPlace } from "./open-place.ts";
import { repositoryFlag } from "./print-outcome.ts";
import type { Call } from "./program.ts";
import { type Status, statusLines } from "./status-lines.ts";
import type { Terminal } from "./terminal.ts";

export async function runStatus(call: Call, terminal: Terminal): Promise<number> {
  const place = await openPlace(call, terminal);
  if (call.flags["watch"] !== true) {
    const status = await wholeStatus(place);
    if (isJson(call)) terminal.json(status);
    else show(status, call, terminal);
    return 0;
  }
  if (isJson(call)) {
    throw new SkillprError(
      "usage",
      "--watch and --json together make no single object",
      "call `skillpr status --json` as often as you need it",
    );
  }
  await watch(place, call, terminal);
  return 0;
}

/** The queue, and what is known here of pull requests. */
async function wholeStatus(place: OpenPlace): Promise<Status> {
  const notes = await listPullRequestNotes(stateDir(place.repository));
  const pullRequests = notes.filter(({ state }) => state !== "settled");
  return { ...statusOf(place), ...(pullRequests.length > 0 && { pullRequests }) };
}

/** The queue as it stands now. */
export function statusOf({ repository, user }: OpenPlace): Status {
  const folders = queueFolders(stateDir(repository));
  const { worker: policy } = user;
  const nowMs = Date.now();
  const usage = readUsage(folders, nowMs);
  const isUsed = isUsedUp(usage, policy);
  const { jobs, damaged } = readQueue(folders);
  const heldUntilMs = isUsed ? nextDayMs(nowMs) : 0;
  const at = { policy, nowMs, isWorking: isLocked(folders.workerLock), heldUntilMs };
  const { reviewsPerDay, tokensPerDay } = policy;
  const log = recentLog(folders, repository.commonDir, nowMs);
  return {
    jobs: jobs.map((job) => jobView(job, at)).sort(byInterest),
    today: { ...usage, reviewsPerDay, tokensPerDay, isUsedUp: isUsed },
    damaged: damaged.map(({ folder, name }) => `${folder}/${name}`),
    ...(log.length > 0 && { log }),
  };
}

/** The newest failures of hooks and workers that nobody could be told. */
function recentLog(folders: QueueFolders, commonDir: string, nowMs: number): LogEntry[] {
  const place = { queueLog: folders.log, userLog: userLogFile(process.env) };
  const isRecent = ({ time }: LogEntry) => nowMs - Date.parse(time) < STATUS_LOG_MAX_AGE_MS;
  return readLog(place, commonDir).filter(isRecent).slice(-STATUS_LOG_LINES);
}

const INTEREST: Readonly<Record<JobView["state"], number>> = {
  running: 0,
  queued: 1,
  parked: 2,
  done: 3,
};

/** What goes on first; then the newest. */
function byInterest(a: JobView, b: JobView): number {
  const order = INTEREST[a.state] - INTEREST[b.state];
  return order || (a.capturedAt > b.capturedAt ? -1 : a.capturedAt < b.capturedAt ? 1 : 0);
}

function show(status: Status, call: Call, terminal: Terminal): void {
  const lines = statusLines(status, {
    nowMs: Date.now(),
    paint: terminal.paint,
    repositoryFlag: repositoryFlag(call),
  });
  for (const line of lines) terminal.line(line);
}

/** A terminal is drawn anew; into a pipe goes what changed. */
async function watch(place: OpenPlace, call: Call, terminal: Terminal): Promise<void> {
  const ended = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.once(name, () => ended.abort());
  let before = "";
  while (!ended.signal.aborted) {
    const status = await wholeStatus(place);
    const jobs = status.jobs.map((job) => ({ ...job, due: null }));
    const now = JSON.stringify([jobs, status.pullRequests]);
    if (process.stdout.isTTY) process.stdout.write("\u001b[H\u001b[2J");
    if (process.stdout.isTTY || now !== before) show(status, call, terminal);
    before = now;
    await pause(STATUS_REFRESH_MS, undefined, { signal: ended.signal }).catch((error: unknown) => {
      if (!ended.signal.aborted) throw error;
    });
  }
}

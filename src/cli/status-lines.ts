/** The text of `skillpr status`. */
import { STATUS_ROWS_MAX } from "../core/limits.ts";
import { count, grouped, safeLine } from "../core/text.ts";
import type { DailyUsage } from "../hook/daily-usage.ts";
import type { LogEntry } from "../hook/queue-log.ts";
import type { PullRequestNote } from "../publish/pull-request-notes.ts";
import { type JobView, outcomeWords, reasonLines, shortSession, spanWords } from "./job-view.ts";
import { pullRequestWords } from "./pull-request-view.ts";
import type { Paint } from "./terminal.ts";

/** What `status --json` prints. */
export interface Status {
  readonly jobs: readonly JobView[];
  readonly today: DailyUsage & {
    readonly reviewsPerDay: number;
    readonly tokensPerDay: number;
    readonly isUsedUp: boolean;
  };
  /** Files of the queue that can't be read; the next worker sets them aside. */
  readonly damaged: readonly string[];
  /** What went wrong lately where nobody could be told, oldest first; absent when nothing did. */
  readonly log?: readonly LogEntry[];
  /** Pull requests that are open, wait or are blocked, as they were last seen; absent when there are none. */
  readonly pullRequests?: readonly PullRequestNote[];
}

export interface Shown {
  readonly nowMs: number;
  readonly paint: Paint;
  /** ` --repo DIR`, for the commands that are named. */
  readonly repositoryFlag: string;
}

export function statusLines(status: Status, shown: Shown): string[] {
  const { jobs } = status;
  const wrong = [
    ...status.damaged.map((file) => `damaged: ${safeLine(file)}; the next worker sets it aside`),
    ...(status.log ?? []).map((entry) => logLine(entry, shown)),
  ];
  if (jobs.length === 0) {
    const none = "No session was captured here yet. `skillpr review --latest` reviews one by hand.";
    return [none, ...pullRequestLines(status), ...wrong];
  }
  const rows = jobs.slice(0, STATUS_ROWS_MAX);
  const rest = jobs.length - rows.length;
  return [
    ...table(rows, shown),
    ...(rest > 0 ? [shown.paint.dim(`and ${count(rest, "more job")}; --json has all`)] : []),
    "",
    ...parkedLines(rows, shown),
    ...waitingLines(status, shown),
    todayLine(status),
    ...pullRequestLines(status),
    ...wrong,
  ];
}

function pullRequestLines({ pullRequests = [] }: Status): string[] {
  return pullRequests.map(
    (note) => `pull request for ${note.skill}: ${pullRequestWords(note) ?? note.state}`,
  );
}

function logLine({ time, event, message }: LogEntry, { paint }: Shown): string {
  const what = event === "" ? "hook" : safeLine(event);
  return `${paint.yellow("problem")} ${safeLine(time)} ${what}: ${safeLine(message)}`;
}

function table(jobs: readonly JobView[], { nowMs, paint }: Shown): string[] {
  const head = ["job", "agent", "session", "age", "state", "outcome", "proposal"];
  const cells = jobs.map((job) => [
    job.id,
    safeLine(job.agent ?? "?"),
    shortSession(job.sessionId),
    ageOf(job, nowMs),
    stateOf(job, nowMs),
    outcomeWords(job.outcome),
    safeLine(job.outcome?.branches.join(", ") ?? ""),
  ]);
  const widths = head.map((title, column) =>
    Math.max(title.length, ...cells.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  return [paint.dim(line(head)), ...cells.map(line)];
}

function ageOf({ capturedAt }: JobView, nowMs: number): string {
  const age = nowMs - Date.parse(capturedAt);
  return Number.isNaN(age) ? "?" : spanWords(Math.max(0, age));
}

function stateOf({ state, due }: JobView, nowMs: number): string {
  const wait = due === null ? 0 : Date.parse(due) - nowMs;
  return state === "queued" && wait > 0
    ? `queued, in ${spanWords(wait).replace("now", "1 min")}`
    : state;
}

function parkedLines(jobs: readonly JobView[], { paint, repositoryFlag }: Shown): string[] {
  const parked = jobs.filter(({ state }) => state === "parked");
  if (parked.length === 0) return [];
  return [
    ...parked.flatMap((job) => [
      `${paint.yellow("parked")} ${job.id}`,
      ...reasonLines(job, paint).map((line) => `  ${line}`),
    ]),
    `  \`skillpr retry <job>${repositoryFlag}\` tries one again, \`skillpr retry --all${repositoryFlag}\` all of them`,
  ];
}

function waitingLines({ jobs, today }: Status, { nowMs, repositoryFlag }: Shown): string[] {
  const queued = jobs.filter(({ state }) => state === "queued");
  if (queued.length === 0) return [];
  if (today.isUsedUp) {
    const until = queued[0]?.due ?? "tomorrow";
    return [
      `${count(queued.length, "job waits", "jobs wait")}: the day's reviews or tokens are used up; the next after ${until}`,
    ];
  }
  const isDue = (job: JobView) => Date.parse(job.due ?? "") <= nowMs;
  const due = queued.filter(isDue);
  const later = queued.filter((job) => !isDue(job)).map((job) => job.due ?? "");
  const isWorking = jobs.some(({ state }) => state === "running");
  const start = isWorking
    ? "the worker takes what is due"
    : `\`skillpr work${repositoryFlag}\` starts ${due.length === 1 ? "it" : "them"}`;
  return [
    ...(due.length > 0 ? [`${count(due.length, "job is", "jobs are")} due: ${start}`] : []),
    ...(later.length > 0
      ? [
          `${count(later.length, "job waits", "jobs wait")}, the first until ${later.sort()[0]}: ` +
            `the next hook's worker takes what is due then, \`skillpr work --now${repositoryFlag}\` at once`,
        ]
      : []),
  ];
}

function todayLine({ today }: Status): string {
  const { reviews, inputTokens, outputTokens, reviewsPerDay, tokensPerDay } = today;
  const tokens = grouped(inputTokens + outputTokens);
  return `today (UTC): ${grouped(reviews)} of ${grouped(reviewsPerDay)} reviews, ${tokens} of ${grouped(tokensPerDay)} tokens`;
}

/** `skillpr retry`: a parked job goes back into the queue. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { hasCode, SkillprError } from "../core/errors.ts";
import { JOB_PREFIX_MIN_CHARS } from "../core/limits.ts";
import { makeFolders } from "../core/make-folders.ts";
import { count, safeLine } from "../core/text.ts";
import { isLocked } from "../git/process-lock.ts";
import { stateDir } from "../git/repository.ts";
import { type Job, readQueue } from "../hook/queue.ts";
import { type QueueFolders, queueFolders } from "../hook/queue-files.ts";
import { isJson, openPlace } from "./open-place.ts";
import { repositoryFlag } from "./print-outcome.ts";
import type { Call } from "./program.ts";
import type { Terminal } from "./terminal.ts";

export async function runRetry(call: Call, terminal: Terminal): Promise<number> {
  const { repository } = await openPlace(call, terminal);
  const folders = queueFolders(stateDir(repository));
  const { jobs } = readQueue(folders);
  const chosen = call.flags["all"] === true ? jobs.filter(isParked) : [theJob(call, jobs, folders)];
  for (const { id } of chosen) askForRetry(folders, id);
  if (isJson(call)) terminal.json({ retried: chosen.map(({ id }) => id) });
  else if (chosen.length === 0) terminal.line("No job is parked here.");
  else {
    const what =
      chosen.length === 1 ? `Job ${chosen[0]?.id} is` : `${count(chosen.length, "job")} are`;
    terminal.line(`${what} queued again. \`skillpr work${repositoryFlag(call)}\` starts it.`);
  }
  return 0;
}

function isParked({ record }: Job): boolean {
  return record?.state === "parked";
}

function theJob(call: Call, jobs: readonly Job[], folders: QueueFolders): Job {
  const job = findJob(call.positionals[0], jobs);
  const { id, record } = job;
  if (record?.state === "done") {
    throw new SkillprError(
      "input",
      `job ${id} is done (${record.outcome?.status}), and the copy of its transcript is gone`,
      "`skillpr review <transcript> --force` reviews the session once more",
    );
  }
  if (record?.state === "running" && isLocked(folders.workerLock)) {
    throw new SkillprError(
      "input",
      `job ${id} is being reviewed now`,
      "`skillpr status --watch` shows when it is done",
    );
  }
  return job;
}

/** By its id, the beginning of it, or the session's id. */
function findJob(named: string | undefined, jobs: readonly Job[]): Job {
  const parked = jobs.filter(isParked).map(({ id }) => id);
  const hint =
    parked.length === 0 ? "no job is parked here" : `parked: ${parked.slice(0, 8).join(", ")}`;
  if (named === undefined)
    throw new SkillprError("usage", "no job was named", `name one, or --all; ${hint}`);
  const isMeant = ({ id, capture, record }: Job) =>
    id === named ||
    (capture ?? record)?.sessionId === named ||
    (named.length >= JOB_PREFIX_MIN_CHARS && id.startsWith(named));
  const found = jobs.filter(isMeant);
  if (found.length === 1 && found[0] !== undefined) return found[0];
  const what = `"${safeLine(named)}"`;
  throw new SkillprError(
    "input",
    found.length === 0 ? `there is no job ${what} here` : `several jobs begin with ${what}`,
    hint,
  );
}

/** A note for the worker: the records are its own to write. */
function askForRetry({ retries }: QueueFolders, id: string): void {
  makeFolders(retries);
  try {
    writeFileSync(join(retries, id), "", { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  }
}

/** `skillpr work`: the worker that hooks start, and that people may start. */
import { homedir, setPriority } from "node:os";
import { resolve } from "node:path";
import { type ErrorCode, EXIT_REFUSED, exitCodeFor, hasCode } from "../core/errors.ts";
import { WORKER_NICENESS } from "../core/limits.ts";
import { safeLine } from "../core/text.ts";
import { confineProcess } from "../hook/confined.ts";
import { findRepository } from "../hook/find-repository.ts";
import { work } from "../work.ts";
import { interruption } from "./interruption.ts";
import { type JobView, outcomeWords, reasonLines, recordView, shortSession } from "./job-view.ts";
import { isJson, text } from "./open-place.ts";
import { below, repositoryFlag, row } from "./print-outcome.ts";
import type { Call } from "./program.ts";
import type { Terminal } from "./terminal.ts";

export async function runWork(call: Call, terminal: Terminal): Promise<number> {
  makeWay();
  const dir = resolve(text(call, "repo") ?? ".");
  const repository = findRepository(dir);
  if (repository !== null) confineProcess(homedir(), repository);
  const report = await work({
    dir,
    takesAll: call.flags["now"] === true,
    env: process.env,
    home: homedir(),
    ...interruption(terminal),
  });
  const jobs = report.taken.map(recordView);
  if (isJson(call)) {
    terminal.json({ status: report.status, jobs });
    return exitCode(jobs);
  }
  for (const job of jobs) print(job, terminal);
  if (report.status === "busy")
    terminal.line("Another worker is at it; it takes what is queued meanwhile.");
  else if (report.status === "gone")
    terminal.line("The repository is gone; there is nothing to do.");
  else if (jobs.length === 0)
    terminal.line(`Nothing is due. \`skillpr status${repositoryFlag(call)}\` says what waits.`);
  return exitCode(jobs);
}

/** Behind everything that somebody waits for. */
function makeWay(): void {
  try {
    setPriority(WORKER_NICENESS);
  } catch (error) {
    // Where that isn't allowed, it works all the same.
    if (!hasCode(error, "ERR_SYSTEM_ERROR")) throw error;
  }
}

function print(job: JobView, terminal: Terminal): void {
  const { id, sessionId, agent, state, due, outcome } = job;
  const next = state === "queued" && due !== null ? `; tried again after ${due}` : "";
  const who = `${shortSession(sessionId)} · ${safeLine(agent ?? "unknown agent")}`;
  const parked = state === "parked" ? `; parked: \`skillpr retry ${id}\` tries it again` : "";
  row(terminal, id.slice(0, 10), `${who} · ${outcomeWords(outcome)}${next}${parked}`);
  const reasons = state === "done" ? [] : reasonLines(job, terminal.paint);
  for (const line of [...(outcome?.branches.map(safeLine) ?? []), ...reasons])
    below(terminal, line);
}

/** Of several jobs, the highest. */
function exitCode(jobs: readonly JobView[]): number {
  const codes = jobs.map(({ outcome }) => {
    if (outcome?.status === "refused") return EXIT_REFUSED;
    // Codes of records that this version wrote.
    return outcome?.error === undefined ? 0 : exitCodeFor(outcome.error.code as ErrorCode);
  });
  return Math.max(0, ...codes);
}

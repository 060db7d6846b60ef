/** `skillpr plan`: the matrix of a fan-out, for workflows that call the command line. */
import { PLAN_JOBS } from "../core/limits.ts";
import { count } from "../core/text.ts";
import { planReviews } from "../plan.ts";
import { matrixOf } from "../plan-matrix.ts";
import { expandInputs } from "../transcript/expand-inputs.ts";
import type { Call } from "./program.ts";
import { readStdin } from "./read-stdin.ts";
import type { Terminal } from "./terminal.ts";

export async function runPlan(call: Call, terminal: Terminal): Promise<number> {
  const cwd = process.cwd();
  const sources = await expandInputs(call.positionals, { cwd, stdin: readStdin });
  const maxJobs = typeof call.flags["maxJobs"] === "number" ? call.flags["maxJobs"] : PLAN_JOBS;
  const jobs = await planReviews(sources, { cwd, maxJobs });
  for (const { id, repositories, count: transcripts } of jobs)
    terminal.note(`job ${id}: ${count(transcripts, "transcript")} of ${repositories.join(", ")}`);
  terminal.json(matrixOf(jobs));
  return 0;
}

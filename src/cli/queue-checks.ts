/** What `doctor` says of the background: what is in the queue, and which model reviews it. */
import { homedir } from "node:os";
import { SkillprError } from "../core/errors.ts";
import { isLocked } from "../git/process-lock.ts";
import { stateDir } from "../git/repository.ts";
import { confined } from "../hook/confined.ts";
import { findRepository } from "../hook/find-repository.ts";
import { readQueue } from "../hook/queue.ts";
import { queueFolders } from "../hook/queue-files.ts";
import { queueProblem } from "../hook/queue-problem.ts";
import { modelInBackground } from "../resolve-model.ts";
import { requireModel } from "../review/model-settings.ts";
import type { Check } from "./doctor.ts";
import { type JobView, jobView } from "./job-view.ts";
import type { OpenPlace } from "./open-place.ts";

const STATES: readonly JobView["state"][] = ["running", "queued", "parked", "done"];

/** How many jobs are in which state; what needs somebody is a warning. */
export async function queueCheck({ repository, user }: OpenPlace): Promise<Omit<Check, "name">> {
  const folders = queueFolders(stateDir(repository));
  const problem = queueProblem(folders);
  if (problem !== null)
    return {
      status: "error",
      detail: problem,
      hint: "move it away: nothing is captured until then",
    };
  const { jobs, damaged } = readQueue(folders);
  const isWorking = isLocked(folders.workerLock);
  const at = { policy: user.worker, nowMs: Date.now(), isWorking, heldUntilMs: 0 };
  const states = jobs.map((job) => jobView(job, at).state);
  const counts = STATES.map((state) => ({ state, n: states.filter((one) => one === state).length }))
    .filter(({ n }) => n > 0)
    .map(({ state, n }) => `${n} ${state}`);
  if (damaged.length > 0) counts.push(`${damaged.length} damaged`);
  const detail = counts.length === 0 ? "no session was captured here yet" : counts.join(", ");
  const isFine = damaged.length === 0 && !states.includes("parked");
  return isFine
    ? { status: "ok", detail }
    : { status: "warning", detail, hint: "`skillpr status` says why" };
}

/**
 * The model that reviews what hooks captured, found as the worker finds it. It is not asked: the
 * check of the model by hand does that, and mostly both are one.
 */
export async function backgroundCheck(place: OpenPlace): Promise<Omit<Check, "name">> {
  const { repository, config, user } = place;
  if (config.reviewer === "offline")
    return { status: "ok", detail: "the reviewer offline needs no model" };
  const given = { env: process.env, home: homedir() };
  const found = findRepository(repository.root ?? repository.commonDir);
  const { env, home } = found === null ? given : confined(given, found);
  const { model: settings, warnings } = await modelInBackground({ user: user.model, env, home });
  try {
    const { model, baseUrl } = requireModel(settings);
    const detail = `${model} at ${baseUrl ?? "OpenAI's own address"}, from your own files`;
    return warnings.length === 0
      ? { status: "ok", detail }
      : { status: "warning", detail: [detail, ...warnings].join("; ") };
  } catch (error) {
    if (!(error instanceof SkillprError)) throw error;
    const detail = [`sessions would be parked: ${error.message}`, ...warnings].join("; ");
    return { status: "warning", detail, hint: error.hint };
  }
}

/** What `doctor` says of the background: what is in the queue, and which model reviews it. */
import { homedir } from "node:os";
import { SkillprError } from "../core/errors.ts";
import { count } from "../core/text.ts";
import { stateDir } from "../git/repository.ts";
import { confined } from "../hook/confined.ts";
import { findRepository } from "../hook/find-repository.ts";
import { queueFolders } from "../hook/queue-files.ts";
import { queueProblem } from "../hook/queue-problem.ts";
import { modelInBackground } from "../resolve-model.ts";
import { requireModel } from "../review/model-settings.ts";
import type { Checked } from "./doctor.ts";
import type { JobView } from "./job-view.ts";
import type { OpenPlace } from "./open-place.ts";
import { statusOf } from "./status.ts";

/** Jobs per state, and what somebody has to do something about. */
export function queueCheck(place: OpenPlace): Checked {
  const problem = queueProblem(queueFolders(stateDir(place.repository)));
  if (problem !== null) {
    const hint = "move it away: nothing is captured until then";
    return { status: "error", detail: problem, hint };
  }
  const { jobs, today, damaged, log = [] } = statusOf(place);
  const inState = (state: JobView["state"]) => jobs.filter((job) => job.state === state).length;
  const states = (["running", "queued", "parked", "done"] as const)
    .map((state) => ({ state, jobs: inState(state) }))
    .filter((one) => one.jobs > 0)
    .map((one) => `${one.jobs} ${one.state}`);
  const detail = states.length === 0 ? "no session was captured yet" : states.join(", ");
  const problems = [
    ...(today.isUsedUp ? ["the day's reviews or tokens are used up"] : []),
    ...(damaged.length > 0 ? [count(damaged.length, "damaged file")] : []),
    ...(log.length > 0 ? [`${count(log.length, "problem")} lately`] : []),
  ];
  if (problems.length === 0 && inState("parked") === 0) return { status: "ok", detail };
  const hint = "`skillpr status` says more; `skillpr retry --all` tries parked jobs again";
  return { status: "warning", detail: [detail, ...problems].join("; "), hint };
}

/**
 * The model that reviews what hooks captured, found as the worker finds it. It is not asked: the
 * check of the model by hand does that, and mostly both are one.
 */
export async function backgroundCheck(place: OpenPlace): Promise<Checked> {
  const { repository, config, user } = place;
  if (config.reviewer === "offline")
    return { status: "ok", detail: "the reviewer offline needs no model" };
  const given = { env: process.env, home: homedir() };
  const found = findRepository(repository.root ?? repository.commonDir);
  const { env, home } = found === null ? given : confined(given, found);
  const { model: settings, warnings } = modelInBackground({ user: user.model, env, home });
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

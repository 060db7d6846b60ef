/** Reviews that a host has scheduled, in memory: what became of each can be asked for by its id. */
import { randomUUID } from "node:crypto";
import { SkillprError } from "./core/errors.ts";
import { REVIEW_TASKS_KEPT } from "./core/limits.ts";
import { failed, type Outcome } from "./outcome.ts";

/** The kind of a task, as Qwen Code's memory manager spells it. */
export type MemoryTaskType = "skill-review";

/** A scheduled review, as it stands now. */
export interface SkillReviewTask {
  readonly id: string;
  readonly taskType: MemoryTaskType;
  /** The project's folder, as it was given. */
  readonly project: string;
  /** The session's id, as it was given. */
  readonly session: string;
  /** `failed` also when the outcome says so: then nothing was reviewed, and it can be tried again. */
  readonly state: "running" | "done" | "failed";
  /** Null while it runs. */
  readonly outcome: Outcome | null;
  /** What was thrown, when it was a bug of skillpr; else null. */
  readonly error: unknown;
}

const tasks = new Map<string, SkillReviewTask>();

/** The task as it is now; null when there is none with this id (any more). */
export function findSkillReviewTask(id: string): SkillReviewTask | null {
  return tasks.get(id) ?? null;
}

/** The tasks of a project, or all of them, oldest first. */
export function listSkillReviewTasks(project?: string): readonly SkillReviewTask[] {
  return [...tasks.values()].filter((task) => project === undefined || task.project === project);
}

/**
 * Starts a task and keeps its record up to date.
 * @returns its id, and a promise of the finished record that never rejects: nobody may be waiting for it
 */
export function trackSkillReview(
  of: Pick<SkillReviewTask, "project" | "session">,
  run: () => Promise<Outcome>,
): { id: string; promise: Promise<SkillReviewTask> } {
  const task: SkillReviewTask = {
    id: randomUUID(),
    taskType: "skill-review",
    project: of.project,
    session: of.session,
    state: "running",
    outcome: null,
    error: null,
  };
  tasks.set(task.id, task);
  const finish = (end: Pick<SkillReviewTask, "state" | "outcome" | "error">) => {
    const finished = { ...task, ...end };
    tasks.set(task.id, finished);
    forgetOldest();
    return finished;
  };
  const promise = run().then(
    (outcome) =>
      finish({ state: outcome.status === "failed" ? "failed" : "done", outcome, error: null }),
    (error: unknown) =>
      error instanceof SkillprError
        ? finish({ state: "failed", outcome: failed(error), error: null })
        : finish({ state: "failed", outcome: null, error }),
  );
  return { id: task.id, promise };
}

function forgetOldest(): void {
  const finished = [...tasks.values()].filter(({ state }) => state !== "running");
  for (const { id } of finished.slice(0, -REVIEW_TASKS_KEPT)) tasks.delete(id);
}

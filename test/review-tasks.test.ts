import { expect, test } from "vitest";
import { SkillprError } from "../src/core/errors.ts";
import { REVIEW_TASKS_KEPT } from "../src/core/limits.ts";
import type { Outcome } from "../src/outcome.ts";
import {
  findSkillReviewTask,
  listSkillReviewTasks,
  trackSkillReview,
} from "../src/review-tasks.ts";

const outcome: Outcome = {
  status: "nothing_to_save",
  operations: [],
  proposals: [],
  findings: [],
  evidence: [],
};
const of = { project: "/work/parcels", session: "s-1" };

test("a task runs, is done, and can be asked for all the while", async () => {
  let finish = (_: Outcome) => {};
  const { id, promise } = trackSkillReview(of, () => new Promise((done) => (finish = done)));
  const running = {
    id,
    taskType: "skill-review",
    ...of,
    state: "running",
    outcome: null,
    error: null,
  };
  expect(findSkillReviewTask(id)).toEqual(running);
  finish(outcome);
  expect(await promise).toEqual({ ...running, state: "done", outcome });
  expect(findSkillReviewTask(id)).toEqual(await promise);
  expect(listSkillReviewTasks("/work/parcels").map((task) => task.id)).toContain(id);
  expect(listSkillReviewTasks("/work/other")).toEqual([]);
  expect(findSkillReviewTask("nobody's")).toBeNull();
});

test("it never rejects: an outcome that failed, an error that says what to do, a bug", async () => {
  const failedOutcome: Outcome = { ...outcome, status: "failed" };
  const error = new SkillprError("input", "no repository", "name one");
  const bug = new TypeError("x is not a function");
  const ends = [
    () => Promise.resolve(failedOutcome),
    () => Promise.reject(error),
    () => Promise.reject(bug),
  ].map((run) => trackSkillReview(of, run).promise);
  expect(await Promise.all(ends)).toMatchObject([
    { state: "failed", outcome: failedOutcome, error: null },
    { state: "failed", outcome: { error: { code: "input", hint: "name one" } }, error: null },
    { state: "failed", outcome: null, error: bug },
  ]);
});

test("finished tasks are forgotten in their order; a running one never", async () => {
  const running = trackSkillReview(of, () => new Promise(() => {}));
  const first = trackSkillReview(of, async () => outcome);
  await first.promise;
  for (let i = 0; i < REVIEW_TASKS_KEPT; i++)
    await trackSkillReview(of, async () => outcome).promise;
  expect(findSkillReviewTask(first.id)).toBeNull();
  expect(findSkillReviewTask(running.id)?.state).toBe("running");
  expect(listSkillReviewTasks()).toHaveLength(REVIEW_TASKS_KEPT + 1);
});

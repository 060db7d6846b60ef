import { describe, expect, test } from "vitest";
import { SkillprError } from "../../src/core/errors.ts";
import { startDeadline, stopError, unlessStopped } from "../../src/review/deadline.ts";

const never = new Promise<never>(() => undefined);

test("the time limit and the user's stop are told apart", async () => {
  const user = new AbortController();
  using late = startDeadline(20, user.signal);
  await expect(unlessStopped(never, late.signal)).rejects.toMatchObject({
    code: "model",
    message: expect.stringContaining("did not finish within 0.02 seconds"),
    hint: expect.stringContaining("--timeout"),
  });
  using stopped = startDeadline(60_000, user.signal);
  user.abort("SIGTERM");
  await expect(unlessStopped(never, stopped.signal)).rejects.toMatchObject({
    code: "interrupted",
    message: "the review was stopped by SIGTERM",
  });
});

test("a stop before the start counts", () => {
  using deadline = startDeadline(60_000, AbortSignal.abort());
  expect(stopError(deadline.signal).code).toBe("interrupted");
});

test("a host's own timeout is a timeout", async () => {
  await expect(unlessStopped(never, AbortSignal.timeout(10))).rejects.toMatchObject({
    code: "model",
    message: expect.stringContaining("in time"),
  });
});

test("once disposed, it no longer ends anything", async () => {
  const user = new AbortController();
  const deadline = startDeadline(20, user.signal);
  deadline[Symbol.dispose]();
  user.abort();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(deadline.signal.aborted).toBe(false);
});

describe("a grace for the last word of what is stopped", () => {
  const stopped = (end: (signal: AbortSignal) => Error | string) => {
    const user = new AbortController();
    const { signal } = user;
    const work = new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => {
        const ended = end(signal);
        setImmediate(() => (typeof ended === "string" ? resolve(ended) : reject(ended)));
      });
    });
    const outcome = unlessStopped(work, signal, 60_000);
    user.abort("SIGINT");
    return outcome;
  };

  test("it says where it was", async () => {
    const own = new SkillprError("interrupted", "stopped while it read", "again");
    await expect(stopped(() => own)).rejects.toBe(own);
  });

  test("anything else that it does then is not asked for", async () => {
    for (const end of [() => new Error("bug"), () => "done after all"])
      await expect(stopped(end)).rejects.toMatchObject({
        message: "the review was stopped by SIGINT",
      });
  });

  test("one that says nothing is left behind", async () => {
    await expect(unlessStopped(never, AbortSignal.timeout(10), 10)).rejects.toMatchObject({
      code: "model",
    });
  });
});

test("what is done in time comes through, its failures too", async () => {
  const { signal } = new AbortController();
  expect(await unlessStopped(Promise.resolve(3), signal)).toBe(3);
  await expect(unlessStopped(Promise.reject(new Error("own")), signal)).rejects.toThrow("own");
});

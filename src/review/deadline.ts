import { SkillprError } from "../core/errors.ts";
import { count } from "../core/text.ts";

/** The time that a review has, and the user's Ctrl-C, as one signal. */
export interface Deadline extends Disposable {
  /** Its reason is the SkillprError that the review ends with. */
  readonly signal: AbortSignal;
}

/**
 * Starts the clock; dispose it when the review is over.
 *
 * One timer and one listener of our own: `AbortSignal.any()` and `AbortSignal.timeout()` lose
 * combined signals to garbage collection in Node 20.
 *
 * @param timeoutMs how long the review may take
 * @param parent the user's Ctrl-C, or a host's signal
 */
export function startDeadline(timeoutMs: number, parent: AbortSignal): Deadline {
  const controller = new AbortController();
  const stop = () => controller.abort(stopError(parent));
  if (parent.aborted) stop();
  parent.addEventListener("abort", stop, { once: true });
  const timer = setTimeout(() => controller.abort(lateError(timeoutMs)), timeoutMs);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      clearTimeout(timer);
      parent.removeEventListener("abort", stop);
    },
  };
}

function lateError(timeoutMs: number): SkillprError {
  return new SkillprError(
    "model",
    `the review did not finish within ${count(timeoutMs / 1000, "second")}, and what it had written is discarded`,
    "give it more time with --timeout, or use a faster model",
  );
}

/** What an aborted signal means, as the error to end with: its own reason where that is one already. */
export function stopError(signal: AbortSignal): SkillprError {
  const { reason } = signal;
  if (reason instanceof SkillprError) return reason;
  if (reason instanceof DOMException && reason.name === "TimeoutError")
    return new SkillprError(
      "model",
      "the review did not finish in time, and what it had written is discarded",
      "give it more time with --timeout, or use a faster model",
    );
  const by = typeof reason === "string" ? ` by ${reason}` : "";
  return new SkillprError(
    "interrupted",
    `the review was stopped${by}`,
    "run the same command again",
  );
}

/**
 * The promise's value, or a rejection with stopError() as soon as the signal aborts.
 * @param graceMs how long the promise may still say itself, as a SkillprError, where it was stopped
 */
export async function unlessStopped<T>(
  promise: Promise<T>,
  signal: AbortSignal,
  graceMs = 0,
): Promise<T> {
  // The loser of the race may still reject: that is then nobody's business.
  promise.catch(() => undefined);
  if (signal.aborted) throw stopError(signal);
  const { promise: stopped, reject } = withReject();
  const stop = () => reject(stopError(signal));
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([promise, stopped]);
  } catch (error) {
    if (!signal.aborted || graceMs === 0) throw error;
    throw (await failureWithin(promise, graceMs)) ?? stopError(signal);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** The SkillprError with which the promise ends in that time; null when it ends otherwise or not at all. */
async function failureWithin(promise: Promise<unknown>, ms: number): Promise<SkillprError | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, ms, null);
  });
  const failure = promise.then(
    () => null,
    (error: unknown) => (error instanceof SkillprError ? error : null),
  );
  const first = await Promise.race([failure, late]);
  clearTimeout(timer);
  return first;
}

function withReject(): { promise: Promise<never>; reject: (error: unknown) => void } {
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<never>((_, fail) => {
    reject = fail;
  });
  return { promise, reject };
}

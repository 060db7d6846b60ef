import { expect } from "vitest";

/** Below it, what is measured is the machine, not the work. */
const MEASURABLE_MS = 100;
const TRIES = 3;

/** The best of some tries, in milliseconds: what else the machine does only adds. */
async function timeOf(work: () => unknown): Promise<number> {
  let best = Infinity;
  for (let n = 0; n < TRIES; n += 1) {
    const started = performance.now();
    await work();
    best = Math.min(best, performance.now() - started);
    if (best < MEASURABLE_MS) break;
  }
  return best;
}

/**
 * Twice the input may take twice the time, and some more: quadratic work takes four times as long,
 * each time it is measured.
 * @param work what is measured, on an input of the size that it is given
 */
export async function expectLinear(work: (size: number) => unknown, size: number): Promise<void> {
  let ratio = Infinity;
  for (let n = 0; n < TRIES && ratio >= 3.5; n += 1) {
    const once = await timeOf(() => work(size));
    const twice = await timeOf(() => work(2 * size));
    ratio = twice < MEASURABLE_MS ? 0 : twice / once;
  }
  expect(ratio).toBeLessThan(3.5);
}

import fc from "fast-check";
import { expect, test } from "vitest";
import { PLAN_REVIEW_BYTES } from "../src/core/limits.ts";
import { type PlanUnit, planMatrix } from "../src/plan-matrix.ts";

const unit = (n: number, over: Partial<PlanUnit> = {}): PlanUnit => ({
  inputs: [`./${String(n).padStart(4, "0")}.jsonl`],
  count: 1,
  bytes: 100_000,
  repository: "parcels",
  ...over,
});
const many = (count: number, over: Partial<PlanUnit> = {}) =>
  Array.from({ length: count }, (_, n) => unit(n, over));

test("transcripts of one size are spread evenly, and never over more jobs than there may be", () => {
  expect(planMatrix(many(200), 20).map(({ count }) => count)).toEqual(Array(20).fill(10));
  expect(planMatrix(many(3), 20)).toHaveLength(3);
  expect(planMatrix([], 20)).toEqual([]);
  expect(planMatrix(many(200), 1)).toMatchObject([{ id: "01", count: 200 }]);
});

test("a large one gets a job of its own", () => {
  const jobs = planMatrix([...many(9), unit(9, { bytes: 50_000_000 })], 2);
  expect(jobs.map(({ count }) => count).sort()).toEqual([1, 9]);
});

test("repositories stay apart while there are jobs enough, and get them by their size", () => {
  const units = [
    ...many(30, { repository: "large" }),
    ...Array.from({ length: 5 }, (_, n) => unit(100 + n, { repository: "small" })),
  ];
  const jobs = planMatrix(units, 7);
  expect(jobs.map(({ repositories }) => repositories.join())).toEqual([
    ...Array(6).fill("large"),
    "small",
  ]);
  const few = planMatrix(
    many(9).map((one, n) => ({ ...one, repository: `r${n}` })),
    4,
  );
  expect(few).toHaveLength(4);
  expect(few.flatMap(({ repositories }) => repositories).sort()).toHaveLength(9);
});

test("every unit is in exactly one job, whatever they are, and no job has much more than its share", () => {
  const units = fc
    .array(
      fc.record({
        bytes: fc.integer({ min: 0, max: 5_000_000 }),
        count: fc.integer({ min: 1, max: 4 }),
        repository: fc.constantFrom("a", "b", "c"),
      }),
      { maxLength: 60 },
    )
    .map((list) => list.map((one, n) => unit(n, one)));
  fc.assert(
    fc.property(units, fc.integer({ min: 1, max: 12 }), (list, most) => {
      const jobs = planMatrix(list, most);
      expect(jobs.flatMap(({ inputs }) => inputs).sort()).toEqual(
        list.flatMap(({ inputs }) => inputs).sort(),
      );
      expect(jobs.length).toBeLessThanOrEqual(most);
      expect(planMatrix(list.toReversed(), most)).toEqual(jobs);
    }),
    { numRuns: 60 },
  );
});

test("a short transcript isn't free", () => {
  const tiny = many(100, { bytes: 10, repository: "a" });
  const one = unit(100, { bytes: 50 * PLAN_REVIEW_BYTES, repository: "a" });
  const [first, second] = planMatrix([...tiny, one], 2);
  expect([first?.count, second?.count].sort()).not.toContain(1);
});

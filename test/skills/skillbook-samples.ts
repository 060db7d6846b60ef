/** Skillbooks and operations that several tests share. */
import { type ApplyOptions, applyUpdate } from "../../src/skills/apply-update.ts";
import type { Operation } from "../../src/skills/operation.ts";
import { EMPTY_SKILLBOOK, type Skillbook } from "../../src/skills/skillbook.ts";

export const ADD = {
  type: "ADD",
  section: "context",
  keywords: ["math"],
  issue: "Sums of prices go wrong in floating point.",
  insight: "Add in cents, and divide at the end.",
};
export const HARNESS = {
  type: "ADD",
  section: "harness",
  keywords: ["tests"],
  issue: "The first run of the tests fails until the fixtures are built.",
};
export const ID = "context-00001";

/** Operations as JSON, the way they come from a model. */
export function apply(
  book: Skillbook,
  operations: readonly object[],
  options: ApplyOptions = {},
): ReturnType<typeof applyUpdate> {
  return applyUpdate(book, { reasoning: "", operations: operations as Operation[] }, options);
}

/** The Skillbook after operations that must apply. */
export function applied(book: Skillbook, ...operations: readonly object[]): Skillbook {
  const result = apply(book, operations, { skills: new Set(["release-flow"]) });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.skillbook;
}

export function tag(delta: unknown, skill_id = ID) {
  return { type: "TAG", skill_id, metadata: { delta } };
}

/** So many strategies. */
export function bookOf(strategies: number): Skillbook {
  const operations = Array.from({ length: strategies }, (_, at) => ({
    ...(at % 2 === 0 ? ADD : HARNESS),
    issue: `Issue number ${at + 1} comes back.`,
  }));
  return applied(EMPTY_SKILLBOOK, ...operations);
}

import { describe, expect, it } from "vitest";
import { checkManagerBatch } from "../../../src/review/skillbook/manager-batch.ts";
import type { Used } from "../../../src/review/skillbook/used-strategies.ts";
import { EMPTY_SKILLBOOK } from "../../../src/skills/skillbook.ts";
import { ADD, applied, HARNESS, ID, tag } from "../../skills/skillbook-samples.ts";

const KNOWN = {
  skillbook: applied(EMPTY_SKILLBOOK, ADD, HARNESS),
  skills: new Set(["release-flow"]),
  skillsRoot: ".qwen/skills",
};
const usedAs = (id: string): Used => ({ id, how: "loaded", turn: "t1" });

function check(used: readonly (readonly string[])[], ...operations: readonly object[]) {
  return checkManagerBatch(
    { reasoning: "R.", operations },
    used.map((ids) => ids.map(usedAs)),
    KNOWN,
  );
}

function problemsOf(used: readonly (readonly string[])[], ...operations: readonly object[]) {
  const checked = check(used, ...operations);
  return checked.ok ? [] : checked.problems;
}

/** `TAG context-00001 1 @0`, … of what was let through. */
function rows(used: readonly (readonly string[])[], ...operations: readonly object[]): string[] {
  const checked = check(used, ...operations);
  if (!checked.ok) throw new Error(checked.problems.join("\n"));
  return checked.value.batch.operations.map((operation) =>
    operation.type === "TAG"
      ? `TAG ${operation.skill_id} ${operation.metadata.delta} @${operation.reflection_index}`
      : operation.type,
  );
}

describe("marks", () => {
  it("what was loaded and not marked gets a 0, in every session that loaded it", () => {
    expect(rows([[ID, "release-flow"], [ID]], { ...tag(1), reflection_index: 1 })).toEqual([
      `TAG ${ID} 1 @1`,
      `TAG ${ID} 0 @0`,
      "TAG release-flow 0 @0",
    ]);
  });

  it("the session is told from the only one that loaded it, or from the first of several indices", () => {
    expect(rows([[], [ID]], tag(-1))).toEqual([`TAG ${ID} -1 @1`]);
    expect(rows([[ID], [ID]], { ...tag(1), reflection_indices: [1] })).toEqual([
      `TAG ${ID} 1 @1`,
      `TAG ${ID} 0 @0`,
    ]);
  });

  it("a TAG for several sessions is a mark in each that loaded it, unless it has one of its own", () => {
    const both = { ...tag(1), reflection_indices: [0, 1, 2] };
    expect(rows([[ID], [ID], []], both)).toEqual([`TAG ${ID} 1 @0`, `TAG ${ID} 1 @1`]);
    expect(rows([[ID], [ID], []], both, { ...tag(-1), reflection_index: 1 })).toEqual([
      `TAG ${ID} 1 @0`,
      `TAG ${ID} -1 @1`,
    ]);
  });

  it("a number that is no reflection is left out of a TAG, with a warning", () => {
    const given = { ...tag(1), reflection_index: 9, reflection_indices: [1, 7] };
    expect(rows([[ID], [ID]], given)).toEqual([`TAG ${ID} 1 @1`, `TAG ${ID} 0 @0`]);
    expect(rows([[], [ID]], { ...tag(1), reflection_index: 9 })).toEqual([`TAG ${ID} 1 @1`]);
    const checked = check([[ID], [ID]], given);
    expect(checked.ok && checked.value.warnings).toEqual([
      "operation 0: there is no reflection 9, so it is left out",
      "operation 0: there is no reflection 7, so it is left out",
    ]);
  });

  it.each<[string, readonly (readonly string[])[], object[], string]>([
    [
      "for what no session loaded",
      [[ID]],
      [tag(1), tag(1, "harness-00002")],
      'no session shows that "harness-00002"',
    ],
    [
      "for a skill that no session loaded",
      [[]],
      [tag(0, "release-flow")],
      'no session shows that "release-flow"',
    ],
    [
      "for a session that didn't load it",
      [[ID], []],
      [{ ...tag(1), reflection_index: 1 }],
      "reflection 1 doesn't show",
    ],
    [
      "for one of several sessions, without saying which",
      [[ID], [ID]],
      [tag(1)],
      "say with reflection_index",
    ],
    ["twice", [[ID]], [tag(1), tag(-1)], "has a TAG for reflection 0 already"],
    ["with another delta", [[ID]], [tag(2)], "metadata.delta is 2"],
  ])("a TAG %s is refused", (_, used, operations, message) => {
    expect(problemsOf(used, ...operations)).toEqual([expect.stringContaining(message)]);
  });

  it("a strategy can be marked and removed at once", () => {
    expect(rows([[ID]], { type: "REMOVE", skill_id: ID, reason: "Wrong." }, tag(-1))).toEqual([
      `TAG ${ID} -1 @0`,
      "REMOVE",
    ]);
  });
});

describe("the rest", () => {
  it("a model chooses no ids, and says nothing of where it comes from", () => {
    expect(problemsOf([], { ...ADD, skill_id: "mine" })).toEqual([
      expect.stringContaining("leave skill_id out"),
    ]);
    const checked = check([], { ...ADD, insight_source: { trace_uid: "made:up" } });
    expect(checked.ok && checked.value.batch.operations[0]).not.toHaveProperty("insight_source");
  });

  it("what doesn't apply to the Skillbook is told with its hint", () => {
    expect(problemsOf([], { type: "UPDATE", skill_id: "context-00009", issue: "I" })).toEqual([
      expect.stringMatching(/"context-00009" is not in the Skillbook: it has/),
    ]);
    expect(problemsOf([], { ...ADD, insight: "" })).toEqual([
      expect.stringContaining('insight is "", which is empty'),
    ]);
  });
});

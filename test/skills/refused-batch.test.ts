import { describe, expect, it } from "vitest";
import { doneIn } from "../../src/skills/apply-update.ts";
import type { Operation } from "../../src/skills/operation.ts";
import { EMPTY_SKILLBOOK } from "../../src/skills/skillbook.ts";
import { ADD, applied, apply, HARNESS, ID, tag } from "./skillbook-samples.ts";

const C1 = applied(EMPTY_SKILLBOOK, ADD);
const update = { type: "UPDATE", skill_id: ID, issue: "Better." };

describe("what a refused batch says", () => {
  it("all that is wrong at once: what can't be read hides no unknown, removed or taken id", () => {
    const book = applied(C1, HARNESS, { type: "REMOVE", skill_id: "harness-00002" });
    const result = apply(book, [
      { type: "TAG", skill_id: "context-00009", metadata: { helpful: 1 } },
      { ...update, skill_id: "harness-00002", issue: 7 },
      { ...ADD, skill_id: ID, keywords: "math" },
      { ...ADD, insight: "" },
      tag(1, "context-00003"),
      "ADD" as unknown as object,
    ]);
    expect(result.ok ? [] : result.problems.map((each) => [each.operation, each.code])).toEqual([
      [0, "bad_delta"],
      [0, "unknown_skill_id"],
      [1, "wrong_type"],
      [1, "removed_skill_id"],
      [2, "wrong_type"],
      [2, "duplicate_skill_id"],
      [3, "missing_insight"],
      [5, "wrong_type"],
    ]);
  });

  it.each<[string, object, string]>([
    [
      "a delta that metadata doesn't hold",
      { ...tag(1), metadata: { helpful: 1 } },
      '{"helpful":1}',
    ],
    ["metadata that is no object", { ...tag(1), metadata: "x" }, 'metadata is "x"'],
    ["a blank issue", { ...ADD, issue: " " }, 'issue is " "'],
    ["a blank insight", { ...ADD, insight: "" }, 'insight is ""'],
  ])("names the value: %s", (_, operation, part) => {
    const result = apply(C1, [operation]);
    expect(result.ok ? "" : result.problems[0]?.message).toContain(part);
  });

  it.each<[string, object, string]>([
    ["UPDATE section", { ...update, section: 5 }, "section"],
    ["TAG keywords", { ...tag(1), keywords: "zz" }, "keywords"],
    ["TAG issue", { ...tag(1), issue: 5 }, "issue"],
    ["REMOVE metadata", { type: "REMOVE", skill_id: ID, metadata: "x" }, "metadata"],
    ["ADD metadata", { ...ADD, issue: "I2", metadata: [] }, "metadata"],
    ["ADD evidence", { ...ADD, issue: "I2", evidence: 5 }, "evidence"],
  ])("a wrong type where the field isn't used: %s", (_, operation, field) => {
    const result = apply(C1, [operation]);
    expect(result.ok ? [] : result.problems).toMatchObject([{ code: "wrong_type", field }]);
  });

  it("an empty skill_id asks ADD for a new one, and is missing everywhere else", () => {
    const result = apply(C1, [{ ...HARNESS, skill_id: "" }]);
    expect(result).toMatchObject({ ok: true, ids: ["harness-00002"], warnings: [] });
    for (const type of ["UPDATE", "TAG", "REMOVE"])
      expect(apply(C1, [{ ...update, ...tag(1, ""), type }])).toMatchObject({
        ok: false,
        problems: [{ code: "missing_field", field: "skill_id" }],
      });
    expect(apply(C1, [{ ...HARNESS, skill_id: " " }])).toMatchObject({
      ok: false,
      problems: [{ code: "bad_id" }],
    });
  });

  it("an unknown id is hinted with near ones, and a field that no operation has is named", () => {
    const book = applied(C1, ...["a", "b", "c"].map((issue) => ({ ...ADD, issue })), HARNESS);
    const result = apply(book, [tag(1, "harnes-00005")]);
    expect(result.ok ? "" : result.problems[0]?.hint).toBe("it has harness-00005, …");
    const added = apply(C1, [{ ...ADD, issue: "I2", insights: "N" }]);
    expect(added.ok && added.warnings).toEqual([
      'operation 0: the field "insights" is unknown and left out: is it meant to be insight?',
    ]);
  });
});

describe("a strategy that is removed already", () => {
  const remove = { type: "REMOVE", skill_id: ID };

  it("the same once more is passed over, and named", () => {
    for (const again of [remove, { ...remove, reason: "Stale." }]) {
      const result = apply(C1, [{ ...remove, reason: "Stale." }, again]);
      expect(result).toMatchObject({ ok: true, idle: [1] });
      expect(result.ok && result.warnings).toEqual([`operation 1: "${ID}" was removed already`]);
      expect(result.ok && doneIn(result, [remove, again] as Operation[])).toEqual({
        operations: [remove],
        ids: [ID],
      });
    }
  });

  it("with another reason it is refused, in a batch and later", () => {
    const why = { ...remove, reason: "Wrong." };
    const removed = applied(C1, remove);
    for (const result of [apply(C1, [remove, why]), apply(removed, [why])])
      expect(result.ok ? [] : result.problems).toMatchObject([{ code: "removed_skill_id" }]);
  });
});

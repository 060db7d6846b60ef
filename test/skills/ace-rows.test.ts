/** Rows of the truth tables that are about whole files, batches and views; the others stand with what they are about. */
import { describe, expect, it } from "vitest";
import type { Operation } from "../../src/skills/operation.ts";
import {
  EMPTY_SKILLBOOK,
  parseSkillbook,
  renderSkillbook,
  strategyOf,
} from "../../src/skills/skillbook.ts";
import { skillbookStats, strategiesFrom } from "../../src/skills/skillbook-stats.ts";
import { parseUpdateBatch } from "../../src/skills/update-batch.ts";
import { ADD, applied, apply, HARNESS, ID, tag } from "./skillbook-samples.ts";

const BOOK = applied(EMPTY_SKILLBOOK, ADD);

function parsedBatch(value: unknown) {
  const result = parseUpdateBatch(value);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.batch;
}

describe("A of the truth tables", () => {
  it("A12, A13: marks by amount, as the first generation wrote them, are refused", () => {
    for (const metadata of [{ helpful: 1 }, { harmful: 2 }, { helpful: 5, delta: "1" }])
      expect(apply(BOOK, [{ ...tag(1), metadata }])).toMatchObject({
        ok: false,
        problems: [{ code: "bad_delta", field: "metadata.delta" }],
      });
  });

  it("A11: UPDATE, TAG and REMOVE without skill_id are refused, each", () => {
    const operations = [
      { type: "UPDATE", issue: "I" },
      { type: "TAG", metadata: { delta: 1 } },
      { type: "REMOVE" },
    ];
    const result = apply(EMPTY_SKILLBOOK, operations);
    expect(
      result.ok ? [] : result.problems.map(({ operation, field }) => [operation, field]),
    ).toEqual([
      [0, "skill_id"],
      [1, "skill_id"],
      [2, "skill_id"],
    ]);
  });

  it("A17: the numbers of reflections are read, and written the same", () => {
    const fields = { learning_index: 1, reflection_index: 2, reflection_indices: [0, 2] };
    const batch = parsedBatch([{ ...ADD, ...fields }]);
    expect(batch.operations[0]).toMatchObject(fields);
    expect(JSON.parse(JSON.stringify(batch.operations[0]))).toEqual({ ...ADD, ...fields });
  });

  it("A18: a batch survives its JSON", () => {
    const update = { type: "UPDATE", skill_id: ID, issue: "I2", reason: "It was vague." };
    const batch = parsedBatch({
      reasoning: "Seen twice.",
      operations: [
        ADD,
        HARNESS,
        update,
        tag(-1),
        { type: "REMOVE", skill_id: ID, reason: "Stale." },
      ],
    });
    expect(parsedBatch(JSON.parse(JSON.stringify(batch)))).toEqual(batch);
  });

  it("A21: sources are counted by system, and found by their trace", () => {
    const insight_source = { trace_uid: "kayba-hosted:conv-123", source_system: "kayba-hosted" };
    const book = applied(BOOK, { ...HARNESS, insight_source });
    expect(skillbookStats(book).sourceSystems).toEqual({ "kayba-hosted": 1 });
    expect(strategiesFrom(book, "kayba-hosted:conv-123").map(({ id }) => id)).toEqual([
      "harness-00002",
    ]);
    expect(strategiesFrom(book, "kayba-hosted:conv-124")).toEqual([]);
  });

  it("A25, A27: what is applied to a Skillbook leaves the one that was given", () => {
    const given = { ...BOOK, similarity_decisions: { "a|b": { decision: "KEEP" } } };
    const before = renderSkillbook(given);
    const after = applied(given, HARNESS, tag(1), { type: "REMOVE", skill_id: ID });
    expect(renderSkillbook(given)).toBe(before);
    expect(after).toMatchObject({ next_id: 2, similarity_decisions: given.similarity_decisions });
  });

  it("A26: many additions and marks, one after the other, are all there", () => {
    let book = BOOK;
    for (let n = 0; n < 50; n++) book = applied(book, { ...ADD, issue: `Issue ${n}.` }, tag(1));
    for (let n = 0; n < 49; n++) book = applied(book, HARNESS);
    expect(Object.keys(book.skills)).toHaveLength(100);
    expect(new Set([...book.sections.context, ...book.sections.harness]).size).toBe(100);
    expect(strategyOf(book, ID)?.helpful_count).toBe(50);
  });

  it("A28: a Skillbook is data: nothing on it changes it", () => {
    const parsed = parseSkillbook(renderSkillbook(BOOK));
    const values = parsed.ok ? Object.values(parsed.skillbook) : [];
    expect(values.length).toBeGreaterThan(4);
    expect(values.some((value) => typeof value === "function")).toBe(false);
  });
});

describe("C5: a section of the first generation", () => {
  it("becomes context, its name the first keyword, its issue the insight, with a warning", () => {
    const add = { type: "ADD", section: "Task Guidance", keywords: ["X"], issue: "I" };
    const result = apply(EMPTY_SKILLBOOK, [add]);
    expect(result.ok && strategyOf(result.skillbook, ID)).toMatchObject({
      keywords: ["task_guidance", "x"],
      insight: "I",
    });
    expect(result.ok && result.warnings).toHaveLength(1);
  });
});

describe("marks of whole skills", () => {
  const skills = new Set(["release-flow"]);
  const mark = { ...tag(1, "release-flow"), insight_source: { trace_uid: "qwen-code:s1" } };

  it("stand in the Skillbook's file, with the session", () => {
    const result = apply(BOOK, [mark, tag(-1, "release-flow"), mark], {
      skills,
      at: "2026-03-09T00:00:00Z",
    });
    expect(result.ok && result.skillbook.skill_tags).toEqual({
      "release-flow": {
        helpful_count: 2,
        harmful_count: 1,
        neutral_count: 0,
        occurrences: [{ trace_uid: "qwen-code:s1" }],
        updated_at: "2026-03-09T00:00:00Z",
      },
    });
    const text = result.ok ? renderSkillbook(result.skillbook) : "";
    expect(parseSkillbook(text)).toEqual({
      ok: true,
      skillbook: result.ok && result.skillbook,
      warnings: [],
    });
  });

  it("are refused for what is no skill, and nothing else is done to a skill", () => {
    const problemOf = (...operations: object[]) => {
      const result = apply(BOOK, operations, { skills });
      return result.ok ? null : result.problems[0];
    };
    expect(problemOf(tag(1, "no-such-skill"))).toMatchObject({ code: "unknown_skill_id" });
    expect(problemOf({ type: "REMOVE", skill_id: "release-flow" })?.message).toContain(
      "is a skill, not a strategy",
    );
    expect(problemOf({ ...ADD, skill_id: "release-flow" })).toMatchObject({
      code: "duplicate_skill_id",
    });
  });

  it("wrong ones in a file are told with their place", () => {
    const raw = {
      ...BOOK,
      skill_tags: { "release-flow": { helpful_count: -1 }, "../x": {}, y: 7 },
    };
    const result = parseSkillbook(JSON.stringify(raw));
    expect(result.ok ? [] : result.problems.map(({ field }) => field)).toEqual([
      "skill_tags.release-flow",
      "skill_tags.../x",
      "skill_tags.y",
    ]);
  });
});

it.each([
  ["an escape sequence", { issue: "I \u001b[8m hidden" }, "issue"],
  ["half of a character", { insight: "N \ud83d" }, "insight"],
  ["a line separator", { reason: "R \u2028 x" }, "reason"],
  ["a control character in a keyword", { keywords: ["a\u0007b"] }, "keywords"],
])("text with %s is refused", (_, fields, field) => {
  const result = apply(BOOK, [{ ...ADD, ...fields } as unknown as Operation]);
  expect(result.ok ? [] : result.problems).toEqual([
    expect.objectContaining({ code: "bad_text", field }),
  ]);
});

it("an addition that says exactly what is there is applied, with a warning", () => {
  const result = apply(BOOK, [ADD, { ...ADD, insight: "Another way." }]);
  expect(result).toMatchObject({
    ok: true,
    ids: ["context-00002", "context-00003"],
    warnings: [`operation 0: "${ID}" says exactly the same`],
  });
});

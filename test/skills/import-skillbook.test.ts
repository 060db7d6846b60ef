import { describe, expect, it } from "vitest";
import { type ImportOptions, importSkillbook } from "../../src/skills/import-skillbook.ts";
import { parseSkillbook, renderSkillbook } from "../../src/skills/skillbook.ts";

function imported(book: object | string, options: ImportOptions = {}) {
  const result = importSkillbook(typeof book === "string" ? book : JSON.stringify(book), options);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  // Whatever comes out is a Skillbook that can be read strictly.
  const text = renderSkillbook(result.skillbook);
  expect(parseSkillbook(text)).toEqual({ ok: true, skillbook: result.skillbook, warnings: [] });
  return result;
}

const V1 = {
  skills: {
    "math-00001": {
      id: "math-00001",
      section: "Math Tricks",
      content: "Add in cents.",
      justification: "Sums of prices went wrong.",
      evidence: "3 of 4 invoices",
      helpful: 5,
      harmful: 1,
      neutral: 2,
      created_at: "2026-01-02T03:04:05Z",
      updated_at: "2026-01-03T03:04:05Z",
      embedding: [0.1],
      status: "active",
      sources: [{ sample_id: "s1" }],
    },
    "math-00002": {
      id: "math-00002",
      section: "math tricks",
      content: "Guess.",
      status: "invalid",
      helpful: 0,
    },
  },
  sections: { "math tricks": ["math-00001", "math-00002"] },
  next_id: 2,
};

describe("import", () => {
  it("says what it leaves out of a file beside its strategies, and of their names and words", () => {
    const { mapped } = imported({
      ...V1,
      owner: "qa",
      skills: {
        ...V1.skills,
        third: { id: "fourth", section: "x", content: "C.", keywords: ["a", 7] },
      },
      sections: { "math tricks": ["math-00001", "ghost"], x: "third" },
    });
    expect(mapped).toEqual(
      expect.arrayContaining([
        'its field "owner" is unknown and left out',
        "1 strategy: calls itself something else than the file does, which is left out",
        "1 strategy: has keywords that are no texts, which are left out",
        'its sections name 1 id that it doesn\'t have, which is left out: "ghost"',
        'the order of its section "x" is no list and left out',
      ]),
    );
    expect(imported(V1).mapped.join("\n")).not.toMatch(/unknown|calls itself|doesn't have|no list/);
    const dropped = imported(V1, { dropRemoved: true }).mapped.join("\n");
    expect(dropped).not.toContain("doesn't have");
  });

  it("A22: a file without schema_version is one of an earlier generation", () => {
    const { skillbook, generation, mapped } = imported(V1);
    expect(generation).toBe("v1");
    expect(skillbook.schema_version).toBe("2");
    expect(skillbook.skills["math-00001"]).toMatchObject({
      section: "context",
      keywords: ["math_tricks"],
      issue: "Sums of prices went wrong.",
      insight: "Add in cents.",
      evidence: "3 of 4 invoices",
      active: true,
      helpful_count: 5,
      harmful_count: 1,
      neutral_count: 2,
      created_at: "2026-01-02T03:04:05Z",
      occurrences: [{ trace_uid: "legacy:s1", trace_id: "s1" }],
    });
    expect(skillbook.skills["math-00002"]).toMatchObject({ active: false, issue: "Guess." });
    expect(mapped).toEqual(
      expect.arrayContaining([
        expect.stringContaining("its justification is read as the issue"),
        expect.stringContaining("embedding"),
        expect.stringContaining('status is "invalid"'),
        expect.stringContaining('had the section "Math Tricks"'),
      ]),
    );
  });

  it("A15: fields that mean nothing are left out, and named", () => {
    const skills = { "math-00001": { ...V1.skills["math-00001"], invalid_key: 5 } };
    const { skillbook, mapped } = imported({ skills });
    expect(skillbook.skills["math-00001"]).not.toHaveProperty("invalid_key");
    expect(mapped).toContainEqual(expect.stringContaining('its field "invalid_key" is unknown'));
  });

  it("A7: what was removed can be left for good", () => {
    const { skillbook } = imported(V1, { dropRemoved: true });
    expect(Object.keys(skillbook.skills)).toEqual(["math-00001"]);
    expect(skillbook.sections.context).toEqual(["math-00001"]);
  });

  it("v1.5 has no counters, and earlier playbooks call their entries bullets", () => {
    const bullets = { "a-00001": { id: "a-00001", section: "A", content: "Do it." } };
    const { generation, skillbook } = imported({ bullets });
    expect(generation).toBe("v1.5");
    expect(skillbook.skills["a-00001"]).toMatchObject({ issue: "Do it.", helpful_count: 0 });
  });

  it("v2 is taken over with what is unknown in it; what is broken is put right or left out", () => {
    const good = {
      id: "context-00004",
      section: "context",
      issue: "I",
      insight: "N",
      note: "theirs",
    };
    const { skillbook, mapped } = imported({
      schema_version: 2,
      extra: true,
      skills: {
        "context-00004": { ...good, helpful_count: -1, used_count: 3 },
        "harness-00005": { section: "harness", insight: "Only this." },
        "context-00006": { section: "context" },
        "no id/at all": { section: "context", issue: "I\u001b[8m2" },
      },
      sections: { context: ["context-00004", "gone-1"], harness: ["harness-00005"] },
      next_id: 1,
    });
    expect(skillbook).toMatchObject({ extra: true, next_id: 5 });
    expect(Object.keys(skillbook.skills)).toEqual(["context-00004", "harness-00005", "imported-3"]);
    expect(skillbook.skills["context-00004"]).toMatchObject({
      note: "theirs",
      used_count: 3,
      helpful_count: 0,
    });
    expect(skillbook.skills["harness-00005"]).toMatchObject({ issue: "Only this." });
    expect(skillbook.skills["imported-3"]?.issue).toBe("I [8m2");
    expect(mapped).toContainEqual(expect.stringContaining('"context-00006" is left out'));
  });

  it.each<[object, string, object]>([
    [
      { keywords: Array.from({ length: 25 }, (_, at) => `k${at}`) },
      "has more than 20 keywords, of which the first are kept",
      { keywords: Array.from({ length: 20 }, (_, at) => `k${at}`) },
    ],
    [
      { keywords: ["k".repeat(100)] },
      "has a keyword of more than 80 characters, which is cut",
      { keywords: [`${"k".repeat(79)}…`] },
    ],
    [
      { issue: "a\r\nb" },
      "has a text with carriage returns, which are read as line ends",
      { issue: "a\nb" },
    ],
    [
      { issue: "a\u2028b\u000bc" },
      "has control characters or halves of characters, which are read as blanks",
      { issue: "a b c" },
    ],
    [
      { keywords: ["a\u0007b"] },
      "has control characters or halves of characters, which are read as blanks",
      { keywords: ["a_b"] },
    ],
    [
      { issue: "\ufeffI" },
      "has a byte order mark around a text, which is left out",
      { issue: "I" },
    ],
  ])("what it changes in a text is said: %j", (fields, said, expected) => {
    const strategy = { section: "context", issue: "I", insight: "N", keywords: ["k"], ...fields };
    const { skillbook, mapped } = imported({ schema_version: "2", skills: { a: strategy } });
    expect(skillbook.skills["a"]).toMatchObject(expected);
    expect(mapped).toEqual([`1 strategy: ${said}`]);
    const plain = { ...strategy, ...expected, issue: " I ", keywords: ["k", " K "] };
    expect(imported({ schema_version: "2", skills: { a: plain } }).mapped).toEqual([]);
  });

  it("similarity decisions that ACE can't load are put right or left out", () => {
    const strategy = { section: "context", issue: "I", insight: "N", keywords: ["k"] };
    const skills = { a: strategy, b: strategy, c: strategy };
    const whole = { decision: "KEEP", reasoning: "r", decided_at: "d", similarity_at_decision: 1 };
    const similarity_decisions = { "a,b": { ...whole, by: "R" }, "b,c": { decision: "KEEP" } };
    const { skillbook, mapped } = imported({ schema_version: "2", skills, similarity_decisions });
    expect(skillbook.similarity_decisions).toEqual({ "a,b": whole });
    expect(mapped).toEqual([
      "1 similarity decision is left out: a field is missing",
      "fields of similarity decisions that ACE can't load are left out",
    ]);
  });

  it("A22: strategies with the fields of v2 are read as such without schema_version", () => {
    const skills = { "context-00001": { section: "context", issue: "I", insight: "N" } };
    const { generation, skillbook } = imported({ skills });
    expect(generation).toBe("v2");
    expect(skillbook.skills["context-00001"]).toMatchObject({ issue: "I", insight: "N" });
  });

  it.each([
    [{ foo: 1 }, "missing_field", "skills is missing"],
    [{}, "missing_field", "skills is missing"],
    [{ skills: 5 }, "wrong_type", "skills is no object or list"],
    [{ bullets: null }, "wrong_type", "bullets is no object or list"],
    [{ schema_version: "3", skills: {} }, "wrong_version", 'schema_version is "3"'],
  ])("what is no Skillbook is refused by name: %j", (file, code, message) => {
    expect(importSkillbook(JSON.stringify(file))).toMatchObject({
      ok: false,
      problems: [{ code, message: expect.stringContaining(message) }],
    });
  });

  it("one strategy with three bad counters is one strategy", () => {
    const counts = { helpful: -1, harmful: "x", neutral: 0.5 };
    const { mapped } = imported({ skills: { a: { content: "Do it.", ...counts } } });
    expect(mapped).toContainEqual(expect.stringMatching(/^1 strategy: has a counter/));
  });

  it("A24: what is no JSON, or no object, is refused", () => {
    expect(importSkillbook("{")).toMatchObject({ ok: false, problems: [{ code: "not_json" }] });
    expect(importSkillbook("[]")).toMatchObject({ ok: false, problems: [{ code: "wrong_type" }] });
  });
});

import { describe, expect, it } from "vitest";
import { SKILLBOOK_MAX_BYTES } from "../../src/core/limits.ts";
import { EMPTY_SKILLBOOK, parseSkillbook, renderSkillbook } from "../../src/skills/skillbook.ts";

const ONE = {
  id: "context-00001",
  section: "context",
  keywords: ["math"],
  issue: "Sums go wrong.",
  insight: "Add in cents.",
  occurrences: [],
  active: true,
  used_count: 3,
  helpful_count: 2,
  harmful_count: 0,
  neutral_count: 1,
  created_at: "2026-03-09T14:03:12.000000+00:00",
  updated_at: "2026-03-09T14:03:12.000000+00:00",
};
const BOOK = {
  schema_version: "2",
  skills: { "context-00001": ONE },
  sections: { context: ["context-00001"], harness: [] },
  next_id: 1,
  similarity_decisions: {},
};

function parsed(book: object) {
  const result = parseSkillbook(JSON.stringify(book));
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result;
}

function problemsOf(text: string) {
  const result = parseSkillbook(text);
  return result.ok ? [] : result.problems;
}

describe("a file as ACE writes it", () => {
  it("is read, and written with the same bytes and a line break at the end", () => {
    const theirs = JSON.stringify(BOOK, null, 2);
    const { skillbook, warnings } = parsed(BOOK);
    expect(renderSkillbook(skillbook)).toBe(`${theirs}\n`);
    expect(warnings).toEqual([]);
    expect(parsed(JSON.parse(renderSkillbook(EMPTY_SKILLBOOK))).skillbook).toEqual(EMPTY_SKILLBOOK);
  });

  it("A23: may lack what has a default", () => {
    const { skillbook } = parsed({
      schema_version: "2",
      skills: { "context-00001": { id: "context-00001", section: "context", issue: "I" } },
    });
    expect(skillbook).toMatchObject({
      skills: {
        "context-00001": {
          active: true,
          occurrences: [],
          keywords: ["context"],
          insight: null,
          neutral_count: 0,
        },
      },
      sections: { context: ["context-00001"], harness: [] },
      next_id: 1,
    });
  });

  it("C23: sections by their earlier names are rebuilt", () => {
    const { skillbook, warnings } = parsed({
      ...BOOK,
      skills: { "math-00001": { ...ONE, id: "math-00001", section: "Math Tricks", keywords: [] } },
      sections: { "math tricks": ["math-00001"] },
    });
    expect(skillbook.skills["math-00001"]).toMatchObject({
      section: "context",
      keywords: ["math_tricks"],
    });
    expect(skillbook.sections).toEqual({ context: ["math-00001"], harness: [] });
    expect(warnings).toHaveLength(2);
  });

  it("C19: an id that stands twice is shown once, one that stands nowhere is shown last", () => {
    const skills = { ...BOOK.skills, "context-00002": { ...ONE, id: "context-00002" } };
    const sections = { context: ["context-00001", "context-00001"] };
    const { skillbook, warnings } = parsed({ ...BOOK, skills, sections, next_id: 2 });
    expect(skillbook.sections.context).toEqual(["context-00001", "context-00002"]);
    expect(warnings).toEqual(["an id stood twice in sections"]);
  });
});

describe("a file that is wrong", () => {
  const DECISION = {
    decision: "KEEP",
    reasoning: "Two things.",
    decided_at: "2026-03-09",
    similarity_at_decision: 0.9,
  };
  it("a whole similarity decision is right", () => {
    const book = { ...BOOK, similarity_decisions: { "a,b": DECISION } };
    expect(parsed(book).skillbook.similarity_decisions).toEqual({ "a,b": DECISION });
  });
  const skill = (more: object) => ({ ...BOOK, skills: { "context-00001": { ...ONE, ...more } } });
  it.each<[string, object, string, string]>([
    [
      "A22: an older format",
      { ...BOOK, schema_version: undefined },
      "wrong_version",
      "schema_version",
    ],
    [
      "C22: a section with an unknown id",
      { ...BOOK, sections: { context: ["context-00009"] } },
      "unknown_skill_id",
      "sections.context",
    ],
    [
      "a similarity decision with a field too few",
      { ...BOOK, similarity_decisions: { "a,b": { decision: "KEEP" } } },
      "wrong_type",
      "similarity_decisions.a,b",
    ],
    [
      "a similarity decision with a field too many",
      { ...BOOK, similarity_decisions: { "a,b": { ...DECISION, by: "Robin" } } },
      "wrong_type",
      "similarity_decisions.a,b",
    ],
    ["a counter behind its ids", { ...BOOK, next_id: 0 }, "next_id_used", "next_id"],
    ["no issue", skill({ issue: " " }), "missing_field", "skills.context-00001.issue"],
    ["another id inside", skill({ id: "context-00002" }), "bad_id", "skills.context-00001.id"],
    [
      "a negative count",
      skill({ helpful_count: -1 }),
      "wrong_type",
      "skills.context-00001.helpful_count",
    ],
    [
      "keywords as a text",
      skill({ keywords: "math" }),
      "wrong_type",
      "skills.context-00001.keywords",
    ],
    ["sections as a list", { ...BOOK, sections: [] }, "wrong_type", "sections"],
    [
      "a strategy that is none",
      { ...BOOK, skills: { "context-00001": 7 } },
      "wrong_type",
      "skills.context-00001",
    ],
  ])("%s: said with its place", (_, book, code, field) => {
    const [problem] = problemsOf(JSON.stringify(book));
    expect(problem).toMatchObject({ code, field });
    expect(problem?.message).toMatch(/\S+ \S+/);
  });

  it("an id that is no name is refused, whatever it would do to an object", () => {
    const text = JSON.stringify(BOOK).replaceAll("context-00001", "__proto__");
    expect(problemsOf(text)[0]).toMatchObject({ code: "bad_id" });
  });

  it("what is no JSON, no object, too large or too deep is refused", () => {
    expect(problemsOf("{")).toEqual([expect.objectContaining({ code: "not_json" })]);
    expect(problemsOf("[]")).toEqual([expect.objectContaining({ code: "wrong_type" })]);
    expect(problemsOf(" ".repeat(SKILLBOOK_MAX_BYTES + 1))[0]).toMatchObject({ code: "too_large" });
    const deep = `{"schema_version":"2","x":${"[".repeat(50_000)}${"]".repeat(50_000)}}`;
    expect(problemsOf(deep)[0]).toMatchObject({ code: "too_large" });
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyUpdate } from "../../src/skills/apply-update.ts";
import type { Operation, UpdateBatch } from "../../src/skills/operation.ts";
import {
  EMPTY_SKILLBOOK,
  parseSkillbook,
  renderSkillbook,
  type Skillbook,
  strategyOf,
} from "../../src/skills/skillbook.ts";

const AT = "2026-03-09T14:03:12.000Z";

/** Operations as JSON, the way they come from a model. */
function apply(book: Skillbook, ...operations: readonly object[]) {
  return applyUpdate(book, { reasoning: "", operations: operations as Operation[] });
}

function applied(book: Skillbook, ...operations: readonly object[]): Skillbook {
  const result = apply(book, ...operations);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.skillbook;
}

function refusals(book: Skillbook, ...operations: readonly object[]) {
  const before = renderSkillbook(book);
  const result = apply(book, ...operations);
  expect(renderSkillbook(book)).toBe(before);
  if (result.ok) throw new Error("it was applied");
  return result.problems;
}

/** `id · section · keywords · issue · insight · active · H/X/N`, as the truth tables write it. */
function row(book: Skillbook, id: string): string {
  const found = strategyOf(book, id);
  if (found === null) return "none";
  const { section, keywords, issue, insight, active } = found;
  const counts = `${found.helpful_count}/${found.harmful_count}/${found.neutral_count}`;
  return [id, section, `[${keywords}]`, issue, insight, active, counts].join("·");
}

const ADD = { type: "ADD", section: "context", keywords: ["math"], issue: "I", insight: "N" };
const HARNESS = { type: "ADD", section: "harness", keywords: ["tools"], issue: "I" };
const ID = "context-00001";
const C1 = applied(EMPTY_SKILLBOOK, ADD);
const tag = (delta: unknown) => ({ type: "TAG", skill_id: ID, metadata: { delta } });

describe("what ACE's own tests assert", () => {
  it("A1, A8: an earlier free section becomes context, and is its first keyword", () => {
    const text = "Use division for fractions";
    const result = apply(EMPTY_SKILLBOOK, {
      ...ADD,
      section: "Math",
      keywords: ["x"],
      issue: text,
      insight: null,
    });
    expect(result.ok && row(result.skillbook, ID)).toBe(
      `${ID}·context·[math,x]·${text}·${text}·true·0/0/0`,
    );
    expect(result.ok && result.warnings).toEqual([
      expect.stringContaining('operation 0: section "Math"'),
    ]);
  });

  it("A2: two additions get two ids", () => {
    const result = apply(EMPTY_SKILLBOOK, ADD, ADD);
    expect(result).toMatchObject({ ok: true, ids: ["context-00001", "context-00002"] });
  });

  it("A3: an id of one's own is kept", () => {
    const book = applied(EMPTY_SKILLBOOK, { ...ADD, skill_id: "custom-001" });
    expect(book.sections.context).toEqual(["custom-001"]);
  });

  it("A6, A10: a removed strategy stays, out of use", () => {
    const book = applied(C1, { type: "REMOVE", section: "math", skill_id: ID, reason: "Stale." });
    expect(row(book, ID)).toBe(`${ID}·context·[math]·I·N·false·0/0/0`);
    expect(strategyOf(book, ID)).toMatchObject({ removed_reason: "Stale." });
    expect(book.sections.context).toEqual([ID]);
  });

  it("A9: an update changes what it gives", () => {
    const book = applied(C1, {
      type: "UPDATE",
      section: "math",
      skill_id: ID,
      issue: "I",
      insight: "new",
    });
    expect(row(book, ID)).toBe(`${ID}·context·[math]·I·new·true·0/0/0`);
  });

  it("A14: several operations, in their order, the section not needed but for ADD", () => {
    const update = { type: "UPDATE", section: "", skill_id: ID, issue: "I2" };
    expect(row(applied(EMPTY_SKILLBOOK, ADD, update, { ...tag(1), section: "" }), ID)).toBe(
      `${ID}·context·[math]·I2·N·true·1/0/0`,
    );
  });

  it("A19, A20: a source that is there isn't added again; several keep their order", () => {
    const [one, two] = [{ trace_id: "s1", relation: "seed" }, { trace_id: "s2" }];
    const again = { relation: "seed", trace_id: "s1" };
    const book = applied(
      EMPTY_SKILLBOOK,
      { ...ADD, insight_source: [one, two, one] },
      { ...tag(0), insight_source: again },
      { type: "UPDATE", skill_id: ID, issue: "I", insight_source: { trace_id: "s3" } },
    );
    expect(strategyOf(book, ID)?.occurrences).toEqual([one, two, { trace_id: "s3" }]);
  });
});

describe("edge cases (C of the truth tables)", () => {
  const update = { type: "UPDATE", skill_id: ID, issue: "I" };
  it.each<[string, Skillbook, object[], string, string]>([
    ["C1", EMPTY_SKILLBOOK, [ADD], ID, "context·[math]·I·N·true·0/0/0"],
    [
      "C2",
      EMPTY_SKILLBOOK,
      [{ ...HARNESS, keywords: ["Rate Limit", "rate  limit"] }],
      "harness-00001",
      "harness·[rate_limit]·I··true·0/0/0",
    ],
    ["C3", EMPTY_SKILLBOOK, [ADD, HARNESS], "harness-00002", "harness·[tools]·I··true·0/0/0"],
    ["C7", C1, [{ ...update, insight: "N2" }], ID, "context·[math]·I·N2·true·0/0/0"],
    ["C8", C1, [{ ...update, insight: "" }], ID, "context·[math]·I·N·true·0/0/0"],
    [
      "C9",
      C1,
      [{ ...update, issue: "I2", section: "harness" }],
      ID,
      "context·[math]·I2·N·true·0/0/0",
    ],
    ["C11 helped", C1, [tag(1)], ID, "context·[math]·I·N·true·1/0/0"],
    ["C11 harmed", C1, [tag(-1)], ID, "context·[math]·I·N·true·0/1/0"],
    ["C11 neither", C1, [tag(0)], ID, "context·[math]·I·N·true·0/0/1"],
    [
      "C15",
      C1,
      Array(2).fill({ type: "REMOVE", skill_id: ID }),
      ID,
      "context·[math]·I·N·false·0/0/0",
    ],
    ["C21", EMPTY_SKILLBOOK, [ADD, tag(1)], ID, "context·[math]·I·N·true·1/0/0"],
  ])("%s", (_, book, operations, id, expected) => {
    expect(row(applied(book, ...operations), id)).toBe(`${id}·${expected}`);
  });

  it.each<[string, object[], string, number, string]>([
    ["C4 no insight", [{ ...ADD, insight: undefined }], "missing_insight", 0, "insight"],
    ["C4 a blank insight", [{ ...ADD, insight: "  " }], "missing_insight", 0, "insight"],
    ["C6 no issue", [{ ...ADD, issue: " " }], "missing_field", 0, "issue"],
    ["C6 no section", [{ ...ADD, section: undefined }], "missing_field", 0, "section"],
    ["no keywords", [{ ...ADD, keywords: [" "] }], "missing_field", 0, "keywords"],
    ["C10, A4", [{ ...update, skill_id: "context-00099" }], "unknown_skill_id", 0, "skill_id"],
    ["A5", [{ type: "REMOVE", skill_id: "missing-id" }], "unknown_skill_id", 0, "skill_id"],
    ["A11", [{ type: "TAG", metadata: { delta: 1 } }], "missing_field", 0, "skill_id"],
    ...[5, -7, "1", 1.9, true, "up", Number.NaN].map(
      (delta): [string, object[], string, number, string] => [
        `C12, C14 delta ${delta}`,
        [tag(delta)],
        "bad_delta",
        0,
        "metadata.delta",
      ],
    ),
    ["C13 no metadata", [{ type: "TAG", skill_id: ID }], "bad_delta", 0, "metadata.delta"],
    [
      "C13, A12 helpful",
      [{ ...tag(1), metadata: { helpful: 1 } }],
      "bad_delta",
      0,
      "metadata.delta",
    ],
    ["C13 {}", [{ ...tag(1), metadata: {} }], "bad_delta", 0, "metadata.delta"],
    ["C13 half", [tag(0.5)], "bad_delta", 0, "metadata.delta"],
    ["C13 metadata x", [{ ...tag(1), metadata: "x" }], "bad_delta", 0, "metadata.delta"],
    ["C14 null", [tag(null)], "bad_delta", 0, "metadata.delta"],
    ["C16 TAG", [{ type: "REMOVE", skill_id: ID }, tag(1)], "removed_skill_id", 1, "skill_id"],
    ["C16 UPDATE", [{ type: "REMOVE", skill_id: ID }, update], "removed_skill_id", 1, "skill_id"],
    ["C17", [ADD, { ...ADD, insight: null }, ADD], "missing_insight", 1, "insight"],
    ["C18, A16", [ADD, { type: "MERGE" }], "unknown_type", 1, "type"],
    ["C19", [{ ...ADD, skill_id: ID, issue: "I2" }], "duplicate_skill_id", 0, "skill_id"],
    [
      "an id that only a later ADD gets",
      [{ ...update, skill_id: "context-00002" }, ADD],
      "unknown_skill_id",
      0,
      "skill_id",
    ],
    ["no object", [ADD, "ADD" as unknown as object], "wrong_type", 1, ""],
    ["keywords as a text", [{ ...ADD, keywords: "math" }], "wrong_type", 0, "keywords"],
    ["an issue that is no text", [{ ...update, issue: 7 }], "wrong_type", 0, "issue"],
    ["an id that could be a path", [{ ...update, skill_id: "../x" }], "bad_id", 0, "skill_id"],
    [
      "what every object has",
      [{ ...update, skill_id: "constructor" }],
      "unknown_skill_id",
      0,
      "skill_id",
    ],
  ])(
    "%s is refused, and nothing of the batch is applied",
    (_, operations, code, operation, field) => {
      const problems = refusals(C1, ...operations);
      expect(problems).toEqual([expect.objectContaining({ code, operation, field })]);
      expect(problems[0]?.message).toMatch(new RegExp(`^operation ${operation}: ${field}`));
      expect(problems[0]?.hint).not.toBe("");
    },
  );

  it("C20: the counter goes on behind an id that was chosen", () => {
    const book = applied(EMPTY_SKILLBOOK, { ...ADD, skill_id: "context-00002" }, ADD, HARNESS);
    expect(Object.keys(book.skills)).toEqual(["context-00002", "context-00003", "harness-00004"]);
    expect(book.next_id).toBe(4);
  });

  it("every problem of a batch is told at once", () => {
    const codes = refusals(C1, tag(7), { ...ADD, issue: "" }, { type: "DROP" }).map(
      ({ code }) => code,
    );
    expect(codes).toEqual(["bad_delta", "missing_field", "unknown_type"]);
  });
});

it("the time is the caller's, and an update leaves the day of birth", () => {
  const batch = (...operations: object[]): UpdateBatch => ({
    reasoning: "",
    operations: operations as Operation[],
  });
  const first = applyUpdate(EMPTY_SKILLBOOK, batch(ADD), { at: AT });
  const later = "2026-04-01T00:00:00.000Z";
  const second = first.ok && applyUpdate(first.skillbook, batch(tag(1)), { at: later });
  expect(second ? second.ok && strategyOf(second.skillbook, ID) : null).toMatchObject({
    created_at: AT,
    updated_at: later,
  });
  expect(strategyOf(C1, ID)).not.toHaveProperty("updated_at");
});

it("fields that are unknown here stay, through updates too", () => {
  const raw = JSON.parse(renderSkillbook(C1));
  raw.skill_tags = { "release-flow": { helpful: 1 } };
  raw.skills[ID].note = "theirs";
  const parsed = parseSkillbook(JSON.stringify(raw));
  const text = parsed.ok ? renderSkillbook(applied(parsed.skillbook, tag(1))) : "";
  expect(JSON.parse(text)).toMatchObject({
    skill_tags: raw.skill_tags,
    skills: { [ID]: { note: "theirs", helpful_count: 1 } },
  });
});

// --- properties ----------------------------------------------------------------------------------

const words = fc.stringMatching(/^[a-z]{1,8}$/);
const text = fc.string({ minLength: 1, maxLength: 40 }).filter((each) => each.trim() !== "");
const additions = fc.oneof(
  fc.record({
    type: fc.constant("ADD"),
    section: fc.constant("context"),
    keywords: fc.array(words, { minLength: 1, maxLength: 3 }),
    issue: text,
    insight: text,
  }),
  fc.record({
    type: fc.constantFrom("ADD", "add"),
    section: fc.constantFrom("harness", "Task Guidance"),
    keywords: fc.array(words, { minLength: 1, maxLength: 3 }),
    issue: text,
  }),
);
/** Which strategy is meant is a number: the one that lives at that place when the operation comes. */
const changes = fc.oneof(
  fc.record({
    type: fc.constant("UPDATE"),
    at: fc.nat(),
    issue: text,
    insight: fc.option(text, { nil: undefined }),
  }),
  fc.record({
    type: fc.constant("TAG"),
    at: fc.nat(),
    metadata: fc.record({ delta: fc.constantFrom(-1, 0, 1) }),
  }),
  fc.record({
    type: fc.constant("REMOVE"),
    at: fc.nat(),
    reason: fc.option(text, { nil: undefined }),
  }),
);
const batches = fc.array(fc.array(fc.oneof(additions, changes), { maxLength: 8 }), {
  maxLength: 6,
});

type Plan = { readonly type: string; readonly at?: number };

/** A batch in which every operation means a strategy that is in use then. */
function valid(book: Skillbook, plan: readonly Plan[]): object[] {
  const alive = Object.values(book.skills).flatMap(({ id, active }) => (active ? [id] : []));
  let next = book.next_id;
  return plan.flatMap(({ at, ...operation }): object[] => {
    if (operation.type.toUpperCase() === "ADD") {
      next += 1;
      const isHarness = "section" in operation && operation.section === "harness";
      alive.push(`${isHarness ? "harness" : "context"}-${String(next).padStart(5, "0")}`);
      return [operation];
    }
    const skill_id = alive[(at ?? 0) % alive.length];
    if (skill_id === undefined) return [];
    if (operation.type === "REMOVE") alive.splice(alive.indexOf(skill_id), 1);
    return [{ ...operation, skill_id }];
  });
}

function built(plans: readonly (readonly Plan[])[]): Skillbook {
  return plans.reduce((book, plan) => applied(book, ...valid(book, plan)), EMPTY_SKILLBOOK);
}

const total = (book: Skillbook) =>
  Object.values(book.skills).reduce(
    (sum, one) => sum + one.helpful_count + one.harmful_count + one.neutral_count,
    0,
  );

describe("whatever the batches are", () => {
  it("ids are unique, sections and skills agree, counts only grow, and nothing is lost", () => {
    fc.assert(
      fc.property(batches, (plans) => {
        let book = EMPTY_SKILLBOOK;
        for (const plan of plans) {
          const operations = valid(book, plan);
          const after = applied(book, ...operations);
          const listed = [...after.sections.context, ...after.sections.harness];
          expect(listed.toSorted()).toEqual(Object.keys(after.skills).toSorted());
          for (const [id, one] of Object.entries(after.skills)) {
            expect(one.id).toBe(id);
            expect(after.sections[one.section]).toContain(id);
            expect(one.section === "harness" || one.insight !== null).toBe(true);
          }
          for (const [id, one] of Object.entries(book.skills)) {
            const now = strategyOf(after, id);
            for (const count of ["helpful_count", "harmful_count", "neutral_count"] as const)
              expect(now?.[count]).toBeGreaterThanOrEqual(one[count]);
          }
          const tags = operations.filter((each) => "metadata" in each).length;
          expect(total(after)).toBe(total(book) + tags);
          expect(after.next_id).toBeGreaterThanOrEqual(book.next_id);
          book = after;
        }
      }),
    );
  });

  it("one bad operation anywhere leaves every byte as it was", () => {
    const bad = [
      tag(2),
      { type: "UPDATE", skill_id: "nobody", issue: "I" },
      { ...ADD, insight: "" },
      { type: "DROP" },
      null,
    ];
    fc.assert(
      fc.property(batches, fc.nat(), fc.constantFrom(...bad), (plans, place, broken) => {
        const book = built(plans.slice(0, -1));
        const operations = valid(book, plans.at(-1) ?? []);
        operations.splice(place % (operations.length + 1), 0, broken as object);
        expect(refusals(book, ...operations).length).toBeGreaterThan(0);
      }),
    );
  });

  it("what is written reads back the same, and is written the same again", () => {
    fc.assert(
      fc.property(batches, (plans) => {
        const book = built(plans);
        const text = renderSkillbook(book);
        const parsed = parseSkillbook(text);
        expect(parsed).toEqual({ ok: true, skillbook: book, warnings: [] });
        expect(parsed.ok && renderSkillbook(parsed.skillbook)).toBe(text);
      }),
    );
  });

  it("two batches of additions give the same strategies in either order", () => {
    const contents = (book: Skillbook) =>
      Object.values(book.skills)
        .map(({ id: _, ...rest }) => JSON.stringify(rest))
        .toSorted();
    fc.assert(
      fc.property(fc.array(additions), fc.array(additions), (one, other) => {
        expect(contents(built([one, other]))).toEqual(contents(built([other, one])));
      }),
    );
  });
});

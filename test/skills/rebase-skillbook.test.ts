import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rebaseSkillbook } from "../../src/skills/rebase-skillbook.ts";
import { EMPTY_SKILLBOOK, type Skillbook, strategyOf } from "../../src/skills/skillbook.ts";
import { ADD, applied, apply, HARNESS, ID, tag } from "./skillbook-samples.ts";

const BASE = applied(EMPTY_SKILLBOOK, ADD, HARNESS);
const other = (issue: string) => ({ ...ADD, issue });
const source = (id: string) => ({
  trace_uid: `test:${id}`,
  source_system: "test",
  trace_id: id,
  display_name: id,
  relation: "seed",
});

describe("the same changes on a base that moved", () => {
  it("new strategies get new ids, with what was said of them", () => {
    const to = applied(BASE, other("Mine."), tag(1, "context-00003"));
    const onto = applied(BASE, other("Theirs."));
    const { skillbook, ids, dropped } = rebaseSkillbook(BASE, to, onto);
    expect([...ids]).toEqual([["context-00003", "context-00004"]]);
    expect(strategyOf(skillbook, "context-00003")?.issue).toBe("Theirs.");
    expect(strategyOf(skillbook, "context-00004")).toMatchObject({
      issue: "Mine.",
      helpful_count: 1,
    });
    expect(skillbook.sections.context).toEqual([ID, "context-00003", "context-00004"]);
    expect(skillbook.next_id).toBe(4);
    expect(dropped).toEqual([]);
  });

  it("marks add up, for whole skills too", () => {
    const mark = [tag(1), tag(-1), tag(0, "release-flow")];
    const { skillbook } = rebaseSkillbook(BASE, applied(BASE, ...mark), applied(BASE, ...mark));
    expect(strategyOf(skillbook, ID)).toMatchObject({ helpful_count: 2, harmful_count: 2 });
    expect(skillbook.skill_tags?.["release-flow"]).toMatchObject({ neutral_count: 2 });
  });

  it("a skill whose folder is called like what every object has is marked like any other", () => {
    const mark = (book: Skillbook) => {
      const result = apply(book, [tag(1, "constructor")], { skills: new Set(["constructor"]) });
      if (!result.ok) throw new Error(JSON.stringify(result.problems));
      return result.skillbook;
    };
    const { skillbook } = rebaseSkillbook(BASE, mark(BASE), mark(BASE));
    expect(skillbook.skill_tags?.["constructor"]).toMatchObject({ helpful_count: 2 });
  });

  it("what no longer applies is named, and the rest is done", () => {
    const to = applied(BASE, tag(1), {
      type: "UPDATE",
      skill_id: "harness-00002",
      issue: "Better.",
    });
    const onto = applied(BASE, { type: "REMOVE", skill_id: ID });
    const { skillbook, dropped } = rebaseSkillbook(BASE, to, onto);
    expect(dropped).toEqual([`TAG ${ID} no longer applies: "${ID}" was removed`]);
    expect(strategyOf(skillbook, "harness-00002")?.issue).toBe("Better.");
  });

  it("what the base has learned meanwhile isn't added twice", () => {
    const to = applied(BASE, other("Both."));
    const { skillbook, ids, dropped } = rebaseSkillbook(
      BASE,
      to,
      applied(BASE, HARNESS, other("Both.")),
    );
    expect(ids.get("context-00003")).toBe("context-00004");
    expect(Object.keys(skillbook.skills)).toHaveLength(4);
    expect(dropped).toEqual([expect.stringContaining("context-00004 says the same already")]);
  });

  it("of a strategy that both changed, each side's own fields stay", () => {
    const mine = applied(BASE, { type: "UPDATE", skill_id: ID, issue: "Mine." });
    const theirs = { insight: "Theirs.", keywords: ["theirs"] };
    const onto = applied(BASE, { type: "UPDATE", skill_id: ID, issue: ADD.issue, ...theirs });
    const { skillbook, dropped } = rebaseSkillbook(BASE, mine, onto);
    expect(strategyOf(skillbook, ID)).toMatchObject({ issue: "Mine.", ...theirs });
    expect(dropped).toEqual([]);
    const back = rebaseSkillbook(BASE, onto, mine);
    expect(strategyOf(back.skillbook, ID)).toMatchObject({ issue: "Mine.", ...theirs });
  });

  it("of a field that both changed, what is proposed is taken, and what it takes the place of is named", () => {
    const update = (insight: string) => ({
      type: "UPDATE",
      skill_id: ID,
      issue: ADD.issue,
      insight,
    });
    const to = applied(BASE, update("Mine."));
    const { skillbook, dropped } = rebaseSkillbook(BASE, to, applied(BASE, update("Theirs.")));
    expect(strategyOf(skillbook, ID)?.insight).toBe("Mine.");
    expect(dropped).toEqual([
      `UPDATE ${ID}: both changed its insight; what is proposed takes the place of "Theirs."`,
    ]);
    expect(rebaseSkillbook(BASE, to, to)).toMatchObject({ skillbook: to, dropped: [] });
  });

  it("a strategy that both learned has the marks, sources and reasons of both", () => {
    const from = (id: string) => ({ reason: `Said by ${id}.`, insight_source: source(id) });
    const both = other("Both.");
    const to = applied(
      BASE,
      { ...both, ...from("s1") },
      { ...tag(-1, "context-00003"), ...from("s1") },
    );
    const theirs = [both, tag(-1, "context-00003")].map((each) => ({ ...each, ...from("s2") }));
    const onto = applied(BASE, ...theirs);
    const { skillbook } = rebaseSkillbook(BASE, to, onto);
    const strategy = strategyOf(skillbook, "context-00003");
    expect(Object.keys(skillbook.skills)).toHaveLength(3);
    expect(strategy).toMatchObject({ harmful_count: 2, helpful_count: 0 });
    expect(strategy?.occurrences.map((each) => [each["trace_id"], each["relation"]])).toEqual([
      ["s2", "seed"],
      ["s1", "supporting"],
    ]);
    expect(strategy?.reasons?.map(({ type, reason }) => `${type} ${reason}`)).toEqual([
      "ADD Said by s2.",
      "TAG Said by s2.",
      "ADD Said by s1.",
      "TAG Said by s1.",
    ]);
  });

  it("a strategy of the proposal that the base has already counts once", () => {
    const at = "2026-01-01T00:00:00.000Z";
    const made = apply(BASE, [other("Merged."), tag(1, "context-00003")], { at });
    if (!made.ok) throw new Error(JSON.stringify(made.problems));
    const onto = applied(made.skillbook, other("Later."));
    const { skillbook } = rebaseSkillbook(BASE, made.skillbook, onto);
    expect(skillbook).toEqual(onto);
  });

  it("a source that came with nothing else is carried too", () => {
    const update = { type: "UPDATE", skill_id: ID, issue: ADD.issue, insight_source: source("s1") };
    const onto = applied(BASE, { type: "UPDATE", skill_id: ID, issue: "Theirs." });
    const strategy = strategyOf(rebaseSkillbook(BASE, applied(BASE, update), onto).skillbook, ID);
    expect(strategy).toMatchObject({ issue: "Theirs.", occurrences: [source("s1")] });
  });

  it("a source that came with an unchanged text is carried beside a mark with one of its own", () => {
    const update = { type: "UPDATE", skill_id: ID, issue: ADD.issue, insight_source: source("s2") };
    const to = applied(
      BASE,
      { ...tag(1), reason: "It was seen.", insight_source: source("s1") },
      update,
    );
    const { skillbook } = rebaseSkillbook(BASE, to, BASE);
    expect(strategyOf(skillbook, ID)?.occurrences).toEqual(strategyOf(to, ID)?.occurrences);
  });

  it("an id of somebody's own is kept where it is free", () => {
    const to = applied(BASE, { ...other("Mine."), skill_id: "own" });
    expect(rebaseSkillbook(BASE, to, BASE).ids.get("own")).toBe("own");
    const taken = applied(BASE, { ...other("Theirs."), skill_id: "own" });
    expect(rebaseSkillbook(BASE, to, taken).ids.get("own")).toBe("context-00003");
  });
});

/** A Skillbook with something to change from both sides, and something that one side may remove. */
const MINE_TO_REMOVE = "context-00003";
const THEIRS_TO_REMOVE = "context-00004";
const START = applied(BASE, other("Mine to remove."), other("Theirs to remove."));

const traces = fc.constantFrom("s1", "s2", "s3").map(source);
const from = fc.record(
  { reason: fc.constantFrom("It was seen.", "It was said."), insight_source: traces },
  { requiredKeys: [] },
);
const text = fc.constantFrom("One.", "Two.", "Three.");

/** What one side does: marks and additions like the other's, and changes of what is its own to change. */
function changesOf(fields: fc.Arbitrary<object>, removed: string): fc.Arbitrary<readonly object[]> {
  const kinds = fc.oneof(
    text.map(other),
    fc.constantFrom(tag(1), tag(-1), tag(0), tag(1, "harness-00002"), tag(1, "release-flow")),
    fields.map((own) => ({ type: "UPDATE", skill_id: ID, ...own })),
  );
  const operations = fc.array(
    fc.tuple(kinds, from).map(([kind, whence]) => ({ ...kind, ...whence })),
    { maxLength: 8 },
  );
  return fc.tuple(operations, fc.boolean(), from).map(([list, isRemoving, whence]) => {
    const remove = { type: "REMOVE", skill_id: removed, ...whence };
    return isRemoving ? [...list, remove] : list;
  });
}
const mine = changesOf(
  // Never what an addition says: whether the two are twins would depend on the order.
  text.map((issue) => ({ issue: `Better: ${issue}` })),
  MINE_TO_REMOVE,
);
/** An UPDATE names an issue; this side says the one that is there. */
const theirs = changesOf(
  fc.record(
    {
      issue: fc.constant(ADD.issue),
      insight: text,
      keywords: text.map((each) => [each.toLowerCase()]),
    },
    { requiredKeys: ["issue"] },
  ),
  THEIRS_TO_REMOVE,
);

/** Marks on what a batch adds, which has the numbers behind START's. */
const withMarks = (side: fc.Arbitrary<readonly object[]>) =>
  fc.tuple(side, fc.array(fc.constantFrom(1, -1, 0), { maxLength: 3 })).map(([list, deltas]) => {
    const adds = list.filter((each) => "type" in each && each.type === "ADD").length;
    const marks = adds === 0 ? [] : deltas.map((delta) => tag(delta, "context-00005"));
    return [...list, ...marks];
  });

/** All that a Skillbook says of each strategy and skill, without ids and order; twins are one. */
function contents(book: Skillbook): object[] {
  const told = new Map<string, Told>();
  const strategies = Object.values(book.skills).map(
    ({ id: _, section, keywords, issue, insight, active, removed_reason, ...rest }) =>
      [
        JSON.stringify({ section, keywords, issue, insight, active, removed_reason }),
        rest,
      ] as const,
  );
  const skills = Object.entries(book.skill_tags ?? {});
  for (const [says, each] of [...strategies, ...skills]) {
    const known = told.get(says) ?? { marks: [0, 0, 0], sources: new Set(), reasons: new Set() };
    const counts = [each.helpful_count, each.harmful_count, each.neutral_count];
    const traces = each.occurrences.map(({ trace_id: id }) => id);
    const reasons = (each.reasons ?? []).map((reason) => JSON.stringify(reason));
    told.set(says, {
      marks: known.marks.map((mark, at) => mark + (counts[at] ?? 0)),
      sources: new Set([...known.sources, ...traces]),
      reasons: new Set([...known.reasons, ...reasons]),
    });
  }
  const byText = [...told].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return byText.map(([says, { marks, sources, reasons }]) => ({
    says,
    marks,
    sources: [...sources].toSorted(),
    reasons: [...reasons].toSorted(),
  }));
}
interface Told {
  readonly marks: readonly number[];
  readonly sources: ReadonlySet<unknown>;
  readonly reasons: ReadonlySet<string>;
}

describe("whatever was done", () => {
  it("on the base itself it gives what it gave: texts, marks, sources, reasons", () => {
    fc.assert(
      fc.property(fc.oneof(withMarks(mine), withMarks(theirs)), (operations) => {
        const to = applied(START, ...operations);
        const { skillbook } = rebaseSkillbook(START, to, START);
        expect(contents(skillbook)).toEqual(contents(to));
      }),
    );
  });

  it("two batches in either order, ids given again, give the same Skillbook", () => {
    fc.assert(
      fc.property(withMarks(mine), withMarks(theirs), (one, two) => {
        const [first, second] = [applied(START, ...one), applied(START, ...two)];
        const there = rebaseSkillbook(START, second, first).skillbook;
        const back = rebaseSkillbook(START, first, second).skillbook;
        expect(contents(there)).toEqual(contents(back));
        for (const book of [there, back]) {
          const listed = [...book.sections.context, ...book.sections.harness];
          expect(listed.toSorted()).toEqual(Object.keys(book.skills).toSorted());
        }
      }),
    );
  });

  it("and what both did is all there: each mark, each source, each side's own fields", () => {
    fc.assert(
      fc.property(withMarks(mine), withMarks(theirs), (one, two) => {
        const [first, second] = [applied(START, ...one), applied(START, ...two)];
        const { skillbook } = rebaseSkillbook(START, first, second);
        const [a, b, both] = [first, second, skillbook].map((book) => totals(book));
        expect(both?.marks).toEqual((a?.marks ?? []).map((mark, at) => mark + (b?.marks[at] ?? 0)));
        expect(both?.sources).toEqual(
          [...new Set([...(a?.sources ?? []), ...(b?.sources ?? [])])].toSorted(),
        );
        const strategies = [first, second, skillbook].map((book) => strategyOf(book, ID));
        expect(strategies[2]?.issue).toBe(strategies[0]?.issue);
        expect(strategies[2]?.insight).toBe(strategies[1]?.insight);
        expect(strategies[2]?.keywords).toEqual(strategies[1]?.keywords);
        expect(strategyOf(skillbook, MINE_TO_REMOVE)?.active).toBe(
          strategyOf(first, MINE_TO_REMOVE)?.active,
        );
        expect(strategyOf(skillbook, THEIRS_TO_REMOVE)?.active).toBe(
          strategyOf(second, THEIRS_TO_REMOVE)?.active,
        );
      }),
    );
  });
});

/** All marks and all traces; START has none. */
function totals(book: Skillbook) {
  const all = [...Object.values(book.skills), ...Object.values(book.skill_tags ?? {})];
  const marks = (["helpful_count", "harmful_count", "neutral_count"] as const).map((count) =>
    all.reduce((sum, each) => sum + each[count], 0),
  );
  const traces = all.flatMap((each) => each.occurrences.map(({ trace_id: id }) => String(id)));
  return { marks, sources: [...new Set(traces)].toSorted() };
}

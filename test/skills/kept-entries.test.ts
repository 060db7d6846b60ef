/** What a strategy keeps of where it was seen and why: a bounded list, however many sessions mark it. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  MARK_REASON_MAX_BYTES,
  MARK_SOURCE_MAX_BYTES,
  SKILLBOOK_FILE_MAX_BYTES,
  STRATEGY_REASONS_MAX,
  STRATEGY_SOURCES_MAX,
  STRATEGY_TEXT_MAX_CHARS,
} from "../../src/core/limits.ts";
import { jsonBytes } from "../../src/core/text.ts";
import { importSkillbook } from "../../src/skills/import-skillbook.ts";
import { withMarks } from "../../src/skills/join-marks.ts";
import { mergeImported } from "../../src/skills/merge-import.ts";
import type { TagOperation } from "../../src/skills/operation.ts";
import { rebaseSkillbook } from "../../src/skills/rebase-skillbook.ts";
import { tagsOf } from "../../src/skills/skill-tags.ts";
import {
  EMPTY_SKILLBOOK,
  type Occurrence,
  parseSkillbook,
  renderSkillbook,
  type Skillbook,
  strategyOf,
} from "../../src/skills/skillbook.ts";
import { skillbookStats } from "../../src/skills/skillbook-stats.ts";
import { whatIsLost } from "../../src/verify/skillbook-changes.ts";
import { ADD, applied, apply, bookOf, ID, tag } from "./skillbook-samples.ts";

const N = STRATEGY_SOURCES_MAX;
const source = (id: string, relation = "supporting"): Occurrence => ({
  trace_uid: `test:${id}`,
  source_system: "test",
  trace_id: id,
  display_name: id,
  relation,
});
const named = (occurrences: readonly Occurrence[] | undefined) =>
  (occurrences ?? []).map((each) => String(each["trace_id"]));
const marksFrom = (from: number, to: number, id = ID) =>
  Array.from({ length: to - from }, (_, at) => ({
    ...tag(1, id),
    insight_source: source(`s${from + at}`),
  }));
const names = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => `s${from + at}`);

const BASE = applied(EMPTY_SKILLBOOK, { ...ADD, insight_source: source("first", "seed") });
const sourcesOf = (book: Skillbook, id = ID) =>
  named((strategyOf(book, id) ?? tagsOf(book, id))?.occurrences);
const losses = (before: Skillbook, after: Skillbook) => [...whatIsLost(before, after)];
const withSources = (book: Skillbook, occurrences: readonly Occurrence[]): Skillbook => ({
  ...book,
  skills: { ...book.skills, [ID]: { ...strategyOf(book, ID), occurrences } as never },
});

describe("the sources of a strategy are bounded", () => {
  it("the seed and the newest stay, and the counts go on", () => {
    const book = applied(BASE, ...marksFrom(0, 50));
    expect(sourcesOf(book)).toEqual(["first", ...names(50 - (N - 1), 50)]);
    expect(strategyOf(book, ID)?.helpful_count).toBe(50);
    expect(skillbookStats(book).marks[0]).toMatchObject({ sources: N, isSourcesFull: true });
    expect(skillbookStats(BASE).marks[0]).toMatchObject({ sources: 1, isSourcesFull: false });
  });

  it("of a skill's marks too", () => {
    const book = applied(BASE, ...marksFrom(0, 50, "release-flow"));
    expect(sourcesOf(book, "release-flow")).toEqual(names(50 - N, 50));
  });

  it("one batch that brings more of them", () => {
    const all = [source("first", "seed"), ...names(0, 50).map((id) => source(id))];
    const book = applied(EMPTY_SKILLBOOK, { ...ADD, insight_source: all });
    expect(sourcesOf(book)).toEqual(["first", ...names(50 - (N - 1), 50)]);
  });

  it("marks that waited", () => {
    const marks = marksFrom(0, 50) as unknown as TagOperation[];
    const { skillbook } = withMarks(BASE, [{ operations: marks }], new Set());
    expect(sourcesOf(skillbook)).toEqual(["first", ...names(50 - (N - 1), 50)]);
  });

  it("the same changes on a base that moved", () => {
    const to = applied(BASE, ...marksFrom(0, 15));
    const onto = applied(BASE, ...marksFrom(100, 115));
    const { skillbook } = rebaseSkillbook(BASE, to, onto);
    expect(sourcesOf(skillbook)).toEqual(["first", ...names(111, 115), ...names(0, 15)]);
    expect(strategyOf(skillbook, ID)?.helpful_count).toBe(30);
    expect(losses(onto, skillbook)).toEqual([]);
  });

  it("a strategy that both learned", () => {
    const learned = (from: number) =>
      applied(
        EMPTY_SKILLBOOK,
        { ...ADD, insight_source: source(`seed${from}`, "seed") },
        ...marksFrom(from, from + 15),
      );
    const { skillbook } = rebaseSkillbook(EMPTY_SKILLBOOK, learned(0), learned(100));
    expect(sourcesOf(skillbook)).toHaveLength(N);
    expect(sourcesOf(skillbook)[0]).toBe("seed100");
    expect(sourcesOf(skillbook).slice(-15)).toEqual(names(0, 15));
  });

  it("a file of ACE's, also under a strategy that is here", () => {
    const long = withSources(BASE, [
      source("first", "seed"),
      ...names(0, 50).map((id) => source(id)),
    ]);
    const read = importSkillbook(renderSkillbook(long));
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    expect(sourcesOf(read.skillbook)).toEqual(["first", ...names(50 - (N - 1), 50)]);
    expect(read.mapped.join()).toContain(`the first and the newest are kept: ${N}`);
    const known = { skills: new Set<string>(), history: [] };
    const here = applied(BASE, ...marksFrom(100, 115));
    const merged = mergeImported(long, here, known).skillbook;
    expect(sourcesOf(merged)).toHaveLength(N);
    expect(losses(here, merged)).toEqual([]);
  });

  it("a file that has more stays readable, and nothing is cut where nothing is added", () => {
    const long = withSources(
      BASE,
      names(0, 50).map((id) => source(id)),
    );
    const parsed = parseSkillbook(renderSkillbook(long));
    expect(parsed).toMatchObject({ ok: true, skillbook: long });
    const again = applied(long, { ...tag(1), insight_source: source("s3") }, tag(-1));
    expect(sourcesOf(again)).toEqual(names(0, 50));
    const more = applied(long, { ...tag(1), insight_source: source("s50") });
    expect(sourcesOf(more)).toEqual(names(51 - N, 51));
    expect(losses(long, more)).toEqual([]);
  });

  it("an older state of the same strategy brings nothing back that left", () => {
    const at = { at: "2026-01-01T00:00:00.000Z" };
    const made = apply(EMPTY_SKILLBOOK, [{ ...ADD, insight_source: source("first", "seed") }], at);
    if (!made.ok) throw new Error("it applies");
    const older = applied(made.skillbook, ...marksFrom(0, 25));
    const now = applied(older, ...marksFrom(25, 40));
    const later = applied(older, ...marksFrom(25, 100));
    const known = { skills: new Set<string>(), history: [] };
    for (const here of [now, later]) {
      const merged = mergeImported(older, here, known);
      expect(sourcesOf(merged.skillbook)).toEqual(sourcesOf(here));
      expect(merged.notes).toEqual(["1 strategy is here already"]);
      expect(sourcesOf(mergeImported(here, older, known).skillbook)).toEqual(sourcesOf(here));
    }
  });
});

describe("what the verifier lets go of sources", () => {
  const full = applied(BASE, ...marksFrom(0, N - 1));
  const list = strategyOf(full, ID)?.occurrences ?? [];
  const grown = applied(full, ...marksFrom(100, 103));
  const now = strategyOf(grown, ID)?.occurrences ?? [];
  const edited = (change: (sources: Occurrence[]) => Occurrence[]) =>
    withSources(grown, change([...now]));

  it("the oldest that left a full list", () => {
    expect(losses(full, grown)).toEqual([]);
    expect(losses(full, applied(full, ...marksFrom(100, 200)))).toEqual([]);
  });

  it("what left and came again, because its session went on", () => {
    const again = applied(full, ...marksFrom(100, 103), ...marksFrom(0, 2));
    expect(sourcesOf(again).slice(-2)).toEqual(["s0", "s1"]);
    expect(losses(full, again)).toEqual([]);
    const alone = applied(full, ...marksFrom(100, 150), ...marksFrom(0, 1), ...marksFrom(150, 155));
    expect(losses(full, alone)).toEqual([]);
  });

  it.each<[string, Skillbook, Skillbook]>([
    ["the seed", full, edited(([, ...rest]) => [...rest, source("new")])],
    [
      "the seed's rank",
      full,
      edited(([seed, ...rest]) => [{ ...seed, relation: "supporting" }, ...rest]),
    ],
    ["a source of a list that is not full", full, edited((all) => all.filter((_, at) => at !== 1))],
    ["one that nothing came for", full, withSources(full, list.slice(0, -1))],
    [
      "a newer one instead of an older",
      full,
      edited(([seed, ...rest]) => [seed as Occurrence, ...list.slice(1, 2), ...rest.slice(1)]),
    ],
    [
      "the newest instead of the oldest",
      full,
      withSources(full, [...list.slice(0, -1), source("new")]),
    ],
    ["one of a short list", applied(BASE, ...marksFrom(0, 3)), BASE],
    [
      "what a longer list had, for nothing",
      withSources(
        BASE,
        names(0, 50).map((id) => source(id)),
      ),
      withSources(
        BASE,
        names(50 - N, 50).map((id) => source(id)),
      ),
    ],
  ])("not %s", (_name, before, after) => {
    expect(losses(before, after)).toContain(`A source of \`${ID}\` is gone.`);
  });

  it("marks of different kinds with reasons, made again on another base: against what they were made on too", () => {
    const said = (delta: number, id: string) => ({
      ...tag(delta),
      reason: `Said by ${id}.`,
      insight_source: source(id),
    });
    const tip = applied(full, said(-1, "a1"), said(1, "a2"), said(0, "a3"), said(1, "a4"));
    const onto = applied(full, said(1, "b1"));
    const { skillbook } = rebaseSkillbook(full, tip, onto);
    expect(sourcesOf(skillbook).slice(-5)).toEqual(["b1", "a1", "a2", "a3", "a4"]);
    for (const before of [full, onto, tip]) expect(losses(before, skillbook)).toEqual([]);
  });

  it("whatever sessions mark, new ones and those that go on", () => {
    // How many sessions ago the one that is marked began; 0: it is new.
    const batch = fc.array(fc.oneof(fc.constant(0), fc.nat(N / 2)), { maxLength: 40 });
    fc.assert(
      fc.property(batch, batch, batch, (earlier, one, two) => {
        const marked = (book: Skillbook, ages: readonly number[], side: string) => {
          const sessions: string[] = [];
          const marks = ages.map((age) => {
            const known = sessions.at(-age);
            if (age === 0 || known === undefined) sessions.push(`${side}${sessions.length}`);
            const id = age === 0 ? sessions.at(-1) : (known ?? sessions.at(-1));
            return { ...tag(1), insight_source: source(String(id)) };
          });
          return applied(book, ...marks);
        };
        const start = marked(BASE, earlier, "s");
        const [first, second] = [marked(start, one, "a"), marked(start, two, "b")];
        const both = rebaseSkillbook(start, first, second).skillbook;
        const steps = [BASE, start, second, both];
        for (const [at, after] of steps.entries())
          for (const before of steps.slice(0, at)) expect(losses(before, after)).toEqual([]);
        expect(losses(start, first)).toEqual([]);
        for (const book of [start, first, second, both]) {
          expect(sourcesOf(book).length).toBeLessThanOrEqual(N);
          expect(sourcesOf(book)[0]).toBe("first");
          expect(new Set(sourcesOf(book)).size).toBe(sourcesOf(book).length);
        }
      }),
    );
  });
});

describe("what the verifier lets go of reasons", () => {
  const said = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => ({ ...tag(1), reason: `No. ${from + at}` }));
  const full = applied(BASE, ...said(0, STRATEGY_REASONS_MAX));
  const withReasons = (reasons: readonly unknown[] | undefined): Skillbook => ({
    ...full,
    skills: { ...full.skills, [ID]: { ...strategyOf(full, ID), reasons } as never },
  });
  const list = strategyOf(full, ID)?.reasons ?? [];
  const fresh = { type: "TAG", delta: 1, reason: "New." };

  it("the oldest that left a full list, also when several say the same", () => {
    expect(losses(full, applied(full, ...said(50, 53)))).toEqual([]);
    expect(losses(full, applied(full, ...said(50, 150)))).toEqual([]);
    const same = applied(BASE, ...Array.from({ length: 15 }, () => said(0, 1)[0] ?? {}));
    expect(losses(same, applied(same, ...said(0, 10)))).toEqual([]);
    expect(losses(same, applied(same, ...said(0, 1), ...said(0, 1)))).toEqual([]);
  });

  it.each<[string, readonly unknown[]]>([
    ["all of them", []],
    ["the oldest, for nothing", list.slice(1)],
    ["the newest", [...list.slice(0, -1), fresh]],
    ["one between", [...list.slice(0, 5), ...list.slice(6), fresh]],
    ["most of them, for one", [fresh]],
  ])("not %s", (_name, reasons) => {
    expect(losses(full, withReasons(reasons))).toEqual([`A reason of \`${ID}\` is gone.`]);
  });

  it("somebody else's field of that name is not ours to count", () => {
    const theirs = withReasons("theirs" as never);
    expect(losses(theirs, theirs)).toEqual([]);
  });

  it("whatever is said on both sides", () => {
    const words = fc.array(fc.nat(30), { maxLength: 25 });
    fc.assert(
      fc.property(words, words, words, (earlier, one, two) => {
        const say = (book: Skillbook, list: readonly number[], side: string) =>
          applied(book, ...list.map((at) => ({ ...tag(1), reason: `${side}${at}` })));
        const start = say(BASE, earlier, "s");
        const [first, second] = [say(start, one, "a"), say(start, two, "b")];
        const both = rebaseSkillbook(start, first, second).skillbook;
        for (const [before, after] of [
          [start, first],
          [second, both],
          [start, both],
        ] as const)
          expect(losses(before, after)).toEqual([]);
      }),
    );
  });
});

describe("what marks alone make of the file", () => {
  const STRATEGIES = 100;
  const book = bookOf(STRATEGIES);
  const ids = Object.keys(book.skills);

  it("a long source of a mark is kept by its names, a long reason by its beginning", () => {
    const long = { ...source("s1"), learning_text: "x".repeat(5000) };
    const mark = { ...tag(1), reason: "ü".repeat(STRATEGY_TEXT_MAX_CHARS), insight_source: long };
    const [kept] = [strategyOf(applied(BASE, mark), ID)];
    expect(kept?.occurrences.at(-1)).toEqual(source("s1"));
    const reason = kept?.reasons?.at(-1)?.reason ?? "";
    expect(jsonBytes(reason)).toBeLessThanOrEqual(MARK_REASON_MAX_BYTES);
    expect(reason).toMatch(/^ü+…$/);
    const endless = { ...tag(1), insight_source: source("s".repeat(250)) };
    const last = strategyOf(applied(BASE, endless), ID)?.occurrences.at(-1);
    expect(last).toEqual({ trace_uid: `test:${"s".repeat(250)}`, relation: "supporting" });
    expect(Buffer.byteLength(JSON.stringify(last))).toBeLessThanOrEqual(MARK_SOURCE_MAX_BYTES);
    expect(sourcesOf(applied(BASE, endless, endless))).toHaveLength(2);
    const absurd = { ...tag(1), insight_source: source("s".repeat(5000)), reason: "It helped." };
    const twice = strategyOf(applied(BASE, absurd, absurd), ID);
    expect(twice?.occurrences).toHaveLength(2);
    expect(twice?.reasons?.[0]?.from).toBe(twice?.occurrences[1]?.["trace_uid"]);
    expect(String(twice?.reasons?.[0]?.from)).toMatch(/^legacy:[0-9a-f]{64}$/);
  });

  it("any number of them keep it below its limit", () => {
    const character = fc.constantFrom("a", "ß", "漢", "😀", '"', "\\");
    const spoken = fc.tuple(character, fc.integer({ min: 1, max: STRATEGY_TEXT_MAX_CHARS / 2 }));
    const session = fc.record({
      id: fc.integer({ min: 1, max: 300 }),
      reason: spoken.map(([each, times]) => each.repeat(times)),
      delta: fc.constantFrom(1, -1, 0),
    });
    fc.assert(
      fc.property(fc.array(session, { minLength: 1, maxLength: 60 }), (sessions) => {
        let marked = book;
        for (const [at, { id, reason, delta }] of sessions.entries()) {
          const from = { insight_source: source(`${"s".repeat(id)}${at}`), reason };
          marked = applied(marked, ...ids.map((each) => ({ ...tag(delta, each), ...from })));
        }
        const bytes = Buffer.byteLength(renderSkillbook(marked));
        expect(bytes).toBeLessThan(SKILLBOOK_FILE_MAX_BYTES);
      }),
      { numRuns: 15 },
    );
  });

  it("at its worst", () => {
    let marked = book;
    for (let at = 0; at < 2 * STRATEGY_REASONS_MAX; at++) {
      const from = {
        insight_source: source(`${"s".repeat(289)}${100 + at}`),
        reason: '"'.repeat(1500),
      };
      marked = applied(marked, ...ids.map((each) => ({ ...tag(-1, each), ...from })));
    }
    expect(Buffer.byteLength(renderSkillbook(marked))).toBeLessThan(SKILLBOOK_FILE_MAX_BYTES);
  });
});

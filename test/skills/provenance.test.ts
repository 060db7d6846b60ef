import { describe, expect, it } from "vitest";
import { normalSource, withSources } from "../../src/skills/occurrences.ts";
import type { Operation, UpdateBatch } from "../../src/skills/operation.ts";
import {
  type ReflectedRun,
  withNormalSources,
  withProvenance,
} from "../../src/skills/provenance.ts";
import { ADD } from "./skillbook-samples.ts";

const TASKS = [0, 1].map((n) => ({ source_system: "rr-batch", trace_id: `task-${n}` }));
const TWO: ReflectedRun = { traces: TASKS, reflections: [{}, {}] };
const ONE: ReflectedRun = { traces: TASKS.slice(0, 1), reflections: [{}] };

function resolved(fields: object, run: ReflectedRun) {
  const operation = { ...ADD, ...fields } as unknown as Operation;
  const { batch, warnings } = withProvenance({ reasoning: "", operations: [operation] }, run);
  const source = batch.operations[0]?.insight_source ?? [];
  return { sources: Array.isArray(source) ? source : [source], warnings };
}

const uids = (fields: object, run: ReflectedRun) =>
  resolved(fields, run).sources.map(({ trace_uid }) => trace_uid);

describe("provenance (B of the truth tables)", () => {
  it("B1: a source of the operation's own stays", () => {
    const insight_source = { trace_id: "mine" };
    expect(resolved({ insight_source, reflection_index: 1 }, TWO).sources).toEqual([
      insight_source,
    ]);
  });

  it("B2: without an index, the only reflection counts", () => {
    expect(uids({}, ONE)).toEqual(["rr-batch:task-0"]);
  });

  it.each<[string, object, ReflectedRun, string[]]>([
    [
      "the first valid of the indices",
      { reflection_index: 7, reflection_indices: [9, 1] },
      TWO,
      ["rr-batch:task-1"],
    ],
    ["else the only reflection", { reflection_index: 7 }, ONE, ["rr-batch:task-0"]],
    [
      "else the only one with such a learning",
      { reflection_index: 7, learning_index: 2 },
      { traces: TASKS, reflections: [{ learnings: 1 }, { learnings: 3 }] },
      ["rr-batch:task-1"],
    ],
    [
      "none when several have it",
      { learning_index: 0 },
      { traces: TASKS, reflections: [{ learnings: 1 }, { learnings: 3 }] },
      [],
    ],
    ["else none", { reflection_index: -1 }, TWO, []],
  ])("B3: out of range: %s", (_, fields, run, expected) => {
    expect(uids(fields, run)).toEqual(expected);
  });

  it("B4: several reflections give several sources, seed first", () => {
    const { sources } = resolved({ reflection_indices: [0, 1] }, TWO);
    expect(sources.map(({ trace_uid, relation }) => [trace_uid, relation])).toEqual([
      ["rr-batch:task-0", "seed"],
      ["rr-batch:task-1", "supporting"],
    ]);
  });

  it("the primary comes first, and stands once", () => {
    const fields = { reflection_index: 1, reflection_indices: [0, 1] };
    expect(uids(fields, TWO)).toEqual(["rr-batch:task-1", "rr-batch:task-0"]);
  });

  it("B5: what the evidence mentions decides nothing", () => {
    const fields = { reflection_index: 0, reason: "seen in task-0 and task-1" };
    expect(uids(fields, TWO)).toEqual(["rr-batch:task-0"]);
  });

  it.each(["trace_id", "sample_id", "item_id", "task_id", "id"])(
    "B6: a reflection is matched to its trace by %s",
    (field) => {
      const run = {
        traces: [{ [field]: "a" }, { [field]: "b" }],
        reflections: [{ item_id: "b" }, { item_id: "a" }],
      };
      expect(uids({ reflection_index: 0 }, run)).toEqual(["legacy:b"]);
    },
  );

  it("B7: where no trace can be told, the parent's is named; without one, none", () => {
    const parent = { source_system: "ci", trace_id: "run-7" };
    const lost = { traces: TASKS, reflections: [{ item_id: "gone" }] };
    expect(uids({}, { ...lost, parent })).toEqual(["ci:run-7"]);
    expect(uids({}, lost)).toEqual([]);
  });

  it("B9: the batch that was given stays as it was", () => {
    const batch = { reasoning: "", operations: [ADD as unknown as Operation] };
    const before = structuredClone(batch);
    const { batch: other } = withProvenance(batch, ONE);
    expect(batch).toEqual(before);
    expect(other).not.toBe(batch);
  });

  it("B10: repeats go silently, what is out of range with a warning", () => {
    const { sources, warnings } = resolved({ reflection_indices: [1, 1, 5, 0] }, TWO);
    expect(sources.map(({ trace_id }) => trace_id)).toEqual(["task-1", "task-0"]);
    expect(warnings).toEqual(["operation 0: there is no reflection 5, so it is left out"]);
  });

  it("two reflections on one trace give one source", () => {
    const run = { traces: TASKS, reflections: [{ item_id: "task-0" }, { item_id: "task-0" }] };
    expect(uids({ reflection_indices: [0, 1] }, run)).toEqual(["rr-batch:task-0"]);
  });

  it.each<[string, object, object]>([
    [
      "B8",
      { source_system: "qwen-code", trace_id: "s1" },
      { trace_uid: "qwen-code:s1", source_system: "qwen-code", trace_id: "s1", display_name: "s1" },
    ],
    [
      "B11",
      { sample_id: "s1" },
      { trace_uid: "legacy:s1", source_system: "legacy", trace_id: "s1", display_name: "s1" },
    ],
    [
      "B12",
      { trace_uid: "sys:abc:d" },
      { trace_uid: "sys:abc:d", source_system: "sys", trace_id: "abc:d", display_name: "abc:d" },
    ],
  ])("%s: a record gets the four fields that name its trace", (_, raw, expected) => {
    expect(normalSource(raw as Record<string, unknown>)).toEqual(expected);
  });

  const named = (trace_uid: string, source_system: string, trace_id: string, name: string) => {
    return { trace_uid, source_system, trace_id, display_name: name };
  };
  it.each<[object, object]>([
    [{ trace_id: " t " }, named("legacy:t", "legacy", "t", "t")],
    [{ trace_uid: " sys:a " }, named("sys:a", "sys", "a", "a")],
    [{ source_system: " s ", trace_id: "t" }, named("s:t", "s", "t", "t")],
    [{ trace_id: "t", display_name: " D " }, named("legacy:t", "legacy", "t", "D")],
    [{ sample_id: 42 }, named("legacy:42", "legacy", "42", "42")],
    [{ trace_id: "T", sample_id: "S" }, named("legacy:T", "legacy", "T", "S")],
    [{ trace_uid: "sys:a", task_id: "S" }, named("sys:a", "sys", "a", "S")],
    [{ trace_uid: ":x" }, named(":x", "local", "x", "x")],
    [{ trace_uid: "sys:" }, { trace_uid: "sys:", source_system: "sys", trace_id: "" }],
    [{ trace_uid: "sys:", id: "S" }, named("sys:", "sys", "", "S")],
    [{ trace_uid: "bare" }, named("bare", "legacy", "bare", "bare")],
  ])("%j is named as ACE names it", (raw, expected) => {
    const source = normalSource(raw as Record<string, unknown>);
    expect(source).toEqual(expected);
    expect(normalSource(source)).toEqual(source);
  });

  it("a source that was written with blanks around and saved by ACE stands once", () => {
    const known = [{ trace_uid: " sys:a ", relation: "seed" }];
    const saved = { trace_uid: "sys:a", source_system: "sys", trace_id: "a", relation: "seed" };
    expect(withSources(known, saved)).toEqual(known);
  });

  it("what names nothing has the name that ACE gives it", () => {
    const name = "682cdb4e5687cc20254521dc37d7030c533e4e0dc7445e450876f6b9565d9189";
    expect(normalSource({ note: "nameless" })["trace_id"]).toBe(name);
  });

  it("B13: what names nothing is named by its content", () => {
    const one = normalSource({ epoch: 1, note: "x" });
    expect(one["trace_id"]).toMatch(/^[0-9a-f]{64}$/);
    expect(normalSource({ note: "x", epoch: 1 })["trace_id"]).toBe(one["trace_id"]);
    expect(normalSource({ note: "y" })["trace_id"]).not.toBe(one["trace_id"]);
  });
});

describe("sources that operations bring themselves", () => {
  const batch = (insight_source: object) => ({
    reasoning: "",
    operations: [{ type: "TAG", skill_id: "a", metadata: { delta: 1 }, insight_source }],
  });
  const normal = (insight_source: object) =>
    withNormalSources(batch(insight_source) as unknown as UpdateBatch);

  it("get the form of those of reflections: one a trace, the first the seed", () => {
    const { batch: made, warnings } = normal([
      { trace_uid: "qwen-code:s1", note: "kept" },
      { source_system: "qwen-code", trace_id: "s1", relation: "seed" },
      { trace_uid: "qwen-code:s2", relation: "seed" },
    ]);
    expect(made.operations[0]?.insight_source).toEqual([
      {
        trace_uid: "qwen-code:s1",
        source_system: "qwen-code",
        trace_id: "s1",
        display_name: "s1",
        note: "kept",
        relation: "seed",
      },
      expect.objectContaining({ trace_id: "s2", relation: "supporting" }),
    ]);
    expect(warnings).toEqual([]);
  });

  it("one that says nothing is left out, and that is said", () => {
    for (const empty of [{}, [{}]]) {
      const { batch: made, warnings } = normal(empty);
      expect(made.operations[0]).not.toHaveProperty("insight_source");
      expect(warnings).toEqual(["operation 0: an insight_source that says nothing is left out"]);
    }
  });
});

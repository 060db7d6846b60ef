/**
 * From the numbers of reflections in an UpdateBatch to the traces that each operation comes from. Pure:
 * the batch that is given stays as it is.
 */
import { normalSource, traceIdOf } from "./occurrences.ts";
import type { Operation, UpdateBatch } from "./operation.ts";
import type { Occurrence } from "./skillbook.ts";

export interface ReflectedRun {
  /** The traces that were reflected on, in order; a session's trace id is its id. */
  readonly traces: readonly Occurrence[];
  readonly reflections: readonly Reflected[];
  /** What the traces belong to; named where none of them can be told. */
  readonly parent?: Occurrence;
}

/** One reflection, as far as its origin goes. */
export interface Reflected {
  /** The trace it is about, by any of its names; without it, the trace of the same number. */
  readonly item_id?: string;
  /** How many learnings it lists. */
  readonly learnings?: number;
}

/**
 * Gives each operation its `insight_source`: one source a trace, the primary reflection's first (`seed`),
 * the others `supporting`. What an operation brings itself stays.
 * @returns a new batch; a sentence for each index that is no reflection
 */
export function withProvenance(
  batch: UpdateBatch,
  run: ReflectedRun,
): { readonly batch: UpdateBatch; readonly warnings: readonly string[] } {
  const warnings: string[] = [];
  const operations = batch.operations.map((operation, index): Operation => {
    if (operation.insight_source !== undefined) return operation;
    const wrong = givenIndices(operation).filter((each) => !isIn(each, run.reflections));
    for (const each of wrong)
      warnings.push(`operation ${index}: there is no reflection ${each}, so it is left out`);
    const sources = sourcesOf(operation, run);
    return sources.length === 0 ? operation : { ...operation, insight_source: sources };
  });
  return { batch: { ...batch, operations }, warnings };
}

/**
 * Gives the sources that operations bring themselves the form of those of reflections: what names the trace
 * written out, one a trace, the first the `seed`, the others `supporting`.
 * @returns a new batch; a sentence for each source that says nothing, which is left out
 */
export function withNormalSources(batch: UpdateBatch): {
  readonly batch: UpdateBatch;
  readonly warnings: readonly string[];
} {
  const warnings: string[] = [];
  const operations = batch.operations.map((operation, index): Operation => {
    const { insight_source: given, ...rest } = operation;
    if (given === undefined) return operation;
    const all: readonly Occurrence[] = [given].flat();
    const named = all.filter((source) => Object.keys(source).length > 0);
    if (named.length < all.length)
      warnings.push(`operation ${index}: an insight_source that says nothing is left out`);
    const sources = byTrace(named);
    return sources.length === 0 ? rest : { ...rest, insight_source: sources };
  });
  return { batch: { ...batch, operations }, warnings };
}

/** In their form, one a trace. */
function byTrace(traces: readonly Occurrence[]): Occurrence[] {
  const sources = new Map<unknown, Occurrence>();
  for (const { relation: _, ...trace } of traces) {
    const source = normalSource(trace);
    const relation = sources.size === 0 ? "seed" : "supporting";
    if (!sources.has(source["trace_uid"]))
      sources.set(source["trace_uid"], { ...source, relation });
  }
  return [...sources.values()];
}

/** The reflections of an operation: the primary first, in order, each once. */
function reflectionsOf(operation: Operation, reflections: readonly Reflected[]): readonly number[] {
  const given = givenIndices(operation).filter((each) => isIn(each, reflections));
  if (given.length > 0) return given;
  if (reflections.length === 1) return [0];
  const { learning_index: learning } = operation;
  if (learning === undefined) return [];
  const holders = reflections.flatMap(({ learnings = 0 }, at) =>
    learning < learnings ? [at] : [],
  );
  return holders.length === 1 ? holders : [];
}

function givenIndices({ reflection_index, reflection_indices = [] }: Operation): number[] {
  const all = [
    ...(reflection_index === undefined ? [] : [reflection_index]),
    ...reflection_indices,
  ];
  return [...new Set(all)];
}

function isIn(index: number, reflections: readonly Reflected[]): boolean {
  return Number.isSafeInteger(index) && index >= 0 && index < reflections.length;
}

function sourcesOf(operation: Operation, run: ReflectedRun): Occurrence[] {
  return byTrace(
    reflectionsOf(operation, run.reflections).flatMap((index): Occurrence[] => {
      const trace = traceOf(index, run);
      return trace === null ? [] : [trace];
    }),
  );
}

function traceOf(index: number, { traces, reflections, parent }: ReflectedRun): Occurrence | null {
  const { item_id: id } = reflections[index] ?? {};
  const named = id === undefined ? undefined : traces.find((trace) => traceIdOf(trace) === id);
  const isPaired = id === undefined && traces.length === reflections.length;
  return named ?? (isPaired ? traces[index] : undefined) ?? parent ?? null;
}

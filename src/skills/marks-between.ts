/** The marks that were given between two versions of a Skillbook, and whose they are. Pure. */
import type { Operation, TagOperation } from "./operation.ts";
import { operationsBetween } from "./operations-between.ts";
import type { Skillbook } from "./skillbook.ts";

/** The marks of strategies and skills that both versions have, each with one source where it has any. */
export function marksBetween(from: Skillbook, to: Skillbook): TagOperation[] {
  return oneSourceEach(operationsBetween(from, to).operations).filter(isTag);
}

/** Of several marks of one strategy, each session gave one: the difference of two versions gives each all of their sources. */
export function oneSourceEach(operations: readonly Operation[]): Operation[] {
  const given = new Map<string, number>();
  return operations.map((operation) => {
    const { insight_source: source } = operation;
    if (!isTag(operation) || source === undefined) return operation;
    const sources = [source].flat();
    const at = given.get(operation.skill_id) ?? 0;
    given.set(operation.skill_id, at + 1);
    const own = sources[Math.min(at, sources.length - 1)];
    return own === undefined ? operation : { ...operation, insight_source: own };
  });
}

interface Batch {
  readonly operations: readonly TagOperation[];
}

/**
 * Gives marks to the batches that brought them. A batch's mark that is not among them isn't there any more, or
 * goes by another id: what the versions show counts.
 * @returns the batches with what they have of the marks; the marks that no batch has
 */
export function shareOut<Of extends Batch>(
  marks: readonly TagOperation[],
  batches: readonly Of[],
): { readonly batches: readonly Of[]; readonly rest: readonly TagOperation[] } {
  const { left, given } = deal(marks, batches);
  const shared = batches.map((batch, number) => {
    const own = given[number] ?? new Map<TagOperation, TagOperation>();
    return { ...batch, operations: batch.operations.filter((each) => own.has(each)) };
  });
  const kept = shared.filter(({ operations }) => operations.length > 0);
  const known = kept.flatMap(({ operations }) => operations);
  return { batches: kept, rest: withUsesLeft(left, marks, known) };
}

/** Of several marks the first says how often their strategy was used: what no batch says, the first of the rest does. */
function withUsesLeft(
  rest: readonly TagOperation[],
  marks: readonly TagOperation[],
  known: readonly TagOperation[],
): readonly TagOperation[] {
  const usesIn = (list: readonly TagOperation[], id: string) =>
    list.reduce((sum, each) => sum + (each.skill_id === id ? (each.used ?? 0) : 0), 0);
  const said = new Set<string>();
  return rest.map(({ used: _, ...mark }) => {
    const { skill_id: id } = mark;
    const used = said.has(id) ? 0 : usesIn(marks, id) - usesIn(known, id);
    said.add(id);
    return used > 0 ? { ...mark, used } : mark;
  });
}

/** Those of the first that the second has as well. */
export function sharedMarks(
  marks: readonly TagOperation[],
  others: readonly TagOperation[],
): readonly TagOperation[] {
  const { left } = deal(marks, [{ operations: others }]);
  return marks.filter((mark) => !left.includes(mark));
}

/** By batch, its own mark and the one that it was given for it. */
function deal(marks: readonly TagOperation[], batches: readonly Batch[]) {
  const left = [...marks];
  const given = batches.map(({ operations }) => {
    return { operations, own: new Map<TagOperation, TagOperation>() };
  });
  // By their trace first, or a batch that says nothing of its own takes another's.
  for (const isSame of [isSameOfTrace, isSameMark])
    for (const { operations, own } of given)
      for (const operation of operations.filter((each) => !own.has(each))) {
        const at = left.findIndex((each) => isSame(each, operation));
        const [mark] = at < 0 ? [] : left.splice(at, 1);
        if (mark !== undefined) own.set(operation, mark);
      }
  return { left, given: given.map(({ own }) => own) };
}

function isSameMark(a: TagOperation, b: TagOperation): boolean {
  return a.skill_id === b.skill_id && a.metadata.delta === b.metadata.delta;
}

function isSameOfTrace(a: TagOperation, b: TagOperation): boolean {
  const trace = traceOf(a);
  return isSameMark(a, b) && trace !== undefined && trace === traceOf(b);
}

/** Of its first source. */
export function traceOf({ insight_source: source }: Operation): unknown {
  const [first] = source === undefined ? [] : [source].flat();
  return first?.["trace_uid"];
}

function isTag(operation: Operation): operation is TagOperation {
  return operation.type === "TAG";
}

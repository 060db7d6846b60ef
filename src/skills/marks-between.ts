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

/**
 * Gives marks to the batches that brought them. A batch's mark that is not among them isn't there any more, or
 * goes by another id: what the versions show counts.
 * @returns the batches with what they have of the marks; the marks that no batch has
 */
export function shareOut<Batch extends { readonly operations: readonly TagOperation[] }>(
  marks: readonly TagOperation[],
  batches: readonly Batch[],
): { readonly batches: readonly Batch[]; readonly rest: readonly TagOperation[] } {
  const left = [...marks];
  const kept = batches.map((): TagOperation[] => []);
  // By their trace first, or a batch that says nothing of its own takes another's.
  const given = batches.map(() => new Set<TagOperation>());
  for (const isSame of [isSameOfTrace, isSameMark])
    for (const [number, { operations }] of batches.entries())
      for (const operation of operations) {
        if (given[number]?.has(operation)) continue;
        const at = left.findIndex((each) => isSame(each, operation));
        if (at < 0) continue;
        left.splice(at, 1);
        given[number]?.add(operation);
      }
  for (const [number, { operations }] of batches.entries())
    kept[number]?.push(...operations.filter((each) => given[number]?.has(each)));
  const shared = batches.map((batch, number) => ({ ...batch, operations: kept[number] ?? [] }));
  return { batches: shared.filter(({ operations }) => operations.length > 0), rest: left };
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

/**
 * Reads a batch of update operations. What can be read in one way only is read leniently; where ACE's
 * own reader is silently wrong (a missing delta, a lost id, a wrong type), the batch is refused. Pure.
 */
import { SKILLBOOK_DEPTH_MAX, UPDATE_BATCH_MAX_OPERATIONS } from "../core/limits.ts";
import { isDeeperThan } from "./json-depth.ts";
import type { BatchProblem, Operation, UpdateBatch } from "./operation.ts";
import { OperationReader } from "./operation-reader.ts";
import { isRecord } from "./skill-file.ts";

/** The operations as they are applied, or what is wrong with them. */
export type ParsedUpdateBatch =
  | { readonly ok: true; readonly batch: UpdateBatch; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly problems: readonly BatchProblem[] };

/**
 * Reads update operations, leniently where they can be read in one way only.
 * @param value `{ "reasoning": "…", "operations": […] }`, or the list alone, as JSON.parse gives it
 * @returns the batch and what was put right in it, or every problem; never throws
 */
export function parseUpdateBatch(value: unknown): ParsedUpdateBatch {
  const { reasoning, operations, problems, warnings } = readUpdateBatch(value);
  if (problems.length > 0) return { ok: false, problems };
  return {
    ok: true,
    batch: { reasoning, operations: operations.flatMap((each) => each ?? []) },
    warnings,
  };
}

/** A batch as far as it can be read. */
export interface ReadUpdateBatch {
  readonly reasoning: string;
  /** In their order; what is wrong in one stands empty in it, null is what is no operation at all. */
  readonly operations: readonly (Operation | null)[];
  readonly problems: readonly BatchProblem[];
  readonly warnings: readonly string[];
}

/** Reads on behind what is wrong: what else is wrong with an operation shows only where it is applied. */
export function readUpdateBatch(value: unknown): ReadUpdateBatch {
  const list = Array.isArray(value) ? value : isRecord(value) ? value["operations"] : undefined;
  const reasoning = isRecord(value) ? (value["reasoning"] ?? "") : "";
  const whole = (code: BatchProblem["code"], field: string, message: string, hint: string) => ({
    reasoning: "",
    operations: [],
    problems: [{ code, operation: null, field, message, hint }],
    warnings: [],
  });
  if (isDeeperThan(value, SKILLBOOK_DEPTH_MAX))
    return whole("too_large", "", "the batch is nested too deep", "write plain operations");
  if (!Array.isArray(list))
    return whole(
      "missing_field",
      "operations",
      "the batch has no list of operations",
      'write { "reasoning": "…", "operations": [ … ] }, or the list alone',
    );
  if (typeof reasoning !== "string")
    return whole(
      "wrong_type",
      "reasoning",
      "reasoning is not a text",
      "write a text, or leave it out",
    );
  if (list.length > UPDATE_BATCH_MAX_OPERATIONS)
    return whole(
      "too_large",
      "operations",
      `the batch has ${list.length} operations`,
      `write at most ${UPDATE_BATCH_MAX_OPERATIONS}`,
    );
  const reader = new OperationReader();
  const operations = list.map((item, index) => reader.read(item, index));
  const { problems, warnings } = reader;
  return { reasoning, operations, problems, warnings };
}

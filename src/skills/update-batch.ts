/**
 * Reads a batch of update operations. What can be read in one way only is read leniently; where ACE's
 * own reader is silently wrong (a missing delta, a lost id, a wrong type), the batch is refused. Pure.
 */
import { SKILLBOOK_DEPTH_MAX, UPDATE_BATCH_MAX_OPERATIONS } from "../core/limits.ts";
import { isDeeperThan } from "./json-depth.ts";
import type { BatchProblem, UpdateBatch } from "./operation.ts";
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
  const list = Array.isArray(value) ? value : isRecord(value) ? value["operations"] : undefined;
  const reasoning = isRecord(value) ? (value["reasoning"] ?? "") : "";
  const whole = (code: BatchProblem["code"], field: string, message: string, hint: string) => ({
    ok: false as const,
    problems: [{ code, operation: null, field, message, hint }],
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
  const operations = list.flatMap((item, index) => reader.read(item, index) ?? []);
  const { problems, warnings } = reader;
  return problems.length > 0
    ? { ok: false, problems }
    : { ok: true, batch: { reasoning, operations }, warnings };
}

/** The byte code of several files as one: a line that says what follows, then part after part. On the hook's path. */

import { jsonOrNull } from "./json-or-null.ts";
import { BYTE_CODE_INDEX_MAX_BYTES } from "./limits.ts";

/** V8 copies what doesn't begin at a multiple of this. */
const ALIGNMENT = 8;

export interface ByteCode {
  /** How many processes added to it. */
  readonly times: number;
  /** By the name of the file that each was made of. */
  readonly parts: ReadonlyMap<string, Buffer>;
}

type Entry = readonly [name: string, bytes: number];

export function joinParts({ times, parts }: ByteCode): Buffer {
  const entries: Entry[] = [...parts].map(([name, part]) => [name, part.length]);
  const index = Buffer.from(`${JSON.stringify([times, ...entries])}\n`);
  return Buffer.concat([index, ...parts.values()].flatMap((part) => [part, padding(part.length)]));
}

/** @returns null for anything but a whole one: V8 crashes on byte code that lacks a part */
export function splitParts(joined: Buffer): ByteCode | null {
  const end = joined.subarray(0, BYTE_CODE_INDEX_MAX_BYTES).indexOf("\n") + 1;
  const index = jsonOrNull(joined.toString("utf8", 0, end));
  // An older version, or what isn't ours, begins with something else.
  if (!Array.isArray(index)) return null;
  const [times, ...entries] = index;
  if (typeof times !== "number" || !entries.every(isEntry)) return null;
  const parts = new Map<string, Buffer>();
  let at = aligned(end);
  for (const [name, bytes] of entries) {
    parts.set(name, joined.subarray(at, at + bytes));
    at += aligned(bytes);
  }
  return at === joined.length ? { times, parts } : null;
}

function isEntry(value: unknown): value is Entry {
  return Array.isArray(value) && typeof value[0] === "string" && typeof value[1] === "number";
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

function padding(bytes: number): Buffer {
  return Buffer.alloc(aligned(bytes) - bytes);
}

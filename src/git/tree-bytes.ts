/**
 * Large trees as bytes: one entry is found, replaced or told apart without making an object of
 * each of a hundred thousand others. Pure.
 */
import { ID_BYTES, type ObjectFormat, type RawTreeEntry, sortKey } from "./object-format.ts";

interface Bounds {
  readonly start: number;
  /** Where the name begins, and the NUL behind it. */
  readonly name: number;
  readonly nul: number;
  readonly end: number;
}

/** The entry that begins at `start`; null when the bytes end within it. */
function boundsAt(bytes: Buffer, start: number, idBytes: number): Bounds | null {
  const space = bytes.indexOf(0x20, start);
  const nul = space === -1 ? -1 : bytes.indexOf(0, space + 1);
  const end = nul + 1 + idBytes;
  return nul === -1 || end > bytes.length ? null : { start, name: space + 1, nul, end };
}

function entryOf(bytes: Buffer, { start, name, nul, end }: Bounds): RawTreeEntry {
  return {
    mode: bytes.toString("latin1", start, name - 1),
    name: bytes.subarray(name, nul),
    id: bytes.toString("hex", nul + 1, end),
  };
}

/** The first entry of a name; undefined when there is none, null when the tree is cut off. */
export function findEntry(
  bytes: Buffer,
  name: Buffer,
  format: ObjectFormat,
): RawTreeEntry | undefined | null {
  for (let at = 0; at < bytes.length; ) {
    const bounds = boundsAt(bytes, at, ID_BYTES[format]);
    if (bounds === null) return null;
    const length = bounds.nul - bounds.name;
    if (length === name.length && bytes.compare(name, 0, length, bounds.name, bounds.nul) === 0)
      return entryOf(bytes, bounds);
    at = bounds.end;
  }
  return undefined;
}

/**
 * The tree with one entry put in, replaced or (null) taken out; all others stay byte for byte and
 * in their order.
 * @returns null when the tree is cut off
 */
export function spliceEntry(
  bytes: Buffer,
  name: Buffer,
  entry: RawTreeEntry | null,
  format: ObjectFormat,
): Buffer | null {
  const kept: Buffer[] = [];
  let from = 0;
  let place = entry === null ? 0 : -1;
  for (let at = 0; at < bytes.length; ) {
    const bounds = boundsAt(bytes, at, ID_BYTES[format]);
    if (bounds === null) return null;
    if (entry !== null && place === -1 && isBehind(bytes, bounds, entry)) {
      kept.push(bytes.subarray(from, at), bytesOf(entry));
      from = at;
      place = at;
    }
    if (bytes.subarray(bounds.name, bounds.nul).equals(name)) {
      kept.push(bytes.subarray(from, at));
      from = bounds.end;
    }
    at = bounds.end;
  }
  kept.push(bytes.subarray(from));
  if (entry !== null && place === -1) kept.push(bytesOf(entry));
  return Buffer.concat(kept);
}

/** True when git sorts what stands here behind the entry; folders sort as if they ended in `/`. */
function isBehind(bytes: Buffer, { start, name, nul }: Bounds, entry: RawTreeEntry): boolean {
  const mode = bytes.toString("latin1", start, name - 1);
  const here = { mode, name: bytes.subarray(name, nul), id: "" };
  return Buffer.compare(sortKey(here), sortKey(entry)) > 0;
}

function bytesOf({ mode, name, id }: RawTreeEntry): Buffer {
  return Buffer.concat([Buffer.from(`${mode} `), name, Buffer.from([0]), Buffer.from(id, "hex")]);
}

/**
 * The part in which two trees differ, with one equal entry on each side where there is one: what
 * stands before and behind is the same bytes in both.
 * @returns the parts as trees of their own; null when no such part can be told
 */
export function differingPart(
  before: Buffer,
  after: Buffer,
  format: ObjectFormat,
): { before: Buffer; after: Buffer } | null {
  const head = equalHead(before, after);
  const tail = equalTail(before, after, Math.min(before.length, after.length) - head);
  const ofAfter = entriesAround(after, head, after.length - tail, format);
  if (ofAfter === null) return null;
  const behind = after.length - ofAfter.end;
  const ofBefore = entriesAround(before, head, before.length - tail, format);
  // The same bytes behind must be the same entries behind.
  if (ofBefore === null || before.length - ofBefore.end !== behind) return null;
  if (ofBefore.start !== ofAfter.start) return null;
  return {
    before: before.subarray(ofBefore.start, ofBefore.end),
    after: after.subarray(ofAfter.start, ofAfter.end),
  };
}

/** Whole entries around a span: from the one before it to the one behind it. */
function entriesAround(
  bytes: Buffer,
  from: number,
  to: number,
  format: ObjectFormat,
): { start: number; end: number } | null {
  let previous = 0;
  let start = -1;
  for (let at = 0; at < bytes.length; ) {
    const bounds = boundsAt(bytes, at, ID_BYTES[format]);
    if (bounds === null) return null;
    if (start === -1 && bounds.end > from) start = previous;
    // Begins at or behind the span's end: the equal entry on that side.
    if (start !== -1 && at >= to) return { start, end: bounds.end };
    previous = at;
    at = bounds.end;
  }
  return { start: start === -1 ? previous : start, end: bytes.length };
}

const CHUNK_BYTES = 4096;

function equalHead(a: Buffer, b: Buffer): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at + CHUNK_BYTES <= most && a.compare(b, at, at + CHUNK_BYTES, at, at + CHUNK_BYTES) === 0)
    at += CHUNK_BYTES;
  while (at < most && a[at] === b[at]) at += 1;
  return at;
}

function equalTail(a: Buffer, b: Buffer, most: number): number {
  let n = 0;
  const same = (size: number) =>
    a.compare(b, b.length - n - size, b.length - n, a.length - n - size, a.length - n) === 0;
  while (n + CHUNK_BYTES <= most && same(CHUNK_BYTES)) n += CHUNK_BYTES;
  while (n < most && a[a.length - 1 - n] === b[b.length - 1 - n]) n += 1;
  return n;
}

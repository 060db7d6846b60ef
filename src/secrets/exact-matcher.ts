import type { Anchors } from "./anchor-finder.ts";

export interface ExactMatch {
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

/** The values that begin alike, by their length, the longest first. */
type Bucket = readonly (readonly [length: number, values: ReadonlySet<string>])[];

/** Characters of a block: three tell places apart well enough to leap over most of a text. */
const BLOCK_CHARS = 3;
const SLOTS = 1 << 16;

/**
 * A function that finds every occurrence of the values in a text, the longest first where they
 * overlap, in order. The cost follows the text, not the number of values: a session may hold
 * thousands of secrets, which no one regular expression takes.
 */
export function exactMatcher(values: readonly string[]): (text: string) => ExactMatch[] {
  const unique = [...new Set(values)].filter((value) => value !== "");
  if (unique.length === 0) return () => [];
  const headLength = unique.reduce((least, { length }) => Math.min(least, length), Infinity);
  const block = Math.min(BLOCK_CHARS, headLength);
  const buckets = bucketsOf(unique, headLength);
  const leaps = leapsOf([...buckets.keys()], block);
  return (text) => {
    const matches: ExactMatch[] = [];
    for (let at = 0; at + headLength <= text.length; ) {
      // Wu and Manber: what ends the window says how far away the next possible beginning is.
      const leap = leaps[slotOf(text, at + headLength - block, block)] ?? 1;
      if (leap > 0) {
        at += leap;
        continue;
      }
      const value = valueAt(text, at, buckets.get(text.slice(at, at + headLength)));
      if (value !== null) matches.push({ start: at, end: at + value.length, value });
      at += value?.length ?? 1;
    }
    return matches;
  };
}

/** Of a value, looked for as an anchor. */
const ANCHOR_CHARS = 24;

/**
 * The same for a few values that are looked for together with other anchors.
 * @returns `find` is given the places where one of the anchors stands
 */
export function anchoredMatcher(values: readonly string[]): {
  anchors: Anchors;
  find(text: string, places: readonly number[]): ExactMatch[];
} {
  const headLength = values.reduce((least, { length }) => Math.min(least, length), ANCHOR_CHARS);
  const buckets = bucketsOf(values, headLength);
  const find = (text: string, places: readonly number[]) => {
    const matches: ExactMatch[] = [];
    let passed = 0;
    for (const at of places.length < 2 ? places : [...places].sort((a, b) => a - b)) {
      if (at < passed) continue;
      const value = valueAt(text, at, buckets.get(text.slice(at, at + headLength)));
      if (value === null) continue;
      passed = at + value.length;
      matches.push({ start: at, end: passed, value });
    }
    return matches;
  };
  return { anchors: { words: [...buckets.keys()] }, find };
}

/** How far a window may move when a block ends it, by the block's slot; 0: a value may be here. */
function leapsOf(heads: readonly string[], block: number): Uint8Array {
  const farthest = Math.min(255, (heads[0]?.length ?? 0) - block + 1);
  const leaps = new Uint8Array(SLOTS).fill(farthest);
  for (const head of heads) {
    for (let at = 0; at + block <= head.length; at += 1) {
      const slot = slotOf(head, at, block);
      leaps[slot] = Math.min(leaps[slot] ?? 0, head.length - block - at);
    }
  }
  return leaps;
}

function slotOf(text: string, at: number, block: number): number {
  let slot = text.charCodeAt(at);
  if (block > 1) slot = (slot << 5) ^ text.charCodeAt(at + 1);
  if (block > 2) slot = (slot << 5) ^ text.charCodeAt(at + 2);
  return slot & (SLOTS - 1);
}

function bucketsOf(values: readonly string[], headLength: number): Map<string, Bucket> {
  const byHead = new Map<string, Map<number, Set<string>>>();
  for (const value of values) {
    const head = value.slice(0, headLength);
    const byLength = byHead.get(head) ?? new Map<number, Set<string>>();
    byHead.set(head, byLength);
    byLength.set(value.length, (byLength.get(value.length) ?? new Set()).add(value));
  }
  const longestFirst = (byLength: Map<number, Set<string>>) =>
    [...byLength].sort(([a], [b]) => b - a);
  return new Map([...byHead].map(([head, byLength]) => [head, longestFirst(byLength)]));
}

function valueAt(text: string, at: number, bucket: Bucket | undefined): string | null {
  for (const [length, values] of bucket ?? []) {
    const value = text.slice(at, at + length);
    if (values.has(value)) return value;
  }
  return null;
}

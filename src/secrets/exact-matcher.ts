import { KNOWN_VALUE_HEAD_MAX_CHARS } from "../core/limits.ts";
import type { Anchors } from "./anchor-tables.ts";

export interface ExactMatch {
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

/** The values that begin alike, by their length, the longest first. */
type Bucket = (readonly [length: number, values: Set<string>])[];

/** Characters of a block: three tell places apart well enough to leap over most of a text. */
const BLOCK_CHARS = 3;
/** As powers of two: a few values need a small table, which is made for each session that has a secret. */
const SLOT_BITS = { least: 10, most: 16 } as const;
/** For each block: with fewer ones another block's slot would often end a leap. */
const SLOTS_OF_BLOCK = 8;
/** Of most texts: a list for each would be garbage. */
const NO_MATCHES: readonly ExactMatch[] = [];
const NO_LEAPS = new Uint8Array(0);

/** A function that finds every occurrence of the values in a text, as ExactMatcher does. */
export function exactMatcher(values: readonly string[]): (text: string) => readonly ExactMatch[] {
  const matcher = new ExactMatcher();
  for (const value of values) if (value !== "") matcher.add(value);
  return (text) => matcher.find(text);
}

/**
 * Finds every occurrence of the values in a text, the longest first where they overlap, in order.
 * The cost follows the text, not the number of values, and another value can be added at any time: a
 * session may hold thousands of secrets, which no one regular expression takes.
 */
export class ExactMatcher {
  readonly #values: string[] = [];
  /** How many of them are in the tables. */
  #entered = 0;
  #headLength = KNOWN_VALUE_HEAD_MAX_CHARS;
  #block = BLOCK_CHARS;
  #buckets = new Map<string, Bucket>();
  /** How far a window may move when a block ends it, by the block's slot; 0: a value may be here. */
  #leaps: Uint8Array = NO_LEAPS;
  #slotBits = 0;

  get isEmpty(): boolean {
    return this.#values.length === 0;
  }

  /** @param value of at least one character */
  add(value: string): void {
    this.#values.push(value);
  }

  find(text: string): readonly ExactMatch[] {
    if (this.#entered < this.#values.length) this.#enterAll();
    if (this.isEmpty) return NO_MATCHES;
    let matches: ExactMatch[] | null = null;
    const headLength = this.#headLength;
    const block = this.#block;
    const leaps = this.#leaps;
    const shift = 32 - this.#slotBits;
    for (let at = 0; at + headLength <= text.length; ) {
      // Wu and Manber: what ends the window says how far away the next possible beginning is.
      const leap = leaps[slotOf(text, at + headLength - block, block, shift)] ?? 1;
      if (leap > 0) {
        at += leap;
        continue;
      }
      const value = valueAt(text, at, this.#buckets.get(text.slice(at, at + headLength)));
      if (value !== null) {
        matches ??= [];
        matches.push({ start: at, end: at + value.length, value });
      }
      at += value?.length ?? 1;
    }
    return matches ?? NO_MATCHES;
  }

  /** Enters what was added; all anew where a shorter value or so many of them need other tables. */
  #enterAll(): void {
    const values = this.#values;
    let headLength = this.#headLength;
    for (let at = this.#entered; at < values.length; at += 1)
      headLength = Math.min(headLength, (values[at] as string).length);
    const slots = SLOTS_OF_BLOCK * headLength * values.length;
    const bits = Math.min(SLOT_BITS.most, Math.max(SLOT_BITS.least, Math.ceil(Math.log2(slots))));
    if (headLength < this.#headLength || bits > this.#slotBits) {
      this.#entered = 0;
      this.#headLength = headLength;
      this.#block = Math.min(BLOCK_CHARS, headLength);
      this.#buckets = new Map();
      this.#slotBits = bits;
      this.#leaps = new Uint8Array(1 << bits).fill(headLength - this.#block + 1);
    }
    for (; this.#entered < values.length; this.#entered += 1)
      this.#enter(values[this.#entered] as string);
  }

  #enter(value: string): void {
    const head = value.slice(0, this.#headLength);
    const bucket = this.#buckets.get(head);
    if (bucket !== undefined) {
      addTo(bucket, value);
      return;
    }
    this.#buckets.set(head, [[value.length, new Set([value])]]);
    for (let at = 0; at + this.#block <= head.length; at += 1) {
      const slot = slotOf(head, at, this.#block, 32 - this.#slotBits);
      this.#leaps[slot] = Math.min(this.#leaps[slot] ?? 0, head.length - this.#block - at);
    }
  }
}

function addTo(bucket: Bucket, value: string): void {
  const shorter = bucket.findIndex(([length]) => length <= value.length);
  const place = shorter === -1 ? bucket.length : shorter;
  const same = bucket[place];
  if (same?.[0] === value.length) same[1].add(value);
  else bucket.splice(place, 0, [value.length, new Set([value])]);
}

/** Of a value, looked for as an anchor: enough to meet little else. */
const ANCHOR_CHARS = 12;

/**
 * The same for a few values that are looked for together with other anchors.
 * @returns `find` is given the places where one of the anchors stands
 */
export function anchoredMatcher(values: readonly string[]): {
  anchors: Anchors;
  find(text: string, places: readonly number[]): ExactMatch[];
} {
  const headLength = values.reduce((least, { length }) => Math.min(least, length), ANCHOR_CHARS);
  const buckets = new Map<string, Bucket>();
  for (const value of values) {
    const head = value.slice(0, headLength);
    const bucket = buckets.get(head) ?? [];
    buckets.set(head, bucket);
    addTo(bucket, value);
  }
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

function slotOf(text: string, at: number, block: number, shift: number): number {
  let slot = text.charCodeAt(at);
  if (block > 1) slot = (slot << 5) ^ text.charCodeAt(at + 1);
  if (block > 2) slot = (slot << 5) ^ text.charCodeAt(at + 2);
  return Math.imul(slot, 0x9e3779b1) >>> shift;
}

function valueAt(text: string, at: number, bucket: Bucket | undefined): string | null {
  for (const [length, values] of bucket ?? []) {
    const value = text.slice(at, at + length);
    if (values.has(value)) return value;
  }
  return null;
}

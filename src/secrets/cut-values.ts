/** Known values that quotes, the frame of a box, a hard wrap or an indented next line cut in pieces. */
import { CUT_VALUE_ANCHOR_CHARS, CUT_VALUE_JOINTS_CHARS } from "../core/limits.ts";
import type { Anchors } from "./anchor-tables.ts";
import { jointAt } from "./continued-tokens.ts";
import type { ExactMatch } from "./exact-matcher.ts";

interface Part {
  readonly value: string;
  /** Of the part, in the value. */
  readonly offset: number;
}

/**
 * Finds values in pieces, by any of three parts: of the head, the middle and the tail at least one is
 * whole when a value is cut once or twice, wherever that is.
 * @returns `find` is given the places where one of the anchors stands, and leaves out what stands there whole
 */
export function cutValueMatcher(values: readonly string[]): {
  anchors: Anchors;
  find(text: string, places: readonly number[]): ExactMatch[];
} {
  const parts = new Map<string, Part[]>();
  for (const value of values) {
    const length = Math.min(CUT_VALUE_ANCHOR_CHARS, value.length >> 1);
    const last = value.length - length;
    for (const offset of new Set([0, last >= 2 * length ? last >> 1 : 0, last])) {
      const word = value.slice(offset, offset + length);
      const known = parts.get(word) ?? [];
      parts.set(word, known);
      known.push({ value, offset });
    }
  }
  const lengths = [...new Set([...parts.keys()].map(({ length }) => length))];
  const find = (text: string, places: readonly number[]) => {
    const matches: ExactMatch[] = [];
    for (const at of places) {
      for (const length of lengths) {
        for (const part of parts.get(text.slice(at, at + length)) ?? []) {
          const match = cutValue(text, at, part);
          if (match !== null) matches.push(match);
        }
      }
    }
    return matches;
  };
  return { anchors: { words: [...parts.keys()] }, find };
}

/** The value of which a part stands at the place. */
function cutValue(text: string, at: number, { value, offset }: Part): ExactMatch | null {
  const first = value.charCodeAt(0);
  // What parts the pieces may take as much room as they do: more in a very narrow box alone.
  const least = offset === 0 ? at : Math.max(0, at - 2 * offset - CUT_VALUE_JOINTS_CHARS);
  // From the nearest on: what stands farther off may begin alike.
  for (let start = at - offset; start >= least; start -= 1) {
    if (text.charCodeAt(start) !== first) continue;
    const end = endOfPieces(text, start, value);
    if (end !== null && end > at) return { start, end, value };
  }
  return null;
}

/**
 * Where the last piece of the value ends that begins at the place; null: it isn't there, or is there whole.
 * Each piece holds a character of it: that alone bounds how many there are.
 */
function endOfPieces(text: string, start: number, value: string): number | null {
  // Of the value, before the last joint.
  let [at, joined] = [start, 0];
  for (let next = 0; next < value.length; ) {
    if (text.charCodeAt(at) === value.charCodeAt(next)) {
      at += 1;
      next += 1;
      continue;
    }
    const joint = next > joined ? jointAt(text, at, true) : null;
    if (joint === null) return null;
    joined = next;
    at = joint.end;
  }
  return joined === 0 ? null : at;
}

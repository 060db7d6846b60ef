/** The buffer that texts are scanned in, and what is met there by the marks of the tables. */
import { ANCHOR_SCAN_CHARS } from "../core/limits.ts";
import {
  FIRST_IS_SIGN_BIT,
  LAST_TRIPLE_BIT,
  marked,
  marks,
  SECOND_IS_SIGN_BIT,
  SIGN_BIT,
  TRIPLE_BIT,
  tripleOf,
} from "./anchor-tables.ts";

/** Before the text, so that its first character has one before it too. */
export const LEAD_BYTES = 2;
/** The text's characters, two at a time. Shared by all passes: a buffer for each text would be garbage. */
export const bytes = Buffer.alloc(LEAD_BYTES + ANCHOR_SCAN_CHARS + 2);
export const pairs = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
/** What is met in the buffer, in order: numbers of pairs that an anchor may have, and of bytes that may be a sign's. */
export const metPairs = new Uint16Array(pairs.length + 1);
export const metSigns = new Int32Array(bytes.length + 2);

/** How many of each. */
export const metCounts = { pairs: 0, signs: 0 };

/** A call to copy a text costs more than to copy that many characters one by one. */
const SHORT_TEXT_CHARS = 40;

/** Writes a stretch of the text to the buffer; returns how many pairs that makes, those before it too. */
export function filled(text: string, from: number, to: number): number {
  const length = to - from;
  bytes[LEAD_BYTES - 1] = from === 0 ? 0 : text.charCodeAt(from - 1);
  if (length <= SHORT_TEXT_CHARS)
    for (let at = 0; at < length; at += 1) bytes[LEAD_BYTES + at] = text.charCodeAt(from + at);
  else
    bytes.write(
      from === 0 && to === text.length ? text : text.slice(from, to),
      LEAD_BYTES,
      "latin1",
    );
  return (LEAD_BYTES + length + 1) >> 1;
}

/**
 * Meets the signs in the buffer, and the pairs where three characters of an anchor may be. Each is written and then
 * counted or not: a branch that is taken now and then costs more than all else here.
 */
export function meet(count: number): void {
  const candidates = markedPairs(count);
  let [kept, signs] = [0, 0];
  for (let number = 0; number < candidates; number += 1) {
    const at = metPairs[number] as number;
    const pair = pairs[at] as number;
    const mark = marks[pair] as number;
    const behind = marks[tripleOf(pair, bytes[2 * at + 2] as number)] as number;
    const before = marks[tripleOf(pair, bytes[2 * at - 1] as number)] as number;
    const mayBeAnchor =
      (mark & (behind >> TRIPLE_BIT)) | ((mark >> 1) & (before >> LAST_TRIPLE_BIT));
    const isMet = ((mark >> SIGN_BIT) | mayBeAnchor) & 1;
    metSigns[signs] = 2 * at;
    signs += isMet & (mark >> FIRST_IS_SIGN_BIT);
    metSigns[signs] = 2 * at + 1;
    signs += isMet & (mark >> SECOND_IS_SIGN_BIT);
    metPairs[kept] = at;
    kept += mayBeAnchor & 1;
  }
  metCounts.pairs = kept;
  metCounts.signs = signs;
}

/** Enters all pairs with a mark; returns how many. */
function markedPairs(count: number): number {
  const last = count - 3;
  let candidates = 0;
  let at = 1;
  for (; at < last; at += 4) {
    metPairs[candidates] = at;
    candidates += marked[pairs[at] as number] as number;
    metPairs[candidates] = at + 1;
    candidates += marked[pairs[at + 1] as number] as number;
    metPairs[candidates] = at + 2;
    candidates += marked[pairs[at + 2] as number] as number;
    metPairs[candidates] = at + 3;
    candidates += marked[pairs[at + 3] as number] as number;
  }
  for (; at < count; at += 1) {
    metPairs[candidates] = at;
    candidates += marked[pairs[at] as number] as number;
  }
  return candidates;
}

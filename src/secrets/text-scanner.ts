/** One pass over a text for all that a search for secrets begins with. */
import { ANCHOR_SCAN_CHARS } from "../core/limits.ts";
import {
  type Anchor,
  type Anchors,
  type AnchorTables,
  anchorsAt,
  IS_SIGN,
  LAST_PAIR,
  LAST_TRIPLE_BIT,
  marked,
  marks,
  PAIR,
  SIGN_BIT,
  TRIPLE_BIT,
  tripleOf,
  withAnchors,
} from "./anchor-tables.ts";
import { lineEnd, mayBeWord, TextLines } from "./text-lines.ts";
import { isSpecialAt, type SegmentedView } from "./text-view.ts";

/** Before the text, so that its first character has one before it too. */
const LEAD_BYTES = 2;
/** The text's characters, two at a time. Shared by all passes: a buffer for each text would be garbage. */
const bytes = Buffer.alloc(LEAD_BYTES + ANCHOR_SCAN_CHARS + 2);
const pairs = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
/** Numbers of the pairs that are met in the buffer, in order. */
const met = new Uint16Array(pairs.length + 1);
/** A call to copy a text costs more than to copy that many characters one by one. */
const SHORT_TEXT_CHARS = 24;

/** What a scan found in a text, each list in order. */
export interface FoundPlaces {
  /** Of the groups with anchors there: the scanner's list, and where they stand. */
  readonly lists: { readonly list: number[]; readonly places: readonly number[] }[];
  readonly ats: readonly number[];
  /** Where line feeds stand. */
  readonly feeds: readonly number[];
}

/**
 * Where the anchors of a text stand, its lines, its `@`, and whether it must be read otherwise than it is
 * spelled. What a scan says is good until the next one: lists for each text would be most of the garbage.
 *
 * It is one pass that looks at every other place of the text only: of two pairs of neighbours, one at
 * an even and one at an odd place of an anchor, one is always met. Bytes are read several times faster
 * than characters; one that isn't Latin passes for another there, and is told apart in the text.
 */
export class TextScanner {
  /** A list for each group of the tables, in order, and one for the own anchors. */
  readonly places: readonly number[][];
  hasAnchors = false;
  /** Where `@` stands, in order. */
  readonly ats: number[] = [];
  readonly lines = new TextLines();
  /** Where something in the text is spelled otherwise than a reader takes it in, in order. */
  readonly specials: number[] = [];
  readonly #tables: AnchorTables;

  constructor(base: AnchorTables, own: Anchors) {
    this.#tables = withAnchors(base, own);
    this.places = Array.from({ length: this.#tables.groups }, () => []);
  }

  scan(text: string): void {
    this.#begin();
    this.#stretch(text, 0, text.length);
  }

  /** What a scan of the text finds that begins between the two places. */
  #stretch(text: string, start: number, to: number): void {
    const { longest } = this.#tables;
    const step = ANCHOR_SCAN_CHARS - longest;
    for (let from = start; from < to; from += step) {
      // Short of the next block by one anchor: each is met in the block where it begins, and whole there.
      const end = Math.min(from + step, to);
      const count = filled(text, from, Math.min(end + longest, text.length));
      const metCount = meet(count);
      for (let at = 0; at < metCount; at += 1) this.#met(text, met[at] as number, from, end);
    }
  }

  /**
   * What the last scan found, for the scans of views of its text.
   * @param hasLines whether the lines of those are needed
   */
  found(hasLines: boolean): FoundPlaces {
    const lists: FoundPlaces["lists"] = [];
    for (const list of this.hasAnchors ? this.places : []) {
      if (list.length > 0) lists.push({ list, places: list.slice().sort((a, b) => a - b) });
    }
    return { lists, ats: this.ats.slice(), feeds: hasLines ? this.lines.feeds() : [] };
  }

  /**
   * Says of a view of a text what a scan of it would, without its specials. Only the surroundings of the places
   * where its stretches meet are read: most views are a whole text with a few characters changed, or a part of one.
   * @param found in the text
   */
  scanView(view: SegmentedView, found: FoundPlaces): void {
    const { longest } = this.#tables;
    const { text, segmentCount } = view;
    if (segmentCount * 3 * longest > text.length) {
      this.scan(text);
      return;
    }
    this.#begin();
    let done = 0;
    for (let number = 0; number < segmentCount; number += 1) {
      const end = view.segmentStart(number + 1);
      // What begins less than one anchor before the end of a stretch may go on behind it, or be cut there.
      const copied = end - longest;
      const shift = view.segmentShift(number);
      const start = Math.max(done, view.segmentStart(number));
      if (shift === null || copied <= start) continue;
      this.#stretch(text, done, start);
      this.#copy(text, found, start, copied, shift);
      done = copied;
    }
    this.#stretch(text, done, text.length);
  }

  /** Enters what was found in the stretch of a text that a view has from `start` on. */
  #copy(text: string, found: FoundPlaces, start: number, end: number, shift: number): void {
    const [from, to] = [start + shift, end + shift];
    for (const { list, places } of found.lists) {
      for (let at = firstFrom(places, from); (places[at] ?? Infinity) < to; at += 1) {
        list.push((places[at] as number) - shift);
        this.hasAnchors = true;
      }
    }
    const { ats, feeds } = found;
    for (let at = firstFrom(ats, from); (ats[at] ?? Infinity) < to; at += 1)
      this.ats.push((ats[at] as number) - shift);
    for (let at = firstFrom(feeds, from); (feeds[at] ?? Infinity) < to; at += 1)
      this.lines.add(text, (feeds[at] as number) - shift);
  }

  /** Enters what is met at a pair of the buffer, which holds the text's characters behind `from`. */
  #met(text: string, at: number, from: number, end: number): void {
    const pair = pairs[at] as number;
    const mark = marks[pair] as number;
    const place = from + 2 * at - LEAD_BYTES;
    if ((mark & (PAIR | LAST_PAIR)) !== 0) this.#anchors(text, pair, place, from, end);
    if (IS_SIGN[bytes[2 * at] as number] !== 0 && place < end) this.#sign(text, place, 2 * at);
    if (IS_SIGN[bytes[2 * at + 1] as number] !== 0 && place + 1 < end)
      this.#sign(text, place + 1, 2 * at + 1);
  }

  #begin(): void {
    if (this.hasAnchors) for (const list of this.places) if (list.length > 0) list.length = 0;
    if (this.ats.length > 0) this.ats.length = 0;
    if (this.specials.length > 0) this.specials.length = 0;
    this.hasAnchors = false;
    this.lines.clear();
  }

  #anchors(text: string, pair: number, place: number, from: number, end: number): void {
    for (const anchor of anchorsAt(this.#tables, pair)) {
      const start = place - anchor.offset;
      if (start < from || start >= end || !standsAt(text, start, anchor)) continue;
      (this.places[anchor.group] as number[]).push(start);
      this.hasAnchors = true;
    }
  }

  /** Enters the sign that may stand there, and of which the buffer has a byte at `byteAt`. */
  #sign(text: string, at: number, byteAt: number): void {
    const code = text.charCodeAt(at);
    if (code === LINE_FEED) {
      const end = bytes[byteAt - 1] === CARRIAGE_RETURN ? lineEnd(text, at) : at;
      this.lines.enter(text, end, at + 1, mayBeWord(bytes[byteAt + 1] as number));
    } else if (code === AT) this.ats.push(at);
    else if (isSpecialAt(text, at, code)) this.specials.push(at);
  }
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const AT = 64;

/** The number of the first of the places, which are in order, that isn't before the given one. */
function firstFrom(places: readonly number[], from: number): number {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] as number) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Writes a stretch of the text to the buffer; returns how many pairs that makes, those before it too. */
function filled(text: string, from: number, to: number): number {
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
 * Enters the pairs of the buffer where a sign is, or where three characters of an anchor may be; returns how many.
 * Each is written and then counted or not: a branch that is taken now and then costs more than all else here.
 */
function meet(count: number): number {
  const last = count - 3;
  let candidates = 0;
  let at = 1;
  for (; at < last; at += 4) {
    met[candidates] = at;
    candidates += marked[pairs[at] as number] as number;
    met[candidates] = at + 1;
    candidates += marked[pairs[at + 1] as number] as number;
    met[candidates] = at + 2;
    candidates += marked[pairs[at + 2] as number] as number;
    met[candidates] = at + 3;
    candidates += marked[pairs[at + 3] as number] as number;
  }
  for (; at < count; at += 1) {
    met[candidates] = at;
    candidates += marked[pairs[at] as number] as number;
  }
  let kept = 0;
  for (let number = 0; number < candidates; number += 1) {
    const pairAt = met[number] as number;
    const pair = pairs[pairAt] as number;
    const mark = marks[pair] as number;
    const behind = marks[tripleOf(pair, bytes[2 * pairAt + 2] as number)] as number;
    const before = marks[tripleOf(pair, bytes[2 * pairAt - 1] as number)] as number;
    met[kept] = pairAt;
    kept += isMet(mark, behind, before);
  }
  return kept;
}

/** 1 when the pair has a sign, or is of an anchor as its neighbours are. */
function isMet(mark: number, behind: number, before: number): number {
  const isSign = mark >> SIGN_BIT;
  const isPair = mark & (behind >> TRIPLE_BIT);
  const isLast = (mark >> 1) & (before >> LAST_TRIPLE_BIT);
  return (isSign | isPair | isLast) & 1;
}

function standsAt(text: string, place: number, { codes, ignoreCase }: Anchor): boolean {
  if (place + codes.length > text.length) return false;
  for (let at = 0; at < codes.length; at += 1) {
    const code = text.charCodeAt(place + at);
    if (code === codes[at]) continue;
    if (!ignoreCase || code < 65 || code > 90 || (code | 32) !== codes[at]) return false;
  }
  return true;
}

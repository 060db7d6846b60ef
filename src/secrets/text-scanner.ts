/** One pass over a text for all that a search for secrets begins with. */
import { ANCHOR_SCAN_CHARS } from "../core/limits.ts";
import {
  type Anchor,
  type Anchors,
  type AnchorTables,
  anchorsAt,
  mayBeInAnchor,
  withAnchors,
} from "./anchor-tables.ts";
import {
  bytes,
  filled,
  LEAD_BYTES,
  meet,
  metCounts,
  metPairs,
  metSigns,
  pairs,
} from "./scan-buffer.ts";
import { type KeptLines, lineEnd, mayBeWord, TextLines } from "./text-lines.ts";
import { isSpecialAt, type SegmentedView } from "./text-view.ts";

/** What a scan found in a text, each list in order. */
export interface FoundPlaces {
  /** Of the groups with anchors there: the scanner's list, and where they stand. */
  readonly lists: { readonly list: number[]; readonly places: readonly number[] }[];
  readonly ats: readonly number[];
  /** null: they aren't needed. */
  readonly lines: KeptLines | null;
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
  /** Of what is read as a text of its own, its place in the view. */
  #base = 0;

  constructor(base: AnchorTables, own: Anchors) {
    this.#tables = withAnchors(base, own);
    this.places = Array.from({ length: this.#tables.groups }, () => []);
  }

  /** Whether it found an anchor or an `@`. */
  get hasFound(): boolean {
    return this.hasAnchors || this.ats.length > 0;
  }

  scan(text: string): void {
    this.#begin();
    this.#stretch(text, 0, text.length, true);
  }

  /** What a scan of the text finds that begins between the two places. */
  #stretch(text: string, start: number, to: number, hasLines: boolean): void {
    const { longest } = this.#tables;
    const step = ANCHOR_SCAN_CHARS - longest;
    for (let from = start; from < to; from += step) {
      // Short of the next block by one anchor: each is met in the block where it begins, and whole there.
      const end = Math.min(from + step, to);
      const count = filled(text, from, Math.min(end + longest, text.length));
      meet(count);
      this.#enterAnchors(text, from, end);
      this.#enterSigns(text, from, end, hasLines);
    }
  }

  /**
   * What the last scan found, for the scans of views of its text.
   * @param hasLines whether the lines of those are needed
   */
  found(hasLines: boolean): FoundPlaces {
    const lists: FoundPlaces["lists"] = [];
    for (const list of this.hasAnchors ? this.places : []) {
      if (list.length > 0) lists.push({ list, places: inOrder(list) });
    }
    return { lists, ats: this.ats.slice(), lines: hasLines ? this.lines.kept() : null };
  }

  /**
   * Says of a view of a text what a scan of it would, without its specials. Of the places where its stretches meet
   * only the surroundings are read, and mostly just four characters: most views are a whole text with a few characters
   * changed, or a part of one.
   * @param found in the text; with its lines where the view's are needed
   */
  scanView(view: SegmentedView, found: FoundPlaces): void {
    const { segmentCount } = view;
    if (segmentCount * 3 * this.#tables.longest > view.length) {
      this.scan(view.text);
      return;
    }
    this.#begin();
    const { lines } = found;
    let done = 0;
    for (let number = 0; number < segmentCount; number += 1) {
      const shift = view.segmentShift(number);
      if (shift === null) continue;
      const [start, end] = [view.segmentStart(number), view.segmentStart(number + 1)];
      if (lines !== null)
        this.lines.enterMoved(lines, view.text, start + shift, end + shift, shift);
      const copied = this.#knownTo(view, found, start, end, shift);
      if (copied <= start) continue;
      this.#viewStretch(view, done, start);
      this.#copy(found, start, copied, shift);
      done = copied;
    }
    this.#viewStretch(view, done, view.length);
  }

  /**
   * Up to where a stretch of a view holds just what was found there. An anchor that begins less than its length before
   * the stretch's end may go on behind it, or be cut there: mostly nothing is there, and the end needs no scan.
   */
  #knownTo(
    view: SegmentedView,
    found: FoundPlaces,
    start: number,
    end: number,
    shift: number,
  ): number {
    const sure = end - this.#tables.longest;
    const from = Math.max(start, sure) + shift;
    const mayBeCut = found.lists.some(
      ({ places }) => (places[firstFrom(places, from)] ?? Infinity) < end + shift,
    );
    return mayBeCut || mayStandOver(view, end) ? sure : end;
  }

  /** What a scan of the view finds that begins between the two places, without its lines. */
  #viewStretch(view: SegmentedView, start: number, to: number): void {
    if (start >= to) return;
    this.#base = start;
    this.#stretch(view.slice(start, to + this.#tables.longest), 0, to - start, false);
    this.#base = 0;
  }

  /** Enters what was found in the stretch of a text that a view has from `start` on. */
  #copy({ lists, ats }: FoundPlaces, start: number, end: number, shift: number): void {
    const [from, to] = [start + shift, end + shift];
    for (const { list, places } of lists) {
      for (let at = firstFrom(places, from); at < places.length; at += 1) {
        const place = places[at] as number;
        if (place >= to) break;
        list.push(place - shift);
        this.hasAnchors = true;
      }
    }
    for (let at = firstFrom(ats, from); at < ats.length && (ats[at] as number) < to; at += 1)
      this.ats.push((ats[at] as number) - shift);
  }

  #begin(): void {
    if (this.hasAnchors) for (const list of this.places) if (list.length > 0) list.length = 0;
    if (this.ats.length > 0) this.ats.length = 0;
    if (this.specials.length > 0) this.specials.length = 0;
    this.hasAnchors = false;
    this.lines.clear();
  }

  /** Enters the anchors that are met in the buffer, which holds the text's characters behind `from`. */
  #enterAnchors(text: string, from: number, end: number): void {
    for (let number = 0; number < metCounts.pairs; number += 1) {
      const at = metPairs[number] as number;
      const place = from + 2 * at - LEAD_BYTES;
      const anchors = anchorsAt(this.#tables, pairs[at] as number);
      for (let each = 0; each < anchors.length; each += 1) {
        const anchor = anchors[each] as Anchor;
        const start = place - anchor.offset;
        if (start < from || start >= end) continue;
        // Nine of ten don't stand there, and the bytes tell that sooner than the text.
        if (!seemsToStandAt(2 * at - anchor.offset, anchor) || !standsAt(text, start, anchor))
          continue;
        (this.places[anchor.group] as number[]).push(this.#base + start);
        this.hasAnchors = true;
      }
    }
  }

  /** The same for signs. */
  #enterSigns(text: string, from: number, end: number, hasLines: boolean): void {
    for (let number = 0; number < metCounts.signs; number += 1) {
      const byteAt = metSigns[number] as number;
      const at = from + byteAt - LEAD_BYTES;
      if (at >= end) break;
      const code = text.charCodeAt(at);
      if (code === LINE_FEED) {
        if (!hasLines) continue;
        const lineEnds = bytes[byteAt - 1] === CARRIAGE_RETURN ? lineEnd(text, at) : at;
        this.lines.enter(text, lineEnds, at + 1, mayBeWord(bytes[byteAt + 1] as number));
      } else if (code === AT) this.ats.push(this.#base + at);
      else if (isSpecialAt(text, at, code)) this.specials.push(at);
    }
  }
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const AT = 64;

/** A copy of a list, which mostly is in order. */
function inOrder(list: readonly number[]): readonly number[] {
  const copy = list.slice();
  for (let at = 1; at < copy.length; at += 1) {
    if ((copy[at - 1] as number) > (copy[at] as number)) return copy.sort((a, b) => a - b);
  }
  return copy;
}

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

/** Whether an anchor may begin before the place in the view and end behind it: it has three neighbours there. */
function mayStandOver(view: SegmentedView, place: number): boolean {
  if (place >= view.length) return false;
  const [last, next] = [view.charCodeAt(place - 1), view.charCodeAt(place)];
  return (
    mayBeInAnchor(view.charCodeAt(place - 2), last, next) ||
    mayBeInAnchor(last, next, view.charCodeAt(place + 1))
  );
}

/** Whether an anchor may stand at that place of the buffer. */
function seemsToStandAt(place: number, { folded }: Anchor): boolean {
  for (let at = 0; at < folded.length; at += 1) {
    if (((bytes[place + at] as number) | 32) !== folded[at]) return false;
  }
  return true;
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

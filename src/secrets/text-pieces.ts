/** A text as it is searched for secrets: as readers take it in, and its broken lines put together. */

import { NumberList } from "./number-list.ts";
import type { FoundSecret, SecretRange } from "./secret-range.ts";
import type { FoundPlaces, TextScanner } from "./text-scanner.ts";
import { plainView, type TextView, viewOf } from "./text-view.ts";
import { unwrapped } from "./wrapped-lines.ts";

export interface Piece {
  /** Of the text. */
  readonly index: number;
  readonly view: TextView;
  /** Where broken lines were put together; a finding counts only when it spans one of them. */
  readonly joints: readonly number[] | null;
}

/**
 * The texts, each followed by the broken lines in it, by number. What is nothing but its text isn't kept
 * as a piece: there may be a million of them.
 */
export class Pieces {
  readonly #texts: readonly string[];
  /** By a piece's number: that of its text. */
  readonly #indexes = new NumberList();
  /** Those that differ from their text. */
  readonly #made = new Map<number, Piece>();

  /**
   * @param scanner reads each piece once
   * @param visit is told the number and text of each piece in which something was found, while what the scanner says is about it
   */
  constructor(
    texts: readonly string[],
    scanner: TextScanner,
    visit: (at: number, text: string) => void = () => {},
  ) {
    this.#texts = texts;
    for (let index = 0; index < texts.length; index += 1) {
      const text = texts[index] as string;
      if (text !== "") this.#read(index, text, scanner, visit);
    }
  }

  #read(
    index: number,
    source: string,
    scanner: TextScanner,
    visit: (at: number, text: string) => void,
  ): void {
    scanner.scan(source);
    const view = scanner.specials.length > 0 ? viewOf(source, scanner.specials) : null;
    const text = view?.text ?? source;
    if (view !== null && text !== source) scanner.scanView(view, scanner.found(true));
    const at = this.#indexes.length;
    if (view !== null && text !== source) this.#made.set(at, { index, view, joints: null });
    this.#indexes.push(index);
    const broken = unwrapped(text, view, scanner.lines);
    if (scanner.hasFound) visit(at, text);
    const found = broken.length > 0 ? scanner.found(false) : NOTHING;
    for (const { view: part, joints } of broken) {
      const next = this.#indexes.length;
      this.#made.set(next, { index, view: part, joints });
      this.#indexes.push(index);
      scanner.scanView(part, found);
      // Most of them hold nothing: their text isn't even put together.
      if (scanner.hasFound) visit(next, part.text);
    }
  }

  get length(): number {
    return this.#indexes.length;
  }

  /** The piece of that number, or null beyond the first and the last. */
  at(number: number): Piece | null {
    const made = this.#made.get(number);
    if (made !== undefined) return made;
    const index = this.#indexes.at(number);
    if (index === undefined) return null;
    return { index, view: plainView(this.#texts[index] ?? ""), joints: null };
  }

  textAt(number: number): string | null {
    const made = this.#made.get(number);
    if (made !== undefined) return made.view.text;
    const index = this.#indexes.at(number);
    return index === undefined ? null : (this.#texts[index] ?? null);
  }
}

const NOTHING: FoundPlaces = { lists: [], ats: [], lines: null };

/** What was found in a piece that counts, at its places in the text. */
export function placeInText(piece: Piece, ranges: readonly SecretRange[]): FoundSecret[] {
  const { view } = piece;
  return ranges
    .filter(
      ({ start, end }) => end > start && (piece.joints === null || isAccepted(piece, start, end)),
    )
    .map(({ rule, start, end, value }) => ({
      rule,
      ...view.toSource(start, end),
      value: value ?? view.text.slice(start, end),
    }));
}

function isAccepted({ joints }: Piece, from: number, to: number): boolean {
  const list = joints ?? [];
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle] ?? 0) <= from) low = middle + 1;
    else high = middle;
  }
  return (list[low] ?? Infinity) < to;
}

/** A text as it is searched for secrets: as readers take it in, and its broken lines put together. */

import { PIECES_KEPT, SHORT_PIECE_MAX_CHARS } from "../core/limits.ts";
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
 * as a piece, and of the others that are short just so many in which nothing was found: there may be a million of them. A piece
 * that wasn't kept is made again from its text when it is asked for.
 */
export class Pieces {
  readonly #texts: readonly string[];
  readonly #scanner: TextScanner;
  /** By a piece's number: that of its text. */
  readonly #indexes = new NumberList();
  /** Those that differ from their text. */
  readonly #made = new Map<number, Piece>();
  /** Numbers of those that do and aren't kept, in order. */
  readonly #notKept = new NumberList();
  /** All pieces of the text of which one was made again last, and the number of the first. */
  #last: { readonly first: number; readonly pieces: readonly Piece[] } | null = null;

  /**
   * @param scanner reads each piece once, and those again that were not kept
   * @param visit is told the number and text of each piece in which something was found, while what the scanner says is about
   *   it; it says whether that means anything, so that the piece is kept
   */
  constructor(
    texts: readonly string[],
    scanner: TextScanner,
    visit: (at: number, text: string) => boolean = () => false,
  ) {
    this.#texts = texts;
    this.#scanner = scanner;
    for (let index = 0; index < texts.length; index += 1) {
      const text = texts[index] as string;
      if (text !== "") this.#read(index, text, visit);
    }
  }

  #read(index: number, source: string, visit: (at: number, text: string) => boolean): void {
    const scanner = this.#scanner;
    const view = scannedView(source, scanner);
    const { text } = view ?? { text: source };
    const at = this.#indexes.length;
    this.#indexes.push(index);
    const broken = unwrapped(text, view, scanner.lines);
    const isTelling = scanner.hasFound && visit(at, text);
    const isKept = source.length > SHORT_PIECE_MAX_CHARS;
    if (view !== null) this.#keep(at, { index, view, joints: null }, isKept || isTelling);
    const found = broken.length > 0 ? scanner.found(false) : NOTHING;
    for (const { view: part, joints } of broken) {
      const next = this.#indexes.length;
      this.#indexes.push(index);
      scanner.scanView(part, found);
      // Most of them hold nothing: their text isn't even put together.
      const tells = scanner.hasFound && visit(next, part.text);
      this.#keep(next, { index, view: part, joints }, isKept || tells);
    }
  }

  #keep(number: number, piece: Piece, isNeeded: boolean): void {
    if (isNeeded || this.#made.size < PIECES_KEPT) this.#made.set(number, piece);
    else this.#notKept.push(number);
  }

  get length(): number {
    return this.#indexes.length;
  }

  /** The piece of that number, or null beyond the first and the last. */
  at(number: number): Piece | null {
    const made = this.#madeAt(number);
    if (made !== null) return made;
    const index = this.#indexes.at(number);
    if (index === undefined) return null;
    return { index, view: plainView(this.#texts[index] ?? ""), joints: null };
  }

  textAt(number: number): string | null {
    const made = this.#madeAt(number);
    if (made !== null) return made.view.text;
    const index = this.#indexes.at(number);
    return index === undefined ? null : (this.#texts[index] ?? null);
  }

  /** The piece when it differs from its text, else null. */
  #madeAt(number: number): Piece | null {
    const made = this.#made.get(number);
    if (made !== undefined) return made;
    return this.#notKept.hasInOrder(number) ? this.#madeAgain(number) : null;
  }

  #madeAgain(number: number): Piece | null {
    const index = this.#indexes.at(number) ?? 0;
    let first = number;
    while (first > 0 && this.#indexes.at(first - 1) === index) first -= 1;
    if (this.#last?.first !== first)
      this.#last = { first, pieces: piecesOf(index, this.#texts[index] ?? "", this.#scanner) };
    return this.#last.pieces[number - first] ?? null;
  }
}

/** The text as it is taken in, where that differs from how it is spelled; the scanner has read it then. */
function scannedView(source: string, scanner: TextScanner): TextView | null {
  scanner.scan(source);
  const view = scanner.specials.length > 0 ? viewOf(source, scanner.specials) : null;
  if (view === null || view.text === source) return null;
  scanner.scanView(view, scanner.found(true));
  return view;
}

/** All pieces of one text. */
function piecesOf(index: number, source: string, scanner: TextScanner): readonly Piece[] {
  const view = scannedView(source, scanner) ?? plainView(source);
  const broken = unwrapped(view.text, view, scanner.lines);
  const parts = broken.map(({ view: part, joints }): Piece => ({ index, view: part, joints }));
  return [{ index, view, joints: null }, ...parts];
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

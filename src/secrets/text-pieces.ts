/** A text as it is searched for secrets: as readers take it in, and its broken lines put together. */
import type { FoundSecret, SecretRange } from "./secret-range.ts";
import { type TextView, viewOf } from "./text-view.ts";
import { unwrapped } from "./wrapped-lines.ts";

export interface Piece {
  /** Of the text. */
  readonly index: number;
  readonly view: TextView;
  /** Where broken lines were put together; a finding counts only when it spans one of them. */
  readonly joints: readonly number[] | null;
}

/** The texts, each followed by the broken lines in it. */
export function piecesOf(texts: readonly string[]): Piece[] {
  const pieces: Piece[] = [];
  for (const [index, text] of texts.entries()) {
    if (text === "") continue;
    const view = viewOf(text);
    pieces.push({ index, view, joints: null });
    for (const { view: part, joints } of unwrapped(view))
      pieces.push({ index, view: part, joints });
  }
  return pieces;
}

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

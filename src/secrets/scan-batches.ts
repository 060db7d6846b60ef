/** Many texts put together for scanning: a call for each of thousands of short ones would cost more than the scan. */
import { SECRET_SCAN_ALONE_CHARS, SECRET_SCAN_BATCH_CHARS } from "../core/limits.ts";
import type { FoundSecret, SecretRange } from "./secret-range.ts";
import { type TextView, viewOf } from "./text-view.ts";
import { unwrapped } from "./wrapped-lines.ts";

/** Between two texts: no rule's match spans it. */
const SEPARATOR = "\n\n\u0000\n\n";

interface Piece {
  /** Of the text. */
  readonly index: number;
  readonly view: TextView;
  /** Where broken lines were put together; a finding counts only when it spans one of them. */
  readonly joints: readonly number[] | null;
}

export interface Batch {
  readonly text: string;
  readonly pieces: readonly Piece[];
  /** Where each piece begins in the text. */
  readonly starts: readonly number[];
}

/** The texts as readers take them in, and the broken lines in them put together, in large batches. */
export function batchesOf(texts: readonly string[]): Batch[] {
  const batches: Batch[] = [];
  let pieces: Piece[] = [];
  let chars = 0;
  const close = () => {
    if (pieces.length > 0) batches.push(batchOf(pieces));
    pieces = [];
    chars = 0;
  };
  const add = (piece: Piece) => {
    const { length } = piece.view.text;
    if (length === 0) return;
    // A long text alone costs less than its copy.
    if (length > SECRET_SCAN_ALONE_CHARS) {
      batches.push(batchOf([piece]));
      return;
    }
    if (chars + length > SECRET_SCAN_BATCH_CHARS) close();
    pieces.push(piece);
    chars += length + SEPARATOR.length;
  };
  for (const [index, text] of texts.entries()) {
    const view = viewOf(text);
    add({ index, view, joints: null });
    for (const { view: part, joints } of unwrapped(view)) add({ index, view: part, joints });
  }
  close();
  return batches;
}

function batchOf(pieces: readonly Piece[]): Batch {
  const starts: number[] = [];
  let start = 0;
  for (const { view } of pieces) {
    starts.push(start);
    start += view.text.length + SEPARATOR.length;
  }
  const [first] = pieces;
  const isAlone = pieces.length === 1 && first !== undefined;
  const text = isAlone ? first.view.text : pieces.map(({ view }) => view.text).join(SEPARATOR);
  return { text, pieces, starts };
}

/** What was found in a batch, at its places in the texts: `onFound` gets the number of the text. */
export function placeInTexts(
  { text, pieces, starts }: Batch,
  ranges: readonly SecretRange[],
  onFound: (index: number, found: FoundSecret, isJoined: boolean) => void,
): void {
  for (const { rule, start, end, value } of ranges) {
    const at = pieceAt(starts, start);
    const piece = pieces[at];
    const offset = starts[at] ?? 0;
    // What reaches into the next text was never one secret.
    if (piece === undefined || end - offset > piece.view.text.length || end <= start) continue;
    const [from, to] = [start - offset, end - offset];
    if (piece.joints !== null && !isAccepted(piece, from, to)) continue;
    const place = piece.view.toSource(from, to);
    const found = { rule, ...place, value: value ?? text.slice(start, end) };
    onFound(piece.index, found, piece.joints !== null);
  }
}

function pieceAt(starts: readonly number[], place: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= place) low = middle;
    else high = middle - 1;
  }
  return low;
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

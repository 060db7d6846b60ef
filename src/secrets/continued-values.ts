/** The rest of a secret that a name or a header gave away, where quotes, a box or an indented next line cut it. */
import { SECRET_PIECES_MAX, TERMINAL_MIN_CHARS, WRAP_REACH_CHARS } from "../core/limits.ts";
import { type Joint, jointAt, pieceEnd } from "./continued-tokens.ts";
import { isPlace, isPublicId, isRandom, isWords } from "./secret-value.ts";
import { SegmentedView } from "./text-view.ts";

/** A shorter piece in the next line may be a word, whatever it looks like. */
const LINE_PIECE_MIN_CHARS = 8;

/**
 * All pieces of a value, put together; null when it ends where it seems to.
 * @param end of its first piece
 */
export function continuedValue(text: string, start: number, end: number): SegmentedView | null {
  // Most values end where they seem to.
  if (jointAt(text, end) === null) return null;
  const view = new SegmentedView(null);
  view.copy(text, start, end);
  let at = end;
  for (let count = 1; count < SECRET_PIECES_MAX; count += 1) {
    const joint = jointAt(text, at);
    if (joint === null) break;
    const nextEnd = pieceEnd(text, joint.end);
    if (nextEnd === joint.end || !isRest(text, at, joint, nextEnd, count > 1)) break;
    view.copy(text, joint.end, nextEnd);
    at = nextEnd;
  }
  return at === end ? null : view;
}

/** Whether what stands behind the joint goes on with the value, and is no word, assignment, path or commit. */
function isRest(
  text: string,
  end: number,
  joint: Joint,
  nextEnd: number,
  isGoingOn: boolean,
): boolean {
  if (joint.kind === "strings") return true;
  const piece = text.slice(joint.end, nextEnd);
  if (isPublicId(piece) || isPlace(piece) || /[=:]/.test(text.charAt(nextEnd))) return false;
  if (/^[A-Z][A-Z0-9_]*=./.test(piece)) return false;
  if (joint.kind === "box") return !isWord(piece);
  if (!isLineOfItsOwn(text, end, joint.end, nextEnd)) return false;
  // Behind a line that was nothing but a piece the last one may look like anything.
  return isGoingOn ? !isWord(piece) : piece.length >= LINE_PIECE_MIN_CHARS && isOdd(piece);
}

/** A word, or several that hyphens and dots join. */
function isWord(piece: string): boolean {
  return /^(?:[A-Z]?[a-z]{2,}|[A-Z]{2,})(?:[-_.:/](?:[A-Z]?[a-z]+|[A-Z]+|\d+))*[.:,]?$/.test(piece);
}

/** Nothing else stands in the next line, which is moved in, and not longer than that which was broken. */
function isLineOfItsOwn(text: string, end: number, next: number, nextEnd: number): boolean {
  if (!/[ \t]/.test(text.charAt(next - 1))) return false;
  if (!/^(?:\s|\\{1,7}r?n|\\{0,7}["'`]|$)/.test(text.slice(nextEnd, nextEnd + 8))) return false;
  if (/^[ \t]+\S/.test(text.slice(nextEnd, nextEnd + 48))) return false;
  // Of a longer line enough is seen.
  const before = text.slice(Math.max(0, end - WRAP_REACH_CHARS), end);
  const width = before.length - 1 - Math.max(before.lastIndexOf("\n"), before.lastIndexOf("\\n"));
  return width >= TERMINAL_MIN_CHARS && nextEnd - next <= width;
}

/** Characters as a generator mixes them, with no word among its parts. */
function isOdd(piece: string): boolean {
  const isMixed = /[a-z]/.test(piece) && /[A-Z]/.test(piece) && !isWords(piece);
  return (
    (isMixed || isRandom(piece)) &&
    !piece.split(/[/.+=_~%-]/).some((part) => /^[A-Z]?[a-z]{3,}$/.test(part))
  );
}

/** Tokens of providers that quotes, the frame of a box or an indented next line cut in two or more pieces. */
import { SECRET_PIECE_MAX_CHARS, SECRET_PIECES_MAX } from "../core/limits.ts";
import { nextString } from "./joined-strings.ts";
import { prefixAt, tokenAt, UNPREFIXED_BACK_CHARS, unprefixedTokens } from "./provider-tokens.ts";
import type { SecretRange } from "./secret-range.ts";
import { isPublicId, isRandom } from "./secret-value.ts";
import { SegmentedView } from "./text-view.ts";

/** A token's characters in one line. */
const PIECE = new RegExp(`[\\w.+/=~%-]{0,${SECRET_PIECE_MAX_CHARS}}`, "y");
/** The right side of a box, the end of the line and the left side; or a line that begins with blanks, a quote's or a comment's mark. */
const BROKEN_LINE =
  /([ \t]{0,2}[│┃║|▐▕][ \t]{0,2})?(?:\r?\n|\\{1,7}r?n)[ \t]{0,40}(?:(?:[│┃║|▌▏>#*]|\/\/)[ \t]{0,8})?/y;
/** What every joint begins with. */
const JOINT_BEGINS = /[\\"'`\s│┃║|▐▕]/;

/**
 * Tokens whose prefix stands in the first piece, each with all its pieces and what parts them as one range.
 * @param places where a prefix stands, in any order
 */
export function continuedTokens(text: string, places: readonly number[]): SecretRange[] {
  const ranges: SecretRange[] = [];
  for (const at of places) {
    const prefix = prefixAt(text, at);
    const range = prefix === null ? null : continuedToken(text, at, prefix);
    if (range !== null) ranges.push(range);
  }
  return ranges;
}

/** The same for tokens without a prefix; places of their anchors. */
export function continuedUnprefixed(text: string, places: readonly number[]): SecretRange[] {
  return places.flatMap((at) => {
    const start = Math.max(0, at - UNPREFIXED_BACK_CHARS);
    const end = pieceEnd(text, at + 1);
    const view = joinedPieces(text, start, end, false);
    if (view === null) return [];
    return unprefixedTokens(view.text, [at - start])
      .filter((token) => token.end > end - start)
      .map(({ rule, start: from, end: to }) => ({
        rule,
        ...view.toSource(from, to),
        value: view.text.slice(from, to),
      }));
  });
}

function continuedToken(text: string, at: number, prefix: string): SecretRange | null {
  const end = pieceEnd(text, at);
  if (!JOINT_BEGINS.test(text.charAt(end))) return null;
  const whole = tokenAt(text, at, prefix);
  // A token that something else ends goes on nowhere.
  if (whole !== null && whole.end !== end) return null;
  const view = joinedPieces(text, at, end, whole !== null);
  if (view === null) return null;
  const token = tokenAt(view.text, 0, prefix);
  if (token === null || token.end <= end - at) return null;
  const value = view.text.slice(0, token.end);
  return { rule: token.rule, ...view.toSource(0, token.end), value };
}

/** @param isWhole the first piece is a token already: the next line must look like more of one */
function joinedPieces(
  text: string,
  start: number,
  firstEnd: number,
  isWhole: boolean,
): SegmentedView | null {
  // Most tokens end where they seem to.
  if (jointAt(text, firstEnd) === null) return null;
  const view = new SegmentedView(null);
  view.copy(text, start, firstEnd);
  let end = firstEnd;
  let lastLength = 0;
  for (let count = 1; count < SECRET_PIECES_MAX; count += 1) {
    const joint = jointAt(text, end);
    if (joint === null) break;
    const next = joint.end;
    const nextEnd = pieceEnd(text, next);
    const piece = text.slice(next, nextEnd);
    if (piece === "") break;
    // Behind a line that was nothing but a piece, a last one that is not longer may look like less.
    const isGoingOn = count > 1 && piece.length <= lastLength;
    if (isWhole && !isRest(piece, joint.kind, isGoingOn)) break;
    lastLength = piece.length;
    view.copy(text, next, nextEnd);
    end = nextEnd;
  }
  return end === firstEnd ? null : view;
}

/** What cuts a secret. */
export interface Joint {
  readonly kind: "strings" | "box" | "line";
  /** Where the next piece begins. */
  readonly end: number;
}

/**
 * What cuts a secret at the end of a piece; null: nothing does.
 * @param inAnyList items of a list are pieces even where nothing joins them: for a secret that is known by its value
 */
export function jointAt(text: string, at: number, inAnyList = false): Joint | null {
  if (!JOINT_BEGINS.test(text.charAt(at))) return null;
  const strings = nextString(text, at, inAnyList);
  if (strings !== null) return { kind: "strings", end: strings };
  BROKEN_LINE.lastIndex = at;
  const line = BROKEN_LINE.exec(text);
  if (line === null) return null;
  return { kind: line[1] === undefined ? "line" : "box", end: BROKEN_LINE.lastIndex };
}

/** Not a word, an assignment, a path or a commit, which may stand in the line below a token. */
function isRest(piece: string, kind: Joint["kind"], isGoingOn: boolean): boolean {
  if (kind === "strings") return true;
  // A token that reaches the side of a box seldom ends there: only what is a word by all looks is none of it.
  if (kind === "box")
    return /\d|[a-z][A-Z]/.test(piece) && !(piece.length >= 32 && isPublicId(piece));
  if (!/^[\w-]{8,}$/.test(piece) || isPublicId(piece)) return false;
  return isRandom(piece) || (isGoingOn && /\d/.test(piece));
}

/** Where the piece that begins there ends. */
export function pieceEnd(text: string, at: number): number {
  PIECE.lastIndex = at;
  return PIECE.test(text) ? PIECE.lastIndex : at;
}

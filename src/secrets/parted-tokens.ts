/**
 * Tokens of providers whose pieces stand apart: in cells of a table, in items of an array, in values of variables, with
 * markup or a few words between them. The first piece holds the whole prefix; by that alone it is met.
 */
import {
  PARTED_TOKEN_GAP_MAX_CHARS as GAP_MAX_CHARS,
  SECRET_PIECE_MAX_CHARS as PIECE_MAX_CHARS,
  PARTED_TOKEN_PIECES_MAX as PIECES_MAX,
} from "../core/limits.ts";
import { prefixAt, tokenAt } from "./provider-tokens.ts";
import type { FoundSecret } from "./secret-range.ts";
import { isPublicId, isRandom } from "./secret-value.ts";

/** What stands behind the prefix in the first piece. */
const FIRST = new RegExp(`[\\w+/=.~%-]{0,${PIECE_MAX_CHARS}}`, "y");
/** A token that is shown cut on purpose: `ghp_4f9a…`, `sk-12ab***`. */
const SHORTENED = /\.{2}$|^(?:…|\.{2}|\*{3}|•|\[)/;
const PIECE = /\w[\w+/.~-]{2,199}={0,2}/g;
/** Between two pieces nothing but marks, tags that end a line, and the name that a value is assigned to. */
const MARKS =
  /^(?:[^\w<>]|<\/?(?:br|wbr|p|td|tr|li|b|i|em|strong|code|span)\b[^<>]{0,40}>|(?<=[\s;,{(])(?:export |const |let |var |set )?[A-Za-z_]\w{0,40}["']?[ \t]{0,4}(?:\+|:)?[=:](?!=))+$/;

/** What no generator makes: capitals alone may be the half of a key. */
const WORDS = /^(?=.{3})[A-Z]?[a-z]+(?:[-_.][a-z]+)*$/;
/** A digit between letters. */
const MIXED_IN = /^(?=.{8})[A-Za-z\d]*[A-Za-z]\d+[A-Za-z]/;

interface Piece {
  readonly start: number;
  readonly end: number;
}

/**
 * Tokens in pieces that stand apart; each with all of them, and what is between, as one range.
 * @param places where a prefix stands, in any order
 */
export function partedTokens(text: string, places: readonly number[]): FoundSecret[] {
  const found: FoundSecret[] = [];
  let passed = 0;
  for (const at of [...places].sort((a, b) => a - b)) {
    const prefix = at < passed ? null : prefixAt(text, at);
    if (prefix === null || tokenAt(text, at, prefix) !== null) continue;
    const first = firstPiece(text, at, prefix);
    if (first === null) continue;
    passed = first.end;
    const token = tokenFrom(text, first, prefix);
    if (token === null) continue;
    found.push(token);
    passed = Math.max(passed, token.end);
  }
  return found;
}

/** Null where a word goes on behind the prefix, or where the token is only hinted at. */
function firstPiece(text: string, start: number, prefix: string): Piece | null {
  FIRST.lastIndex = start + prefix.length;
  const written = FIRST.exec(text)?.[0] ?? "";
  const behind = start + prefix.length + written.length;
  if (SHORTENED.test(written) || SHORTENED.test(text.slice(behind, behind + 3))) return null;
  const rest = written.replace(/[.=]$/, "");
  if (WORDS.test(rest)) return null;
  return { start, end: start + prefix.length + rest.length };
}

function tokenFrom(text: string, first: Piece, prefix: string): FoundSecret | null {
  const head = text.slice(first.start, first.end);
  const asToken = (value: string, place: Piece): FoundSecret | null => {
    const token = tokenAt(value, 0, prefix);
    return token?.end === value.length ? { rule: token.rule, value, ...place } : null;
  };
  let joined = head;
  let last = first;
  for (const piece of piecesBehind(text, first.end)) {
    const isNear = MARKS.test(text.slice(last.end, piece.start));
    if (isNear ? isWord(text, piece) : !isApart(text, first, piece, prefix)) continue;
    const value = text.slice(piece.start, piece.end);
    joined += value;
    last = piece;
    const place = { start: first.start, end: piece.end };
    const token = asToken(joined, place) ?? asToken(head + value, place);
    if (token !== null) return token;
  }
  // `b="…"; a="ghp_…"; a + b`: a piece may stand before the one that it is put behind.
  for (const piece of piecesBefore(text, first.start)) {
    if (!isApart(text, first, piece, prefix)) continue;
    const value = head + text.slice(piece.start, piece.end);
    const token = asToken(value, { start: piece.start, end: first.end });
    if (token !== null) return token;
  }
  return null;
}

/** The next few, each not far from the one before. */
function* piecesBehind(text: string, from: number): Iterable<Piece> {
  const stretch = text.slice(from, from + (GAP_MAX_CHARS + PIECE_MAX_CHARS) * 2);
  let end = 0;
  for (const piece of longPieces(stretch)) {
    if (piece.start - end > GAP_MAX_CHARS) return;
    if (piece.isMixed) end = piece.end;
    yield { start: from + piece.start, end: from + piece.end };
  }
}

function piecesBefore(text: string, to: number): readonly Piece[] {
  const from = Math.max(0, to - GAP_MAX_CHARS);
  return longPieces(text.slice(from, to)).map(({ start, end }) => ({
    start: from + start,
    end: from + end,
  }));
}

/** Runs that can be a piece, with the full stop of a sentence left out. */
function longPieces(stretch: string): (Piece & { readonly isMixed: boolean })[] {
  const pieces: (Piece & { readonly isMixed: boolean })[] = [];
  for (const { index: start, 0: written } of stretch.matchAll(PIECE)) {
    const run = written.replace(/[.+-]+$/, "");
    // A name that something is assigned to, or a word.
    const behind = stretch.slice(start + run.length, start + run.length + 2);
    if (/^\+?[=:]/.test(behind) || /^[a-z]+$/.test(run)) continue;
    pieces.push({ start, end: start + run.length, isMixed: /\d|[a-z][A-Z]/.test(run) });
    if (pieces.length === PIECES_MAX) break;
  }
  return pieces;
}

function isWord(text: string, { start, end }: Piece): boolean {
  const value = text.slice(start, end);
  return isPublicId(value) || WORDS.test(value);
}

/** With words between them both must look like pieces, and stand between the same marks. */
function isApart(text: string, first: Piece, piece: Piece, prefix: string): boolean {
  const mark = text.charAt(first.start - 1);
  const value = text.slice(piece.start, piece.end);
  return (
    /["'`=|:]/.test(mark) &&
    mark === text.charAt(piece.start - 1) &&
    (isRandom(value) || MIXED_IN.test(value) || areCapitals(text, first, value)) &&
    !isPublicId(value) &&
    first.end - first.start >= prefix.length + 2
  );
}

/** Some keys have nothing but capitals and digits; then a piece may be without any digit. */
function areCapitals(text: string, { start, end }: Piece, value: string): boolean {
  return /^[A-Z\d]{6,}$/.test(value) && /^[A-Z\d]+$/.test(text.slice(start, end));
}

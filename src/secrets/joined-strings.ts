/** Strings that a program puts together: neighbours, sums, `concat`, and a list that `join` makes one. */
import { SECRET_PIECE_MAX_CHARS, SECRET_PIECES_MAX } from "../core/limits.ts";

const QUOTE = String.raw`\\{0,7}["'\x60]`;
const BLANKS = String.raw`[ \t]{0,8}`;
/** The end of a line, also as a text in JSON spells it, and how far the next one is moved in. */
const BREAK = String.raw`(?:\r?\n|\\{1,7}(?:r\\{1,7})?n)[ \t]{0,40}`;
/** Neighbours in the same quotes, with a sign between them or without, also in two lines. */
const NEIGHBOURS = String.raw`\\{0,7}(["'\x60])${BLANKS}(?:[+.&\\]${BLANKS})?(?:${BREAK}(?:[+.&]${BLANKS})?)?\\{0,7}\1`;
/** With a sign between them the quotes may differ. */
const SUM = `${QUOTE}${BLANKS}(?:[+.&]${BLANKS}(?:${BREAK})?|${BREAK}[+.&]${BLANKS})${QUOTE}`;
const CONCAT = String.raw`${QUOTE}\)?${BLANKS}(?:${BREAK})?\.concat\(${BLANKS}(?:${BREAK})?${QUOTE}`;
const JOINED = new RegExp(`${NEIGHBOURS}|${SUM}|${CONCAT}`, "y");

/** Two items of a list; a diff marks its lines. */
const ITEMS = `${QUOTE}${BLANKS},${BLANKS}(?:${BREAK}(?:[+-][ \\t]{0,40})?)?${QUOTE}`;
const NEXT_ITEM = new RegExp(ITEMS, "y");
const ITEM = String.raw`[^"'\x60\\\r\n]{0,${SECRET_PIECE_MAX_CHARS}}`;
const LIST_END = String.raw`${QUOTE}${BLANKS},?${BLANKS}(?:${BREAK}(?:[+-][ \t]{0,40})?)?\]${BLANKS}(?:${BREAK})?\.join\(${BLANKS}\\{0,7}(["'\x60])\\{0,7}\1`;
/** The rest of a list whose items `join("")` puts together, from the end of an item on. */
const LIST_REST = new RegExp(`(?:${ITEMS}${ITEM}){1,${SECRET_PIECES_MAX}}${LIST_END}`, "y");
const LIST_START = new RegExp(
  String.raw`\[${BLANKS}(?:${BREAK}(?:[+-][ \t]{0,40})?)?(?=(${QUOTE}${ITEM}))`,
  "y",
);

/**
 * Where the next string begins when a program puts it behind the one that ends at the place; null: it doesn't.
 * @param inAnyList items of a list count even where nothing says that they are joined
 */
export function nextString(text: string, at: number, inAnyList: boolean): number | null {
  const joined = matchEnd(JOINED, text, at);
  if (joined !== null) return joined;
  const next = matchEnd(NEXT_ITEM, text, at);
  return next !== null && (inAnyList || matchEnd(LIST_REST, text, at) !== null) ? next : null;
}

/** Where the first item stands of a list that begins there and whose items are joined; else the place itself. */
export function firstItem(text: string, at: number): number {
  LIST_START.lastIndex = at;
  const match = LIST_START.exec(text);
  if (match === null) return at;
  const start = LIST_START.lastIndex;
  const end = start + (match[1]?.length ?? 0);
  return matchEnd(LIST_REST, text, end) === null ? at : start;
}

function matchEnd(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}

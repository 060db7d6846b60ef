/** Tokens that their own form gives away. */
import type { Anchors } from "./anchor-tables.ts";
import type { SecretRange } from "./secret-range.ts";
import { isExampleToken } from "./secret-value.ts";
import { FORMS, type TokenForm } from "./token-forms.ts";

/** Forms whose prefix is not at the beginning, or is none. */
const UNPREFIXED: readonly { name: string; anchor: RegExp; back: number; pattern: RegExp }[] = [
  { name: "vendor-token", anchor: /:AA/y, back: 10, pattern: /\d{8,10}:AA[\w-]{33}(?![\w-])/y },
  {
    name: "azure-client-secret",
    anchor: /\dQ~/y,
    back: 3,
    pattern: /[\w.~-]{3}\dQ~[\w.~-]{31,34}/y,
  },
];
/** The most that stands before an anchor of them, with a character before that: none of a word. */
export const UNPREFIXED_BACK_CHARS = 11;
export const UNPREFIXED_ANCHORS: Anchors = {
  words: [":AA", ...Array.from("0123456789", (digit) => `${digit}Q~`)],
};

const BY_PREFIX = new Map<string, TokenForm[]>();
for (const each of FORMS) {
  for (const prefix of each.prefixes) {
    BY_PREFIX.set(prefix, [...(BY_PREFIX.get(prefix) ?? []), each]);
  }
}
/** Longer ones first: `sk_live_` before `sk_`. */
const PREFIX = new RegExp(
  [...BY_PREFIX.keys()]
    .sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
    .map((prefix) => prefix.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"))
    .join("|"),
  "y",
);
export const PREFIX_ANCHORS: Anchors = { words: [...BY_PREFIX.keys()] };

/**
 * Tokens of known providers in a text.
 * @param places where a prefix stands, in any order
 * @param onSuspect is told the place of each prefix that begins a long word which is no token: the
 *   scanner library looks there too
 */
export function providerTokens(
  text: string,
  places: readonly number[],
  onSuspect: (at: number) => void,
): SecretRange[] {
  const ranges: SecretRange[] = [];
  let end = 0;
  let last = -1;
  for (const at of inOrder(places)) {
    const prefix = at < end || at === last ? null : prefixAt(text, at);
    last = at;
    if (prefix === null) continue;
    const found = tokenAt(text, at, prefix);
    if (found === null) {
      if (isLongWord(text, at, prefix.length)) onSuspect(at);
      continue;
    }
    ranges.push(found);
    end = found.end;
  }
  return ranges;
}

function inOrder(places: readonly number[]): readonly number[] {
  return places.length < 2 ? places : [...places].sort((a, b) => a - b);
}

/** The prefix of a token that may begin there; null when a word goes on there, or none begins. */
export function prefixAt(text: string, at: number): string | null {
  PREFIX.lastIndex = at;
  const prefix = PREFIX.exec(text)?.[0] ?? null;
  if (prefix === null || !(startsWord(text, at) || GLUED.test(prefix))) return null;
  return prefix === "eyJ" && !startsRun(text, at) ? null : prefix;
}

/** Prefixes that no word ends with: such a token is one also behind a letter that nothing parts from it. */
const GLUED =
  /^(?:gh[pousr]_|github_pat_|glpat-|xox[bp]-|npm_|dckr_pat_|shp(?:at|ss|ca|pa)_|[sr]k_live_)$/;

const LONG_WORD = /[\w.+/=-]{16}/y;
/** Every token has so many of these in a row: in the prefix and behind it, or behind a prefix with a dot. */
const LONG_RUN = /[\w-]{14}/y;

function isLongWord(text: string, at: number, prefixLength: number): boolean {
  return (
    testAt(LONG_WORD, text, at + prefixLength) &&
    (testAt(LONG_RUN, text, at) || testAt(LONG_RUN, text, at + prefixLength))
  );
}

function testAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** @param places where an anchor of them stands */
export function unprefixedTokens(text: string, places: readonly number[]): SecretRange[] {
  const ranges: SecretRange[] = [];
  for (const at of places) {
    for (const { name, anchor, back, pattern } of UNPREFIXED) {
      anchor.lastIndex = at;
      const range = anchor.test(text) ? firstOf(text, pattern, at - back, at) : null;
      if (range !== null) ranges.push({ rule: name, ...range });
    }
  }
  return ranges;
}

/** The token that begins there with the prefix. */
export function tokenAt(text: string, start: number, prefix: string): SecretRange | null {
  for (const { name, rest, accepts } of BY_PREFIX.get(prefix) ?? []) {
    rest.lastIndex = start + prefix.length;
    if (!rest.test(text)) continue;
    const end = rest.lastIndex;
    const token = text.slice(start, end);
    if (isExampleToken(token)) continue;
    if (accepts === undefined || accepts(token)) return { rule: name, start, end };
  }
  return null;
}

function firstOf(text: string, pattern: RegExp, from: number, to: number) {
  for (let start = Math.max(0, from); start <= to; start += 1) {
    if (!startsWord(text, start)) continue;
    pattern.lastIndex = start;
    if (pattern.test(text)) return { start, end: pattern.lastIndex };
  }
  return null;
}

/**
 * Whether no letter or digit stands before the place. The letter of an escaped line break (`\n` in
 * JSON inside JSON) is none, nor are the two digits of `%22`.
 */
function startsWord(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const isDigit = before >= 48 && before <= 57;
  const isLetter = (before | 32) >= 97 && (before | 32) <= 122;
  if (!isDigit && !isLetter) return true;
  if (text.charCodeAt(at - 3) === 37 && /^[\da-f]{2}$/i.test(text.slice(at - 2, at))) return true;
  return isLetter && isEscapeLetter(text, at - 1);
}

/** A JSON Web Token is long: in a run of them only the first place is tried. */
function startsRun(text: string, at: number): boolean {
  return !/[-_]/.test(text.charAt(at - 1));
}

/** Whether the letter belongs to `\n`, `\r`, `\t`. */
export function isEscapeLetter(text: string, at: number): boolean {
  return text.charCodeAt(at - 1) === 92 && /[nrtbf]/.test(text.charAt(at));
}

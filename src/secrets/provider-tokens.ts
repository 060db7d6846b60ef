/** Tokens that their own form gives away. */
import {
  SECRET_CONTEXT_CHARS,
  SECRET_PREFIX_REACH_CHARS,
  SECRET_RUN_CHARS,
} from "../core/limits.ts";
import type { SecretRange } from "./secret-range.ts";
import { isExampleToken, isRandom } from "./secret-value.ts";
import { FORMS, type TokenForm } from "./token-forms.ts";

/** Forms whose prefix is not at the beginning, or is none. */
const UNPREFIXED: readonly { name: string; anchor: string; back: number; pattern: RegExp }[] = [
  { name: "vendor-token", anchor: ":AA", back: 10, pattern: /\d{8,10}:AA[\w-]{33}(?![\w-])/y },
  {
    name: "azure-client-secret",
    anchor: "Q~",
    back: 4,
    pattern: /[\w.~-]{3}\dQ~[\w.~-]{31,34}/y,
  },
];

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
/** The first two characters of the prefixes: most places are passed by on them. */
const IS_HEAD = new Uint8Array(1 << 14);
const HEAD_MASK = IS_HEAD.length - 1;
for (const prefix of BY_PREFIX.keys()) IS_HEAD[headSlot(prefix, 0)] = 1;

function headSlot(text: string, at: number): number {
  return ((text.charCodeAt(at) << 7) ^ text.charCodeAt(at + 1)) & HEAD_MASK;
}

/**
 * Tokens of known providers in a text. All of them have a long stretch without a separator: only
 * there a prefix is looked for.
 * @param onSuspect is told the place of each prefix that begins a word, token or not: the scanner
 *   library looks there too
 */
export function providerTokens(text: string, onSuspect: (at: number) => void): SecretRange[] {
  const ranges: SecretRange[] = [];
  let end = 0;
  for (const at of prefixPlaces(text)) {
    const prefix = at < end ? null : prefixAt(text, at);
    if (prefix === null) continue;
    const found = tokenAt(text, at, prefix);
    if (found !== null || isLongWord(text, at + prefix.length)) onSuspect(at);
    if (found === null) continue;
    ranges.push(found);
    end = found.end;
  }
  return [...ranges, ...unprefixed(text)];
}

/** Letters, digits, `_` and `-`, by their code. */
const IS_RUN = new Uint8Array(256);
for (const code of Buffer.from(
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-",
)) {
  IS_RUN[code] = 1;
}
const DOT = 46;
const SLASH = 47;

/**
 * Where a prefix may begin: in the stretches of at least SECRET_RUN_CHARS such characters, of which
 * one in that many is looked at. A prefix may end with a dot or hold a slash: behind one of them, what
 * stands before it belongs to the stretch. Bytes are read many times faster than characters; one
 * that isn't Latin passes for another, and is told apart when the prefix is read.
 */
function prefixPlaces(text: string): number[] {
  const bytes = Buffer.from(text, "latin1");
  const places: number[] = [];
  let passed = 0;
  for (let at = SECRET_RUN_CHARS - 1; at < bytes.length; at += SECRET_RUN_CHARS) {
    if (IS_RUN[bytes[at] as number] === 0) continue;
    let [start, end] = [at, at + 1];
    while (start > passed && IS_RUN[bytes[start - 1] as number] === 1) start -= 1;
    while (end < bytes.length && IS_RUN[bytes[end] as number] === 1) end += 1;
    if (end - start < SECRET_RUN_CHARS) continue;
    const before = bytes[start - 1];
    if (before === DOT || before === SLASH) start -= SECRET_PREFIX_REACH_CHARS;
    pushHeads(bytes, Math.max(passed, start), end, places);
    passed = end;
    at = Math.max(at, end - SECRET_RUN_CHARS);
  }
  return places;
}

function pushHeads(bytes: Buffer, start: number, end: number, places: number[]): void {
  for (let at = start; at < end - 1; at += 1) {
    const slot = ((bytes[at] as number) << 7) ^ (bytes[at + 1] as number);
    if (IS_HEAD[slot & HEAD_MASK] === 1) places.push(at);
  }
}

function prefixAt(text: string, at: number): string | null {
  if (!startsWord(text, at)) return null;
  PREFIX.lastIndex = at;
  const prefix = PREFIX.exec(text)?.[0] ?? null;
  return prefix === "eyJ" && !startsRun(text, at) ? null : prefix;
}

const LONG_WORD = /[\w.+/=-]{16}/y;

function isLongWord(text: string, at: number): boolean {
  LONG_WORD.lastIndex = at;
  return LONG_WORD.test(text);
}

function unprefixed(text: string): SecretRange[] {
  const ranges: SecretRange[] = [];
  for (const { name, anchor, back, pattern } of UNPREFIXED) {
    for (let at = text.indexOf(anchor); at !== -1; at = text.indexOf(anchor, at + 1)) {
      const range = firstOf(text, pattern, at - back, at);
      if (range !== null) ranges.push({ rule: name, ...range });
    }
  }
  return ranges;
}

function tokenAt(text: string, start: number, prefix: string): SecretRange | null {
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
 * JSON inside JSON) is none.
 */
export function startsWord(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const isDigit = before >= 48 && before <= 57;
  const isLetter = (before | 32) >= 97 && (before | 32) <= 122;
  if (!isDigit && !isLetter) return true;
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

const AWS_ID = /(?:AKIA|ASIA)[0-9A-Z]{16}/g;
const AWS_SECRET = /(?<![A-Za-z0-9/+=])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/g;

/** The bare secrets near an AWS id: nothing but the id beside them tells what they are. */
export function awsSecrets(text: string): SecretRange[] {
  const ranges: SecretRange[] = [];
  let seen = 0;
  for (const id of text.matchAll(AWS_ID)) {
    const from = Math.max(seen, id.index - SECRET_CONTEXT_CHARS);
    seen = Math.min(text.length, id.index + id[0].length + SECRET_CONTEXT_CHARS);
    if (from >= seen) continue;
    // A character more on both sides, so that no part of a longer run passes for one.
    const offset = Math.max(0, from - 41);
    for (const match of text.slice(offset, seen + 41).matchAll(AWS_SECRET)) {
      const start = offset + match.index;
      const isKey = /[A-Z]/.test(match[0]) && /[a-z]/.test(match[0]) && isRandom(match[0]);
      if (isKey) ranges.push({ rule: "aws-secret", start, end: start + match[0].length });
    }
  }
  return ranges;
}

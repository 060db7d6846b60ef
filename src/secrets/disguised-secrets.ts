/** Secrets that a text spells so that no search for their form finds them: encoded, or in pieces. */

import { SECRET_PIECE_MAX_CHARS as PIECE_MAX_CHARS } from "../core/limits.ts";
import { anchorFinder } from "./anchor-finder.ts";
import { anchorTables } from "./anchor-tables.ts";
import { type EncodedRun, encodedRuns, wrappedRuns } from "./encoded-runs.ts";
import { findShapedSecrets } from "./find-secrets.ts";
import { partedTokens } from "./parted-tokens.ts";
import {
  PREFIX_ANCHORS,
  providerTokens,
  UNPREFIXED_ANCHORS,
  unprefixedTokens,
} from "./provider-tokens.ts";
import type { FoundSecret, SecretRange } from "./secret-range.ts";
import { SegmentedView } from "./text-view.ts";

/** Between two pieces of one token: the end of a line with the marks of the next, or a joined string. */
const JOINT =
  /(?=["'`\\+.& \t\n])(?:["'`]?[ \t]{0,8}(?:\\|\+|\.\.|&)?[ \t]{0,8}\n[ \t>]{0,32}(?:[-*+][ \t]{1,4}|\d{1,3}[.)][ \t]{1,4}|#[ \t]?|\/\/[ \t]?)?["'`]?|["'][ \t]{0,8}(?:\+|\.|&|,)?[ \t]{0,8}["'])/g;
/** What of a token may stand at a line's end, and at the next one's beginning. */
const LEFT_PIECE = /[\w.+/=:~-]*$/;
const RIGHT_PIECE = /^[\w.+/=:~-]*/;
/** The shortest token of the tables: `xoxb-` and ten more. */
const TOKEN_MIN_CHARS = 15;
const PERSONAL: ReadonlySet<string> = new Set(["email", "home-user", "private-ip"]);

/** Whether a finding is about a person or a machine, not about a secret. */
export function isPersonalData({ rule }: Pick<FoundSecret, "rule">): boolean {
  return PERSONAL.has(rule);
}

/** Secrets whose base64 stands in a text, or their characters' numbers in hexadecimal, also over several lines; ranges are those of that. Other forms are left out. */
export function encodedSecrets(text: string): FoundSecret[] {
  const found: FoundSecret[] = [];
  for (const { index: start, text: run } of encodedRuns(text)) {
    const secret = secretIn(run);
    if (secret === null) continue;
    found.push({ rule: secret.rule, start, end: start + run.length, value: secret.value });
  }
  const starts = new Set(found.map(({ start }) => start));
  for (const pieces of wrappedRuns(text)) {
    if (pieces.some(({ index }) => starts.has(index))) continue;
    const wrapped = wrappedSecret(pieces);
    if (wrapped !== null) found.push(wrapped);
  }
  return found.sort((a, b) => a.start - b.start);
}

/** The line above or below may be another text's, which only looks like base64. */
function wrappedSecret(pieces: readonly EncodedRun[]): FoundSecret | null {
  for (const [from, to] of [[0], [0, -1], [1], [1, -1]]) {
    const part = pieces.slice(from, to);
    const [first, last] = [part[0], part.at(-1)];
    if (first === undefined || last === undefined || first === last) continue;
    const secret = secretIn(part.map((piece) => piece.text).join(""));
    if (secret === null) continue;
    const end = last.index + last.text.length;
    return { rule: secret.rule, start: first.index, end, value: secret.value };
  }
  return null;
}

/** Two characters for each of a secret's, as far as they are printable ASCII. */
const HEX = /^(?:[2-7][0-9a-f]|0[9ad]){8,}$/i;

/** The first secret that base64 holds, or hexadecimal digits. */
function secretIn(run: string): FoundSecret | null {
  const decoded = Buffer.from(run, "base64").toString("latin1");
  // Encoded twice is encoded still.
  const inner = /^[A-Za-z0-9+/=\s]{24,}$/.test(decoded)
    ? Buffer.from(decoded, "base64").toString("latin1")
    : "";
  const spelled = HEX.test(run) ? Buffer.from(run, "hex").toString("latin1") : "";
  const secrets = [decoded, inner, spelled]
    .filter((each) => /^[\t\n\r -~]{8,}$/.test(each))
    .flatMap(findShapedSecrets);
  return secrets.find((each) => !isPersonalData(each)) ?? null;
}

/**
 * Tokens of providers in two or more pieces: over the end of a line, a list's items, joined strings; also with more between them.
 * @param hasPrefix false where it is known that nothing in the text begins as a token does (`searchShapes`)
 */
export function splitSecrets(text: string, hasPrefix = true): FoundSecret[] {
  const cut = cutSecrets(text);
  const [prefixes = []] = hasPrefix ? anchorsOf(text) : [];
  // Most texts.
  if (prefixes.length === 0) return cut;
  const known = new Set(cut.map(({ start }) => start));
  return [...cut, ...partedTokens(text, prefixes).filter(({ start }) => !known.has(start))];
}

function cutSecrets(text: string): FoundSecret[] {
  const { view, joints } = joinedRuns(text);
  // Most texts.
  if (view.length === 0) return [];
  const anchors = anchorsOf(view.text);
  // Most texts: nothing in them begins as a token does, wherever it is cut.
  if (anchors.every((places) => places.length === 0)) return [];
  // Before the next text is looked at: the lists of places are that one's then.
  const tokens = tokensOf(view.text, anchors);
  const whole = new Set(tokensOf(text).map(({ start }) => start));
  const found: FoundSecret[] = [];
  let next = 0;
  for (const { rule, start, end: tokenEnd } of tokens) {
    while (next < joints.length && (joints[next] ?? 0) <= start) next += 1;
    const place = view.toSource(start, tokenEnd);
    // One that is whole before the joint is no piece of a longer one.
    if ((joints[next] ?? Infinity) >= tokenEnd || whole.has(place.start)) continue;
    found.push({ rule, ...place, value: view.text.slice(start, tokenEnd) });
  }
  const known = new Set([...whole, ...found.map((one) => one.start)]);
  return [...found, ...pairs(text).filter((pair) => !known.has(pair.start))];
}

/**
 * The runs of characters that tokens are made of, with what cuts them taken out, as far as they are cut and long enough for
 * a token; and where they were cut. Around each stands what stands there in the text.
 */
function joinedRuns(text: string): { view: SegmentedView; joints: readonly number[] } {
  const view = new SegmentedView(null);
  const joints: number[] = [];
  /** Of one run, the beginning and the end of each. */
  let pieces: number[] = [];
  const add = (start: number, end: number) => {
    if (end > start) pieces.push(start, end);
  };
  const put = () => {
    let length = 0;
    for (let at = 0; at < pieces.length; at += 2)
      length += (pieces[at + 1] ?? 0) - (pieces[at] ?? 0);
    if (pieces.length > 2 && length >= TOKEN_MIN_CHARS) copy(pieces);
    pieces = [];
  };
  const copy = ([first = 0, firstEnd = 0, ...others]: readonly number[]) => {
    view.copy(text, Math.max(0, first - WORD_START_CHARS), firstEnd);
    let last = firstEnd;
    for (let at = 0; at < others.length; at += 2) {
      joints.push(view.length);
      last = others[at + 1] ?? 0;
      view.copy(text, others[at] ?? 0, last);
    }
    view.copy(text, last, Math.min(text.length, last + 1));
  };
  let from = 0;
  JOINT.lastIndex = 0;
  for (let joint = JOINT.exec(text); joint !== null; joint = JOINT.exec(text)) {
    const end = joint.index;
    const first = runBefore(text, from, end);
    if (first > from && from > 0) {
      add(from, runBehind(text, from, end));
      put();
    }
    add(first, end);
    from = end + joint[0].length;
  }
  add(from, runBehind(text, from, text.length));
  put();
  return { view, joints };
}

/** How much before a token tells whether a word begins with it. */
const WORD_START_CHARS = 3;

/** Where the run of a token's characters begins that ends at `end`, from `start` on. */
function runBefore(text: string, start: number, end: number): number {
  let first = end;
  while (first > start && isOfToken(text.charCodeAt(first - 1))) first -= 1;
  return first;
}

function runBehind(text: string, start: number, end: number): number {
  let behind = start;
  while (behind < end && isOfToken(text.charCodeAt(behind))) behind += 1;
  return behind;
}

function isOfToken(code: number): boolean {
  return OF_TOKEN[code] === 1;
}

const OF_TOKEN = new Uint8Array(128).map((_, code) =>
  Number(/[\w.+/=:~%@-]/.test(String.fromCharCode(code))),
);

/**
 * Tokens in two pieces with words on their lines' other sides: joined whole, the lines would make one
 * longer word of them.
 */
function pairs(text: string): FoundSecret[] {
  const found: FoundSecret[] = [];
  for (const { index, 0: joint } of text.matchAll(JOINT)) {
    const after = index + joint.length;
    const left =
      LEFT_PIECE.exec(text.slice(Math.max(0, index - PIECE_MAX_CHARS), index))?.[0] ?? "";
    const right = RIGHT_PIECE.exec(text.slice(after, after + PIECE_MAX_CHARS))?.[0] ?? "";
    // Neither a token nor a half of one: most words at a line's end.
    if (left.length < 4 || left.length + right.length < 16) continue;
    for (const { rule, start, end } of tokensOf(left + right)) {
      if (start >= left.length || end <= left.length) continue;
      const value = (left + right).slice(start, end);
      found.push({
        rule,
        start: index - left.length + start,
        end: after + end - left.length,
        value,
      });
    }
  }
  return found;
}

/** Made at the first use. */
let findPrefixes: ReturnType<typeof anchorFinder> | null = null;

/** Where tokens may begin: those with a prefix, those without. */
function anchorsOf(text: string): readonly (readonly number[])[] {
  findPrefixes ??= anchorFinder(anchorTables([PREFIX_ANCHORS, UNPREFIXED_ANCHORS]), { words: [] });
  return findPrefixes(text) ?? [];
}

/** Tokens of providers by their form alone, in the order of the text. */
function tokensOf(text: string, anchors = anchorsOf(text)): SecretRange[] {
  const [prefixes = [], others = []] = anchors;
  const tokens = [...providerTokens(text, prefixes, () => {}), ...unprefixedTokens(text, others)];
  return tokens.sort((a, b) => a.start - b.start);
}

import { ANCHOR_SCAN_CHARS } from "../core/limits.ts";

/** Short texts one of which stands in or before every secret of a rule; each of at least three characters. */
export interface Anchors {
  readonly words: readonly string[];
  readonly ignoreCase?: boolean;
}

interface Anchor {
  readonly group: number;
  readonly codes: readonly number[];
  readonly ignoreCase: boolean;
  /** Of the pair that was seen, from the anchor's beginning. */
  readonly offset: number;
}

const PAIRS = 1 << 16;
/** Pairs of letters from frequent to rare, in code, prose and tool output: an anchor is looked for by its rarest pair. */
const FREQUENT: ReadonlyMap<string, number> = new Map(
  (
    "er in or re on al de th st an le te ro ri ar co es en ea il ll ha me ve nt it he ti ra ad at el nd " +
    "ur pe si ed fi is se to ce be ta mb un ch ne no rt tu -- et ns ir tr ma em as ba io gr ct im rn ec " +
    "qu am pr la pa fo um ex ul ss li ag ep od ke na ty id ut nl om ou va ng rc do ni ie yp if fr mm ol " +
    "ts ge ph rb xt wi nc ai ow su po"
  )
    .split(" ")
    .reverse()
    .map((pair, rank) => [pair, rank + 1]),
);

/** Before the text, so that its first character has one before it too. */
const LEAD_BYTES = 2;
/** The text's characters, two at a time. Shared by all passes: a buffer for each text would be garbage. */
const bytes = Buffer.alloc(LEAD_BYTES + ANCHOR_SCAN_CHARS + 2);
const pairs = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);

/**
 * A function that gives the places of all anchors in a text: a list for each group of the tables, in
 * order, and one for the own anchors; or null when there is none at all. They are good until its next call.
 *
 * It is one pass that looks at every other place of the text only: of two pairs of neighbours, one at
 * an even and one at an odd place of an anchor, one is always met. Bytes are read several times faster
 * than characters; one that isn't Latin passes for another there, and is told apart in the text.
 */
export function anchorFinder(
  base: AnchorTables,
  own: Anchors,
): (text: string) => readonly number[][] | null {
  const tables = withAnchors(base, own);
  const { longest } = tables;
  const step = ANCHOR_SCAN_CHARS - longest;
  const places: number[][] = Array.from({ length: tables.groups }, () => []);
  let isEmpty = true;
  const look = (text: string, from: number) => {
    // Short of the next block by one anchor: each is met in the block where it begins, and whole there.
    const end = Math.min(from + step, text.length);
    const block = text.slice(from, from + step + longest);
    const count = (LEAD_BYTES + bytes.write(block, LEAD_BYTES, "latin1") + 1) >> 1;
    for (let at = nextMet(tables, 1, count); at < count; at = nextMet(tables, at + 1, count)) {
      for (const anchor of anchorsAt(tables, pairs[at] as number)) {
        const place = from + 2 * at - LEAD_BYTES - anchor.offset;
        if (place < from || place >= end || !standsAt(text, place, anchor)) continue;
        (places[anchor.group] as number[]).push(place);
        isEmpty = false;
      }
    }
  };
  return (text) => {
    if (!isEmpty) for (const list of places) if (list.length > 0) list.length = 0;
    isEmpty = true;
    for (let from = 0; from < text.length; from += step) look(text, from);
    return isEmpty ? null : places;
  };
}

/** The next place where three characters of an anchor may be. It calls nothing, so that it stays fast. */
function nextMet({ marks }: AnchorTables, from: number, count: number): number {
  for (let at = from; at < count; at += 1) {
    const pair = pairs[at] as number;
    const mark = marks[pair] as number;
    if ((mark & (PAIR | LAST_PAIR)) === 0) continue;
    const isMet =
      ((mark & PAIR) !== 0 &&
        ((marks[tripleOf(pair, bytes[2 * at + 2] as number)] as number) & TRIPLE) !== 0) ||
      ((mark & LAST_PAIR) !== 0 &&
        ((marks[tripleOf(pair, bytes[2 * at - 1] as number)] as number) & LAST_TRIPLE) !== 0);
    if (isMet) return at;
  }
  return count;
}

function anchorsAt({ anchors, own }: AnchorTables, pair: number): readonly Anchor[] {
  return own?.get(pair) ?? anchors.get(pair) ?? NO_ANCHORS;
}

const NO_ANCHORS: readonly Anchor[] = [];

/** A slot for a pair and a character beside it: numbers that lie together lie far apart there. */
function tripleOf(pair: number, third: number): number {
  return Math.imul(pair | (third << 16), 0x9e3779b1) >>> 16;
}

function standsAt(text: string, place: number, { codes, ignoreCase }: Anchor): boolean {
  if (place + codes.length > text.length) return false;
  for (let at = 0; at < codes.length; at += 1) {
    const code = text.charCodeAt(place + at);
    if (code === codes[at]) continue;
    if (!ignoreCase || code < 65 || code > 90 || (code | 32) !== codes[at]) return false;
  }
  return true;
}

/** What tells where anchors may be. */
export interface AnchorTables {
  readonly groups: number;
  /** The longest anchor's characters. */
  readonly longest: number;
  /**
   * By a pair: whether it is in an anchor, or ends one. By a slot that others may share: whether one of
   * those is with the character behind it, or, at the end, with that before it.
   */
  readonly marks: Uint8Array;
  /** A pair's anchors. */
  readonly anchors: ReadonlyMap<number, readonly Anchor[]>;
  /** Those of the pairs that the last group's anchors hold too, with these; null: none were added. */
  readonly own: ReadonlyMap<number, readonly Anchor[]> | null;
}

const PAIR = 1;
const LAST_PAIR = 2;
const TRIPLE = 4;
const LAST_TRIPLE = 8;

export function anchorTables(groups: readonly Anchors[]): AnchorTables {
  const anchors = new Map<number, readonly Anchor[]>();
  const marks = new Uint8Array(PAIRS);
  for (const [group, each] of groups.entries()) enter({ marks, anchors }, each, group);
  return { groups: groups.length, longest: longestOf(groups), marks, anchors, own: null };
}

/**
 * The tables with one more group. They share the marks: to copy them for each session would take longer
 * than many a session, and a mark too many costs a look, but hides nothing.
 */
function withAnchors(base: AnchorTables, group: Anchors): AnchorTables {
  const own = new Map<number, readonly Anchor[]>();
  enter({ marks: base.marks, anchors: own }, group, base.groups);
  for (const [pair, list] of own) own.set(pair, [...(base.anchors.get(pair) ?? []), ...list]);
  const longest = Math.max(base.longest, longestOf([group]));
  return { ...base, groups: base.groups + 1, longest, own };
}

function longestOf(groups: readonly Anchors[]): number {
  return groups
    .flatMap(({ words }) => words)
    .reduce((most, word) => Math.max(most, word.length), 0);
}

interface EnteredTables {
  readonly marks: Uint8Array;
  readonly anchors: Map<number, readonly Anchor[]>;
}

function enter(tables: EnteredTables, { words, ignoreCase = false }: Anchors, group: number): void {
  for (const word of words) {
    const codes = Array.from(ignoreCase ? word.toLowerCase() : word, (c) => c.charCodeAt(0));
    for (const parity of [0, 1])
      enterPair(tables, word, { group, codes, ignoreCase, offset: rarest(word, parity) });
  }
}

function enterPair({ marks, anchors }: EnteredTables, word: string, anchor: Anchor): void {
  const { offset, ignoreCase } = anchor;
  const isLast = offset + 2 === word.length;
  const thirds = codesOf(word.charAt(isLast ? offset - 1 : offset + 2), ignoreCase);
  for (const pair of pairsAt(word, offset, ignoreCase)) {
    marks[pair] = (marks[pair] ?? 0) | (isLast ? LAST_PAIR : PAIR);
    for (const third of thirds) {
      const slot = tripleOf(pair, third);
      marks[slot] = (marks[slot] ?? 0) | (isLast ? LAST_TRIPLE : TRIPLE);
    }
    anchors.set(pair, [...(anchors.get(pair) ?? []), anchor]);
  }
}

/** Where in a word the pair is that is rarest of those at even (0) or odd (1) places. */
function rarest(word: string, parity: number): number {
  let [best, least] = [parity, frequency(word, parity)];
  for (let at = parity + 2; at + 2 <= word.length; at += 2) {
    const own = frequency(word, at);
    if (own < least) [best, least] = [at, own];
  }
  return best;
}

function frequency(word: string, at: number): number {
  // The last pair of a word is told from others by the character before it, which costs more.
  return (FREQUENT.get(word.slice(at, at + 2)) ?? 0) + (at + 2 === word.length ? 0.5 : 0);
}

/** A character in each case, as the scan reads it; none of no character. */
function codesOf(character: string, ignoreCase: boolean): number[] {
  if (character === "") return [];
  const cases = ignoreCase ? [character.toLowerCase(), character.toUpperCase()] : [character];
  return [...new Set(cases)].map((each) => each.charCodeAt(0) & 255);
}

/** Two characters as the scan reads them, in every case. */
function pairsAt(word: string, at: number, ignoreCase: boolean): number[] {
  const seconds = codesOf(word.charAt(at + 1), ignoreCase);
  return codesOf(word.charAt(at), ignoreCase).flatMap((first) =>
    seconds.map((second) => (IS_LITTLE_ENDIAN ? first | (second << 8) : second | (first << 8))),
  );
}

/** How the machine puts two bytes together. */
const IS_LITTLE_ENDIAN = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

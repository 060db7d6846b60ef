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

/** The text's characters, two at a time. Shared by all passes: a buffer for each text would be garbage. */
const bytes = Buffer.alloc(ANCHOR_SCAN_CHARS + 2);
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
    const count = (bytes.write(text.slice(from, from + step + longest), "latin1") + 1) >> 1;
    for (let at = nextMet(tables, 0, count); at < count; at = nextMet(tables, at + 1, count)) {
      const anchors = tables.anchors[tables.slots[pairs[at] as number] as number] as Anchor[];
      for (const anchor of anchors) {
        const place = from + 2 * at - anchor.offset;
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
function nextMet({ isPair, isTriple }: AnchorTables, from: number, count: number): number {
  for (let at = from; at < count; at += 1) {
    const pair = pairs[at] as number;
    if (isPair[pair] === 0) continue;
    if (isTriple[tripleOf(pair, bytes[2 * at + 2] as number)] === 1) return at;
  }
  return count;
}

/** A slot for a pair and the character behind it. */
function tripleOf(pair: number, third: number): number {
  return (Math.imul(pair, 181) ^ (third << 8) ^ third) & (PAIRS - 1);
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
  /** Which pairs there are in anchors. */
  readonly isPair: Uint8Array;
  /** Which of them with the next character, by a slot that others may share. */
  readonly isTriple: Uint8Array;
  /** The number of a pair's anchors. */
  readonly slots: Uint16Array;
  readonly anchors: readonly (readonly Anchor[])[];
}

export function anchorTables(groups: readonly Anchors[]): AnchorTables {
  const none: AnchorTables = {
    groups: 0,
    longest: 0,
    isPair: new Uint8Array(PAIRS),
    isTriple: new Uint8Array(PAIRS),
    slots: new Uint16Array(PAIRS),
    anchors: [[]],
  };
  return groups.reduce(withAnchors, none);
}

/** A copy of the tables with one more group: to make them anew for each session would take longer than many a session. */
function withAnchors(base: AnchorTables, { words, ignoreCase = false }: Anchors): AnchorTables {
  const tables = {
    groups: base.groups + 1,
    longest: words.reduce((most, { length }) => Math.max(most, length), base.longest),
    isPair: base.isPair.slice(),
    isTriple: base.isTriple.slice(),
    slots: base.slots.slice(),
    anchors: [...base.anchors],
  };
  for (const word of words) {
    const codes = [...(ignoreCase ? word.toLowerCase() : word)].map((c) => c.charCodeAt(0));
    for (const offset of [rarest(word, 0), rarest(word, 1)])
      enter(tables, word, { group: base.groups, codes, ignoreCase, offset });
  }
  return tables;
}

function enter(
  tables: AnchorTables & { anchors: (readonly Anchor[])[] },
  word: string,
  anchor: Anchor,
): void {
  const { offset, ignoreCase } = anchor;
  const thirds = casesOf(word.charAt(offset + 2), ignoreCase).map((c) => c.charCodeAt(0) & 255);
  for (const pair of pairsAt(word, offset, ignoreCase)) {
    tables.isPair[pair] = 1;
    for (const third of thirds.length > 0 ? thirds : ANY)
      tables.isTriple[tripleOf(pair, third)] = 1;
    const slot = tables.slots[pair] || tables.anchors.push([]) - 1;
    tables.slots[pair] = slot;
    tables.anchors[slot] = [...(tables.anchors[slot] ?? []), anchor];
  }
}

const ANY = Array.from({ length: 256 }, (_, code) => code);

/** Where in a word the pair is that is rarest of those at even (0) or odd (1) places. */
function rarest(word: string, parity: number): number {
  let best = parity;
  for (let at = parity; at + 2 <= word.length; at += 2) {
    if (frequency(word, at) < frequency(word, best)) best = at;
  }
  return best;
}

function frequency(word: string, at: number): number {
  // The last pair of a word has no character of it behind it, which would tell it from others.
  return (FREQUENT.get(word.slice(at, at + 2)) ?? 0) + (at + 2 === word.length ? 0.5 : 0);
}

function casesOf(character: string, ignoreCase: boolean): string[] {
  const cases = ignoreCase ? [character.toLowerCase(), character.toUpperCase()] : [character];
  return [...new Set(cases)].filter((each) => each !== "");
}

/** Two characters as the scan reads them, in every case. */
function pairsAt(word: string, at: number, ignoreCase: boolean): number[] {
  const seconds = casesOf(word.charAt(at + 1), ignoreCase);
  const spellings = casesOf(word.charAt(at), ignoreCase).flatMap((a) => seconds.map((b) => a + b));
  return spellings.map((each) => {
    const two = new Uint8Array(Buffer.from(each, "latin1"));
    return new Uint16Array(two.buffer)[0] ?? 0;
  });
}

/** Short texts that stand in or before secrets, and the tables by which a pass over a text meets them. */

/** Short texts one of which stands in or before every secret of a rule; each of at least three characters. */
export interface Anchors {
  readonly words: readonly string[];
  readonly ignoreCase?: boolean;
}

export interface Anchor {
  readonly group: number;
  readonly codes: readonly number[];
  /** The codes as the scan reads them, in one case. */
  readonly folded: readonly number[];
  readonly ignoreCase: boolean;
  /** Of the pair that was seen, from the anchor's beginning. */
  readonly offset: number;
}

const PAIRS = 1 << 16;
/** Pairs of letters from frequent to rare, in code, prose and tool output: an anchor is looked for by its rarest pair. */
const FREQUENT: ReadonlyMap<number, number> = new Map(
  (
    "er in or re on al de th st an le te ro ri ar co es en ea il ll ha me ve nt it he ti ra ad at el nd " +
    "ur pe si ed fi is se to ce be ta mb un ch ne no rt tu -- et ns ir tr ma em as ba io gr ct im rn ec " +
    "qu am pr la pa fo um ex ul ss li ag ep od ke na ty id ut nl om ou va ng rc do ni ie yp if fr mm ol " +
    "ts ge ph rb xt wi nc ai ow su po"
  )
    .split(" ")
    .reverse()
    .map((pair, rank) => [(pair.charCodeAt(0) << 8) | pair.charCodeAt(1), rank + 1]),
);

/**
 * By a pair: whether it is in an anchor, or ends one. By a slot that others may share: whether one of those is with the
 * character behind it, or, at the end, with that before it. All tables have these in common: to make them for each session
 * would take longer than many a session, and a mark too many costs a look, but hides nothing. What is a constant of
 * its module is read twice as fast as what a function is given.
 */
export const marks = new Uint8Array(PAIRS);
/** By a pair: 1 where it has a mark that says something by the pair alone. */
export const marked = new Uint8Array(PAIRS);

/**
 * By a slot for three neighbours in any case: 1 where an anchor has them, or others of the slot. All tables have it
 * in common, as the marks.
 */
const inAnchors = new Uint8Array(PAIRS);

/** What tells where anchors may be. */
export interface AnchorTables {
  readonly groups: number;
  /** The longest anchor's characters. */
  readonly longest: number;
  /** A pair's anchors. */
  readonly anchors: ReadonlyMap<number, readonly Anchor[]>;
  /** The same by the pair's number, which is 0 for a pair of none: a list is found faster than in a map. */
  readonly numbers: Uint16Array;
  readonly lists: readonly (readonly Anchor[])[];
  /** Those of the pairs that the last group's anchors hold too, with these; null: none were added. */
  readonly own: ReadonlyMap<number, readonly Anchor[]> | null;
}

/** Marks of pairs: in an anchor, at an anchor's end, and a character among them that says something by itself. */
const PAIR = 1;
const LAST_PAIR = 2;
export const SIGN_BIT = 4;
const SIGN = 1 << SIGN_BIT;
const PAIR_MARKS = PAIR | LAST_PAIR | SIGN;
/** Which of a pair's characters is a sign or a backslash. */
export const FIRST_IS_SIGN_BIT = 6;
export const SECOND_IS_SIGN_BIT = 7;
/** The mark of pairs that may be of an own anchor. */
const OWN_PAIR = 32;
/** Marks of slots: the pair with the character behind it, and with that before it. */
export const TRIPLE_BIT = 2;
const TRIPLE = 1 << TRIPLE_BIT;
export const LAST_TRIPLE_BIT = 3;
const LAST_TRIPLE = 1 << LAST_TRIPLE_BIT;

const BACKSLASH = 0x5c;
/**
 * Characters that say something about a text by themselves, as the scan reads them: ends of lines, `@`, the escape
 * character, NUL, and the low bytes of the invisible characters U+00AD, U+200B to U+200D, U+2060, U+FEFF.
 */
const SIGNS = [0x0a, 0x40, 0x1b, 0, 0xad, 0x0b, 0x0c, 0x0d, 0x60, 0xff];
/** What may stand behind the backslash of an escape that is read as another character; most backslashes are of `\"`. */
export const ESCAPE_LETTERS: ReadonlySet<number> = new Set(Buffer.from("ux0e/_\r\n"));

function mark(pair: number, own: number): void {
  marks[pair] = (marks[pair] as number) | own;
  if ((own & PAIR_MARKS) !== 0) marked[pair] = 1;
}

function enterSigns(): void {
  for (let other = 0; other < 256; other += 1) {
    for (const sign of [...SIGNS, BACKSLASH]) {
      mark(pairOf(sign, other), 1 << FIRST_IS_SIGN_BIT);
      mark(pairOf(other, sign), 1 << SECOND_IS_SIGN_BIT);
    }
    for (const sign of SIGNS) {
      mark(pairOf(sign, other), SIGN);
      mark(pairOf(other, sign), SIGN);
    }
    const beforeBackslash = pairOf(other, BACKSLASH);
    mark(beforeBackslash, PAIR);
    for (const letter of ESCAPE_LETTERS) mark(tripleOf(beforeBackslash, letter), TRIPLE);
  }
  for (const letter of ESCAPE_LETTERS) mark(pairOf(BACKSLASH, letter), SIGN);
}

/** A slot for a pair and a character beside it: numbers that lie together lie far apart there. */
export function tripleOf(pair: number, third: number): number {
  return Math.imul(pair | (third << 16), 0x9e3779b1) >>> 16;
}

/** Whether an anchor may have those neighbours; their codes. */
export function mayBeInAnchor(first: number, second: number, third: number): boolean {
  return inAnchors[slotOfThree(first, second, third)] === 1;
}

function slotOfThree(first: number, second: number, third: number): number {
  return tripleOf(pairOf(folded(first), folded(second)), folded(third));
}

/** A character as the scan reads it, in one case: some others pass for each other, too. */
function folded(code: number): number {
  return (code & 255) | 32;
}

/** The anchors that the pair is of. */
export function anchorsAt(tables: AnchorTables, pair: number): readonly Anchor[] {
  const { own, lists, numbers } = tables;
  const isOwn = ((marks[pair] as number) & OWN_PAIR) !== 0;
  return (isOwn ? own?.get(pair) : undefined) ?? (lists[numbers[pair] as number] as Anchor[]);
}

const NO_ANCHORS: readonly Anchor[] = [];

export function anchorTables(groups: readonly Anchors[]): AnchorTables {
  const anchors = new Map<number, Anchor[]>();
  enterSigns();
  for (const [group, each] of groups.entries()) enter(anchors, each, group);
  const numbers = new Uint16Array(PAIRS);
  for (const [at, pair] of [...anchors.keys()].entries()) numbers[pair] = at + 1;
  const lists = [NO_ANCHORS, ...anchors.values()];
  const longest = longestOf(groups);
  return { groups: groups.length, longest, anchors, numbers, lists, own: null };
}

/** The tables with one more group. */
export function withAnchors(base: AnchorTables, group: Anchors): AnchorTables {
  const own = new Map<number, Anchor[]>();
  enter(own, group, base.groups);
  for (const [pair, list] of own) {
    own.set(pair, [...(base.anchors.get(pair) ?? []), ...list]);
    mark(pair, OWN_PAIR);
  }
  const longest = Math.max(base.longest, longestOf([group]));
  return { ...base, groups: base.groups + 1, longest, own };
}

function longestOf(groups: readonly Anchors[]): number {
  return groups
    .flatMap(({ words }) => words)
    .reduce((most, word) => Math.max(most, word.length), 0);
}

function enter(
  anchors: Map<number, Anchor[]>,
  { words, ignoreCase = false }: Anchors,
  group: number,
): void {
  for (const word of words) {
    const spelled = ignoreCase ? word.toLowerCase() : word;
    const codes: number[] = [];
    for (let at = 0; at < spelled.length; at += 1) codes.push(spelled.charCodeAt(at));
    enterNeighbours(codes);
    for (const parity of [0, 1])
      enterPair(anchors, {
        group,
        codes,
        folded: codes.map(folded),
        ignoreCase,
        offset: rarest(codes, parity),
      });
  }
}

function enterNeighbours(codes: readonly number[]): void {
  for (let at = 0; at + 2 < codes.length; at += 1) {
    const [first = 0, second = 0, third = 0] = codes.slice(at, at + 3);
    inAnchors[slotOfThree(first, second, third)] = 1;
  }
}

function enterPair(anchors: Map<number, Anchor[]>, anchor: Anchor): void {
  const { codes, offset, ignoreCase } = anchor;
  const isLast = offset + 2 === codes.length;
  const [pairMark, slotMark] = isLast ? [LAST_PAIR, LAST_TRIPLE] : [PAIR, TRIPLE];
  const thirds = casesOf(codes[isLast ? offset - 1 : offset + 2], ignoreCase);
  for (const first of casesOf(codes[offset], ignoreCase)) {
    for (const second of casesOf(codes[offset + 1], ignoreCase)) {
      const pair = pairOf(first, second);
      mark(pair, pairMark);
      for (const third of thirds) mark(tripleOf(pair, third), slotMark);
      const known = anchors.get(pair);
      if (known === undefined) anchors.set(pair, [anchor]);
      else known.push(anchor);
    }
  }
}

/** Where in a word the pair is that is rarest of those at even (0) or odd (1) places. */
function rarest(codes: readonly number[], parity: number): number {
  let [best, least] = [parity, frequency(codes, parity)];
  for (let at = parity + 2; at + 2 <= codes.length; at += 2) {
    const own = frequency(codes, at);
    if (own < least) [best, least] = [at, own];
  }
  return best;
}

function frequency(codes: readonly number[], at: number): number {
  // The last pair of a word is told from others by the character before it, which costs more.
  const pair = ((codes[at] as number) << 8) | (codes[at + 1] as number);
  return (FREQUENT.get(pair) ?? 0) + (at + 2 === codes.length ? 0.5 : 0);
}

/** A character in each case, as the scan reads it; none of no character. */
function casesOf(code: number | undefined, ignoreCase: boolean): readonly number[] {
  if (code === undefined) return [];
  const low = code & 255;
  const isLetter = code >= 97 && code <= 122;
  return ignoreCase && isLetter ? [low, low - 32] : [low];
}

/** Two characters as the scan reads them. */
function pairOf(first: number, second: number): number {
  return IS_LITTLE_ENDIAN ? first | (second << 8) : second | (first << 8);
}

/** How the machine puts two bytes together. */
const IS_LITTLE_ENDIAN = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

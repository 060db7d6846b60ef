/**
 * Which of many patterns a text may match: one pass over the text looks for all the words that they can't
 * match without. It errs on one side only.
 */
import { PATTERN_TRIES_MAX } from "../../core/limits.ts";
import { type Clause, requiredTexts } from "./required-texts.ts";

/**
 * The last letters of a text as a number, five bits on with each letter, which is what tells small letters
 * apart: the lower bits tell the last three of them, all bits the last four.
 */
const LETTER_BITS = 5;
const THREE = (1 << (3 * LETTER_BITS)) - 1;
const FOUR = (1 << (4 * LETTER_BITS)) - 1;

/** The bits of a character that are looked at; one that isn't ASCII is taken for another one. */
const ASCII = 0x7f;
/** Of each character, how rare it is: from the most frequent one of English on. */
const RARITY = rarities(" etaoinsrhldcumfpgwybvkxjqz");

/** A text that is looked for, and the clauses that it fulfils. */
interface Needle {
  readonly text: string;
  /** The lower bits of its first and of its last character. */
  readonly first: number;
  readonly last: number;
  /** Where in it the letters stand by which it is found. */
  readonly anchor: number;
  readonly clauses: number[];
  /** The last text that held it, by its number. */
  seenIn: number;
}

/** Patterns get numbers; the number of texts that were looked at tells a fresh mark from an old one. */
export class PatternIndex {
  readonly #ids = new Map<RegExp, number>();
  readonly #short: Needle[] = [];
  /** By their three letters, and by four of longer ones. */
  readonly #three = new NeedleTable(THREE, 3);
  readonly #four = new NeedleTable(FOUR, 4);
  readonly #byText = new Map<string, Needle>();
  /** Of each clause: its pattern, and the last text that fulfilled it. */
  readonly #patternOf: number[] = [];
  readonly #fulfilledIn: number[] = [];
  /** Of each pattern: how many clauses it has, and how many of them the text at hand doesn't fulfil yet. */
  readonly #clauses: number[] = [];
  readonly #open: number[] = [];
  readonly #openIn: number[] = [];
  /** Of each pattern: for how many texts it was a candidate; -1 once it was read itself. */
  readonly #offered: number[] = [];
  /** Those of which nothing is known. */
  #always: number[] = [];
  /** Those without needles, and candidates so often that they are to be read. */
  readonly #unread = new Set<number>();
  #texts = 0;
  /** By the lower bits of a character: the last text that held it. */
  readonly #lastHolder = new Uint32Array(ASCII + 1);

  /** How many patterns it knows. */
  get size(): number {
    return this.#ids.size;
  }

  /**
   * The number of a pattern, from 0 on; it is taken in when it is new.
   * @param needles one of them stands in every match; empty when that is not known
   */
  idOf(pattern: RegExp, needles: readonly string[] = []): number {
    const known = this.#ids.get(pattern);
    if (known !== undefined) return known;
    const id = this.#ids.size;
    this.#ids.set(pattern, id);
    this.#clauses.push(0);
    this.#open.push(0);
    this.#openIn.push(0);
    this.#offered.push(0);
    if (needles.length > 0) this.#addClause(needles, id);
    else {
      this.#always.push(id);
      // To compile it, as a try does, takes longer than to read it.
      this.#unread.add(id);
    }
    return id;
  }

  /** The numbers of the patterns that a text in lower case may match. */
  candidates(text: string): number[] {
    this.readPatterns();
    this.#texts += 1;
    const found = this.#always.slice();
    for (const id of this.#always) this.#offer(id);
    const [three, four] = [this.#three, this.#four];
    const [threes, fours] = [three.taken, four.taken];
    const [lastHolder, number] = [this.#lastHolder, this.#texts];
    let letters = 0;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      lastHolder[code & ASCII] = number;
      letters = ((letters << LETTER_BITS) ^ code) & FOUR;
      if (isTaken(fours, letters)) this.#lookAt(text, at - 3, four.at(letters), found);
      const last = letters & THREE;
      if (isTaken(threes, last)) this.#lookAt(text, at - 2, three.at(last), found);
    }
    for (const needle of this.#short) {
      const holdsBoth = lastHolder[needle.first] === number && lastHolder[needle.last] === number;
      if (holdsBoth && text.includes(needle.text)) this.#see(needle, found);
    }
    return found;
  }

  #lookAt(text: string, at: number, needles: readonly Needle[], found: number[]): void {
    for (const needle of needles) {
      if (needle.seenIn === this.#texts) continue;
      // A place before the text's beginning would count as its beginning.
      const start = at - needle.anchor;
      const last = start + needle.text.length - 1;
      // Reading behind the end of a string makes every later look at a character many times slower.
      if (start < 0 || last >= text.length) continue;
      // Two letters tell most others apart, and cost far less than a comparison.
      const isLike =
        (text.charCodeAt(start) & ASCII) === needle.first &&
        (text.charCodeAt(last) & ASCII) === needle.last;
      if (isLike && text.startsWith(needle.text, start)) this.#see(needle, found);
    }
  }

  #see(needle: Needle, found: number[]): void {
    needle.seenIn = this.#texts;
    for (const clause of needle.clauses) {
      if (this.#fulfilledIn[clause] === this.#texts) continue;
      this.#fulfilledIn[clause] = this.#texts;
      const pattern = this.#patternOf[clause] ?? 0;
      if (this.#openIn[pattern] !== this.#texts) {
        this.#openIn[pattern] = this.#texts;
        this.#open[pattern] = this.#clauses[pattern] ?? 0;
      }
      const open = (this.#open[pattern] ?? 0) - 1;
      this.#open[pattern] = open;
      if (open !== 0) continue;
      found.push(pattern);
      this.#offer(pattern);
    }
  }

  #offer(id: number): void {
    const offered = this.#offered[id] ?? -1;
    if (offered < 0) return;
    this.#offered[id] = offered + 1;
    if (offered >= PATTERN_TRIES_MAX) this.#unread.add(id);
  }

  /**
   * What the first text would have to wait for. Of patterns with needles only those that are tried often: reading them all
   * would take longer than a few skills do.
   */
  readPatterns(): void {
    if (this.#unread.size === 0) return;
    for (const [pattern, id] of this.#ids) {
      if (!this.#unread.has(id)) continue;
      for (const clause of requiredTexts(pattern)) this.#addClause(clause, id);
      this.#offered[id] = -1;
    }
    this.#always = this.#always.filter((id) => this.#clauses[id] === 0);
    this.#unread.clear();
  }

  unread(): readonly RegExp[] {
    return [...this.#ids].flatMap(([pattern, id]) => (this.#unread.has(id) ? [pattern] : []));
  }

  #addClause(clause: Clause, pattern: number): void {
    const id = this.#patternOf.push(pattern) - 1;
    this.#fulfilledIn.push(0);
    this.#clauses[pattern] = (this.#clauses[pattern] ?? 0) + 1;
    for (const text of clause) {
      let needle = this.#byText.get(text);
      if (needle === undefined) {
        needle = {
          text,
          first: text.charCodeAt(0) & ASCII,
          last: text.charCodeAt(text.length - 1) & ASCII,
          anchor: rarestLetters(text),
          clauses: [],
          seenIn: 0,
        };
        this.#byText.set(text, needle);
        this.#place(needle);
      }
      needle.clauses.push(id);
    }
  }

  #place(needle: Needle): void {
    if (needle.text.length < 3) this.#short.push(needle);
    else (needle.text.length === 3 ? this.#three : this.#four).add(needle);
  }
}

function isTaken(bits: Uint32Array, number: number): boolean {
  return (((bits[number >>> 5] ?? 0) >>> (number & 31)) & 1) === 1;
}

/** Where the four letters of a text begin that stand in the fewest others. */
function rarestLetters(text: string): number {
  let best = 0;
  let most = -1;
  let rarity = 0;
  for (let at = 0; at < text.length; at += 1) {
    rarity += RARITY[text.charCodeAt(at) & ASCII] ?? 0;
    if (at >= 4) rarity -= RARITY[text.charCodeAt(at - 4) & ASCII] ?? 0;
    if (at < 3 || rarity <= most) continue;
    most = rarity;
    best = at - 3;
  }
  return best;
}

function rarities(byFrequency: string): Uint8Array {
  const table = new Uint8Array(ASCII + 1).fill(byFrequency.length);
  for (const [rank, character] of [...byFrequency].entries()) table[character.charCodeAt(0)] = rank;
  return table;
}

/** Needles by the number of some of their letters. */
class NeedleTable {
  /** A bit is set where there are some: small enough to stay in the processor's cache. */
  readonly taken: Uint32Array;
  readonly #lists = new Map<number, Needle[]>();
  readonly #mask: number;
  readonly #letters: number;

  constructor(mask: number, letters: number) {
    this.taken = new Uint32Array((mask + 1) / 32);
    this.#mask = mask;
    this.#letters = letters;
  }

  at(number: number): readonly Needle[] {
    return this.#lists.get(number) ?? [];
  }

  add(needle: Needle): void {
    let number = 0;
    for (let at = needle.anchor; at < needle.anchor + this.#letters; at += 1) {
      number = (number << LETTER_BITS) ^ needle.text.charCodeAt(at);
    }
    number &= this.#mask;
    this.taken[number >>> 5] = (this.taken[number >>> 5] ?? 0) | (1 << (number & 31));
    const others = this.#lists.get(number);
    if (others === undefined) this.#lists.set(number, [needle]);
    else others.push(needle);
  }
}

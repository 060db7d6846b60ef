/** Sentences as lists of words, with what is known of each word. */
import { KNOWN_WORD_MAX_CHARS, KNOWN_WORDS_MAX, SENTENCE_MAX_WORDS } from "../../core/limits.ts";
import { type Entry, SENSES } from "./senses.ts";

export interface Word {
  readonly word: string;
  /** Where it was read in the text, with the marks before it. */
  readonly at: number;
  /** Its senses, where it has some. */
  readonly entry: Entry | undefined;
}

export interface SentenceWords {
  /** At least one, at most SENTENCE_MAX_WORDS. */
  readonly words: readonly Word[];
  readonly start: number;
  readonly end: number;
}

/** What a character can be; a word ends with a letter, and marks may stand in it. */
const LETTER = 1;
const MARK = 2;
const STOP = 4;
const KINDS = kinds();
const SPACE = /\s/;

/** Words as they stand in texts, and what they are without marks; the same ones come again and again. */
const KNOWN = new Map<string, Omit<Word, "at">>();

/**
 * The sentences of a text in lower case. A word is a run of letters, digits, asterisks and the marks of paths,
 * options and addresses, up to the last letter of the run; a full stop before a space ends a sentence.
 */
export function* readSentences(text: string): Generator<SentenceWords> {
  let words: Word[] = [];
  let at = 0;
  while (at < text.length) {
    const kind = kindAt(text, at);
    if (kind === 0) {
      at += 1;
      continue;
    }
    const runEnd = (kind & (LETTER | MARK)) === 0 ? at : endOfRun(text, at);
    const end = lastLetter(text, at, runEnd) + 1;
    if (end > at) {
      // Written out: to spread it costs more than all the rest.
      const { word, entry } = wordOf(text.slice(at, end));
      words.push({ word, at, entry });
    }
    const isEnd = end <= at && isStop(text, at);
    if (words.length > 0 && (isEnd || words.length === SENTENCE_MAX_WORDS)) {
      yield sentenceOf(words);
      words = [];
    }
    // What follows the last letter of a run is marks, of which only the last can be a stop.
    at = Math.max(end, runEnd - 1, at + 1);
  }
  if (words.length > 0) yield sentenceOf(words);
}

function sentenceOf(words: readonly Word[]): SentenceWords {
  const last = words.at(-1);
  return { words, start: words[0]?.at ?? 0, end: last ? last.at + last.word.length : 0 };
}

function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < KINDS.length ? (KINDS[code] ?? 0) : 0;
}

/** The first place from `at` on that belongs to no word. */
function endOfRun(text: string, at: number): number {
  let end = at;
  while (end < text.length && (kindAt(text, end) & (LETTER | MARK)) !== 0) end += 1;
  return end;
}

/** The last letter in a stretch; the place before it when it has none. */
function lastLetter(text: string, from: number, to: number): number {
  let at = to - 1;
  while (at >= from && (kindAt(text, at) & LETTER) === 0) at -= 1;
  return at;
}

function isStop(text: string, at: number): boolean {
  if ((kindAt(text, at) & STOP) === 0) return false;
  return at + 1 === text.length || SPACE.test(text.charAt(at + 1));
}

function wordOf(text: string): Omit<Word, "at"> {
  const known = KNOWN.get(text);
  if (known !== undefined) return known;
  const word = /^[a-z]/.test(text) ? text : bare(text);
  const made = { word, entry: SENSES.get(word) };
  if (text.length <= KNOWN_WORD_MAX_CHARS) {
    if (KNOWN.size >= KNOWN_WORDS_MAX) KNOWN.clear();
    KNOWN.set(text, made);
  }
  return made;
}

/** Without the marks of a path or an option around it: `/tmp` stays, `=x` is `x`. */
function bare(text: string): string {
  return text.replace(/^[.'=:@/]+(?=[^a-z]*$)|^['=:@]+/g, "");
}

function kinds(): Uint8Array {
  const table = new Uint8Array(128);
  for (const character of "abcdefghijklmnopqrstuvwxyz0123456789*") {
    table[character.charCodeAt(0)] = LETTER;
  }
  for (const character of ".#/_'=:@-") table[character.charCodeAt(0)] = MARK;
  for (const character of ".!?") {
    table[character.charCodeAt(0)] = (table[character.charCodeAt(0)] ?? 0) | STOP;
  }
  return table;
}

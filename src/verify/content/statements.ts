/** Sentences as what they speak of: each word's senses, whatever the order of the words. */
import { SENTENCE_MAX_WORDS } from "../../core/limits.ts";
import type { ContentDocument, Passage } from "./content-document.ts";
import type { ContentDetail } from "./content-rule.ts";
import { placeInFile } from "./match.ts";
import { ACTS, formsOf, SENSES, Sense } from "./senses.ts";
import { isDisclaimed, isInCodeSpan } from "./voice.ts";

/** A kind of order: what a sentence has to speak of, and what takes the harm out of it. */
export interface Statement {
  /** Each of these senses stands in the sentence, in a word of its own. */
  readonly all: readonly number[];
  /** One of these, as one number. */
  readonly any?: number;
  /** None of these, as one number. */
  readonly none?: number;
  /** Looks at the sentence's words when the senses are there. */
  readonly judge?: (sentence: string) => boolean;
  readonly says: string;
  readonly hint: string;
}

interface Hit {
  readonly sense: number;
  /** Place in the passage's levelled text. */
  readonly start: number;
  readonly end: number;
}

interface Sentence {
  /** Of its own words, and of the sentence before where it speaks of that. */
  readonly senses: number;
  readonly hits: readonly Hit[];
  readonly ownHits: readonly Hit[];
  readonly start: number;
  readonly end: number;
}

const WORD = /[a-z0-9*.#/_'=:@-]*[a-z0-9*]/g;
const ENDS = /[.!?](?=\s|$)/g;
/** An address in full, outside this machine. */
const ADDRESS =
  /\bhttps?:\/\/(?!localhost|127\.|0\.0\.0\.0|\[?::1)[\w.-]{3,100}|[\w.+-]{1,40}@[\w-]{1,40}(?:\.[a-z]{2,10}){1,3}\b|(?<![\w./@-])(?:[a-z0-9-]{1,40}\.){1,4}(?:com|net|org|io|xyz|site|top|ru|cn|dev|app|cloud|me|co|info|example)(?![\w.]*\w)|\b(?!127\.|10\.|192\.168\.|0\.0\.)\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b/g;
/** It speaks of what the sentence before named. */
const PRONOUN =
  /\b(?:it|its|them|they|that|this|these|those|the (?:result|list|output|file|answer|copy|content)s?)\b/;
const KNOWN = new WeakMap<Passage, readonly Sentence[]>();

/** Searches the prose of documents for kinds of orders; the findings are as grave as their rule unless a level is given. */
export function statementFinder(
  statements: readonly Statement[],
): (document: ContentDocument) => Iterable<ContentDetail> {
  return function* find({ passages }) {
    for (const passage of passages) {
      if (passage.block.kind !== "prose") continue;
      for (const sentence of sentencesOf(passage)) {
        const statement = statements.find((each) => says(each, sentence, passage));
        if (statement === undefined) continue;
        const { says: words, hint } = statement;
        const { start, end } = spanOf(statement, sentence);
        yield { ...placeInFile(passage, start, end), says: words, hint, level: "warning" };
      }
    }
  };
}

function says(statement: Statement, sentence: Sentence, passage: Passage): boolean {
  const { all, any = 0, none = 0, judge } = statement;
  const { senses } = sentence;
  for (const sense of all) if ((senses & sense) === 0) return false;
  if ((any !== 0 && (senses & any) === 0) || (senses & none) !== 0) return false;
  if (judge && !judge(passage.normal.lower.slice(sentence.start, sentence.end))) return false;
  if (!areApart(all, sentence.hits)) return false;
  const wanted = all.reduce((sum, sense) => sum | sense, 0);
  return !sentence.hits.some(
    (hit) => (hit.sense & wanted & ACTS) !== 0 && isDisclaimed(passage, hit.start, hit.end),
  );
}

/** Whether every sense has a word that isn't needed for another. */
function areApart(all: readonly number[], hits: readonly Hit[]): boolean {
  const used = new Set<number>();
  const order = [...all].sort((a, b) => countOf(a, hits) - countOf(b, hits));
  for (const sense of order) {
    const hit = hits.find((each) => (each.sense & sense) !== 0 && !used.has(each.start));
    if (hit === undefined) return false;
    used.add(hit.start);
  }
  return true;
}

function countOf(sense: number, hits: readonly Hit[]): number {
  return hits.filter((hit) => (hit.sense & sense) !== 0).length;
}

function spanOf({ all, judge }: Statement, { hits, start, end }: Sentence) {
  if (judge) return { start, end };
  const wanted = all.reduce((sum, sense) => sum | sense, 0);
  const own = hits.filter((hit) => (hit.sense & wanted) !== 0 && hit.start >= start);
  if (own.length === 0) return { start, end };
  return { start: own[0]?.start ?? start, end: own.at(-1)?.end ?? end };
}

/** The sentences of a passage, read once for all rules. */
function sentencesOf(passage: Passage): readonly Sentence[] {
  const known = KNOWN.get(passage);
  if (known !== undefined) return known;
  const sentences: Sentence[] = [];
  const { lower } = passage.normal;
  let start = 0;
  for (const end of [...Array.from(lower.matchAll(ENDS), ({ index }) => index + 1), lower.length]) {
    if (end > start + 3) sentences.push(...readSentence(passage, start, end, sentences.at(-1)));
    start = end;
  }
  KNOWN.set(passage, sentences);
  return sentences;
}

function readSentence(passage: Passage, start: number, end: number, before?: Sentence): Sentence[] {
  const text = passage.normal.lower;
  const part = text.slice(start, end);
  const words: { word: string; at: number }[] = [];
  for (const match of part.matchAll(WORD))
    words.push({
      word: match[0].replace(/^[.'=:@/]+(?=[^a-z]*$)|^['=:@]+|:$/g, ""),
      at: start + match.index,
    });
  const found: Sentence[] = [];
  for (let from = 0; from < words.length; from += SENTENCE_MAX_WORDS) {
    const piece = words.slice(from, from + SENTENCE_MAX_WORDS);
    const first = piece[0]?.at ?? start;
    const last = piece.at(-1);
    const until = last ? last.at + last.word.length : end;
    const hits = [...hitsIn(passage, piece), ...addressesIn(text, first, until)];
    const all = before !== undefined && PRONOUN.test(part) ? [...before.ownHits, ...hits] : hits;
    found.push({
      senses: all.reduce((sum, { sense }) => sum | sense, 0),
      hits: all,
      ownHits: hits,
      start: first,
      end: until,
    });
  }
  return found;
}

function* hitsIn(passage: Passage, words: readonly { word: string; at: number }[]): Generator<Hit> {
  for (const [index, { word, at }] of words.entries()) {
    const entry = SENSES.get(word);
    if (entry === undefined) continue;
    // In a code span words are names: what is done stands outside.
    const sense = isInCodeSpan(passage, at) ? entry.sense & ~ACTS : entry.sense;
    if (sense !== 0) yield { sense, start: at, end: at + word.length };
    for (const { rest, sense, gap } of entry.phrases) {
      const last = lastOf(words, index, rest, gap);
      if (last !== undefined) yield { sense, start: at, end: last.at + last.word.length };
    }
  }
}

/** The last word of a phrase that begins at an index. */
function lastOf(
  words: readonly { word: string; at: number }[],
  index: number,
  rest: readonly string[],
  gap: number,
) {
  let at = index;
  for (const want of rest) {
    const limit = at + 1 + gap;
    do at += 1;
    while (at <= limit && !isForm(words[at]?.word, want));
    if (at > limit) return undefined;
  }
  return words[at];
}

function isForm(word: string | undefined, want: string): boolean {
  return word?.startsWith(want) === true && formsOf(want).includes(word);
}

function* addressesIn(text: string, start: number, end: number): Generator<Hit> {
  const part = text.slice(start, end);
  if (!/[./@]/.test(part)) return;
  for (const match of part.matchAll(ADDRESS)) {
    const at = start + match.index;
    yield { sense: Sense.address, start: at, end: at + match[0].length };
  }
}

/** Sentences as what they speak of: each word's senses, whatever the order of the words. */
import { SENTENCE_MAX_WORDS } from "../../core/limits.ts";
import type { ContentDocument, Passage } from "./content-document.ts";
import type { ContentDetail } from "./content-rule.ts";
import { matchesOf, placeInFile } from "./match.ts";
import { ACTS, SENSES, Sense } from "./senses.ts";
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

/** A word, a path or an option; or what ends a sentence. */
const WORD = /[a-z0-9*.#/_'=:@-]*[a-z0-9*]|[.!?](?=\s|$)/g;
const ENDS = /^[.!?]$/;
/** An address in full, outside this machine. */
const ADDRESS =
  /\\\\[a-z][\w.-]{1,60}\\[\w$-]{1,60}|\b(?:smb|nfs|sftp|ftp|s3|gs):\/\/[\w.-]{2,100}|\bhttps?:\/\/(?!localhost|127\.|0\.0\.0\.0|\[?::1)[\w.-]{3,100}|[\w.+-]{1,40}@[\w-]{1,40}(?:\.[a-z]{2,10}){1,3}\b|(?<![\w./@-])(?:[a-z0-9-]{1,40}\.){1,4}(?:com|net|org|io|xyz|site|top|ru|cn|dev|app|cloud|me|co|info|example)(?![\w.]*\w)|\b(?!127\.|10\.|192\.168\.|0\.0\.)\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b/g;
/** It speaks of what the sentence before named. */
const PRONOUN =
  /\b(?:it|its|them|they|that|this|these|those|the (?:result|list|output|file|answer|copy|content)s?)\b/;
const KNOWN = new WeakMap<Passage, readonly Sentence[]>();

/** Searches the prose of documents for kinds of orders; the findings are as grave as their rule unless a level is given. */
export function statementFinder(
  statements: readonly Statement[],
): (document: ContentDocument) => Iterable<ContentDetail> {
  const known = statements.map((statement) => ({ ...statement, wanted: wantedBy(statement) }));
  return function* find({ passages }) {
    for (const passage of passages) {
      if (passage.block.kind !== "prose") continue;
      for (const sentence of sentencesOf(passage)) {
        const statement = known.find((each) => says(each, sentence, passage));
        if (statement === undefined) continue;
        const { says: words, hint } = statement;
        const { start, end } = spanOf(statement, sentence);
        yield { ...placeInFile(passage, start, end), says: words, hint, level: "warning" };
      }
    }
  };
}

interface KnownStatement extends Statement {
  /** All of `all`, as one number. */
  readonly wanted: number;
}

/** A sense that is several (one of them suffices) is looked for by itself. */
function wantedBy({ all }: Statement): number {
  return all.reduce((sum, sense) => ((sense & (sense - 1)) === 0 ? sum | sense : sum), 0);
}

function says(statement: KnownStatement, sentence: Sentence, passage: Passage): boolean {
  const { wanted, all, any = 0, none = 0, judge } = statement;
  const { senses } = sentence;
  // Most sentences say none of it: this line is where the time goes.
  if ((senses & wanted) !== wanted || (senses & none) !== 0) return false;
  if (any !== 0 && (senses & any) === 0) return false;
  if (!all.every((sense) => (senses & sense) !== 0) || !areApart(all, sentence.hits)) return false;
  if (judge && !judge(passage.normal.lower.slice(sentence.start, sentence.end))) return false;
  const acts = all.reduce((sum, sense) => sum | sense, 0) & ACTS;
  return !sentence.hits.some(
    (hit) => (hit.sense & acts) !== 0 && isDisclaimed(passage, hit.start, hit.end),
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

interface Word {
  readonly word: string;
  readonly at: number;
}

/** The sentences of a passage, read once for all rules. */
function sentencesOf(passage: Passage): readonly Sentence[] {
  const known = KNOWN.get(passage);
  if (known !== undefined) return known;
  const sentences: Sentence[] = [];
  const { lower } = passage.normal;
  let words: Word[] = [];
  for (const match of matchesOf(WORD, lower)) {
    const [text] = match;
    const isEnd = ENDS.test(text);
    if (!isEnd) words.push({ word: /^[a-z]/.test(text) ? text : bare(text), at: match.index });
    if (words.length === 0 || !(isEnd || words.length === SENTENCE_MAX_WORDS)) continue;
    sentences.push(readSentence(passage, words, sentences.at(-1)));
    words = [];
  }
  if (words.length > 0) sentences.push(readSentence(passage, words, sentences.at(-1)));
  KNOWN.set(passage, sentences);
  return sentences;
}

/** Without the marks of a path or an option around it: `/tmp` stays, `=x` is `x`. */
function bare(text: string): string {
  return text.replace(/^[.'=:@/]+(?=[^a-z]*$)|^['=:@]+/g, "");
}

function readSentence(passage: Passage, words: readonly Word[], before?: Sentence): Sentence {
  const text = passage.normal.lower;
  const last = words.at(-1);
  const [start, end] = [words[0]?.at ?? 0, last ? last.at + last.word.length : 0];
  const own = hitsIn(passage, words);
  addAddresses(own, text, start, end);
  const isMore = before !== undefined && PRONOUN.test(text.slice(start, end));
  const hits = isMore ? [...before.ownHits, ...own] : own;
  let senses = 0;
  for (const { sense } of hits) senses |= sense;
  return { senses, hits, ownHits: own, start, end };
}

function hitsIn(passage: Passage, words: readonly Word[]): Hit[] {
  const hits: Hit[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const { word, at } = words[index] as Word;
    const entry = SENSES.get(word);
    if (entry === undefined) continue;
    // In a code span words are names: what is done stands outside.
    const sense = isInCodeSpan(passage, at) ? entry.sense & ~ACTS : entry.sense;
    if (sense !== 0) hits.push({ sense, start: at, end: at + word.length });
    for (const { rest, sense, gap } of entry.phrases) {
      const last = lastOf(words, index, rest, gap);
      if (last !== undefined) hits.push({ sense, start: at, end: last.at + last.word.length });
    }
  }
  return hits;
}

/** The last word of a phrase that begins at an index. */
function lastOf(
  words: readonly Word[],
  index: number,
  rest: readonly ReadonlySet<string>[],
  gap: number,
) {
  let at = index;
  for (const want of rest) {
    const limit = at + 1 + gap;
    do at += 1;
    while (at <= limit && !want.has(words[at]?.word ?? ""));
    if (at > limit) return undefined;
  }
  return words[at];
}

function addAddresses(hits: Hit[], text: string, start: number, end: number): void {
  const part = text.slice(start, end);
  if (!/[./@]/.test(part)) return;
  for (const { index, 0: address } of matchesOf(ADDRESS, part)) {
    const at = start + index;
    hits.push({ sense: Sense.address, start: at, end: at + address.length });
  }
}

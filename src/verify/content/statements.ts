/** Sentences as what they speak of: each word's senses, whatever the order of the words. */
import type { ContentDocument, Passage } from "./content-document.ts";
import type { ContentDetail } from "./content-rule.ts";
import { matchesOf, placeInFile } from "./match.ts";
import { ACTS, Sense } from "./senses.ts";
import { readSentences, type SentenceWords, type Word } from "./sentence-words.ts";
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
  /** What to do; absent: what the rule says. */
  readonly hint?: string;
}

interface Hit {
  readonly sense: number;
  /** Place in the passage's levelled text. */
  readonly start: number;
  readonly end: number;
}

interface Sentence {
  readonly passage: Passage;
  /** Every sense that it may have: without the look at phrases and code spans, which costs most. */
  readonly atMost: number;
  /** Of its own words, and of the sentence before where it speaks of that. */
  readonly senses: number;
  readonly hits: readonly Hit[];
  readonly start: number;
  readonly end: number;
}

/** An address in full, outside this machine. */
const ADDRESS =
  /\\\\[a-z][\w.-]{1,60}\\[\w$-]{1,60}|\b(?:smb|nfs|sftp|ftp|s3|gs):\/\/[\w.-]{2,100}|\bhttps?:\/\/(?!localhost|127\.|0\.0\.0\.0|\[?::1)[\w.-]{3,100}|[\w.+-]{1,40}@[\w-]{1,40}(?:\.[a-z]{2,10}){1,3}\b|(?<![\w./@-])(?:[a-z0-9-]{1,40}\.){1,4}(?:com|net|org|io|xyz|site|top|ru|cn|dev|app|cloud|me|co|info|example)(?![\w.]*\w)|\b(?!127\.|10\.|192\.168\.|0\.0\.)\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b/g;
/** One of these stands in every address. */
const MARKS_OF_ADDRESS = /[./@]/;
/** It speaks of what the sentence before named. */
const PRONOUN =
  /\b(?:it|its|them|they|that|this|these|those|the (?:result|list|output|file|answer|copy|content)s?)\b/;
const KNOWN = new WeakMap<ContentDocument, readonly Sentence[]>();

/**
 * Searches the prose of documents for kinds of orders. A warning each, whatever the rule: senses are a sign, and no proof.
 * @param hint of statements that have none of their own
 */
export function statementFinder(
  statements: readonly Statement[],
  hint: string,
): (document: ContentDocument) => ContentDetail[] {
  const known = statements.map((statement) => ({
    hint,
    ...statement,
    wanted: wantedBy(statement),
  }));
  return (document) => {
    const found: ContentDetail[] = [];
    for (const sentence of sentencesOf(document)) {
      const statement = firstSaid(known, sentence);
      if (statement === undefined) continue;
      const { start, end } = spanOf(statement, sentence);
      const place = placeInFile(sentence.passage, start, end);
      found.push({ ...place, says: statement.says, hint: statement.hint, level: "warning" });
    }
    return found;
  };
}

interface KnownStatement extends Statement {
  readonly hint: string;
  /** All of `all`, as one number. */
  readonly wanted: number;
}

function firstSaid(
  statements: readonly KnownStatement[],
  sentence: Sentence,
): KnownStatement | undefined {
  const { atMost } = sentence;
  for (const statement of statements) {
    // Most sentences say none of it: this line is where the time goes.
    if ((atMost & statement.wanted) !== statement.wanted || !suffices(statement, atMost)) continue;
    if (says(statement, sentence)) return statement;
  }
  return undefined;
}

/** Whether a sentence with these senses, and none else, can be the statement. */
function suffices({ all, any = 0 }: KnownStatement, senses: number): boolean {
  return (any === 0 || (senses & any) !== 0) && all.every((sense) => (senses & sense) !== 0);
}

/** A sense that is several (one of them suffices) is looked for by itself. */
function wantedBy({ all }: Statement): number {
  return all.reduce((sum, sense) => ((sense & (sense - 1)) === 0 ? sum | sense : sum), 0);
}

function says(statement: KnownStatement, sentence: Sentence): boolean {
  const { all, none = 0, judge } = statement;
  const { senses, passage } = sentence;
  if ((senses & none) !== 0 || !suffices(statement, senses)) return false;
  if (!areApart(all, sentence.hits)) return false;
  if (judge && !judge(passage.normal.lower.slice(sentence.start, sentence.end))) return false;
  const acts = all.reduce((sum, sense) => sum | sense, 0) & ACTS;
  return !sentence.hits.some(
    (hit) => (hit.sense & acts) !== 0 && isDisclaimed(passage, hit.start, hit.end),
  );
}

/** Whether every sense has words that aren't needed for another: `pre-commit hook` is one thing, and so is its `hook`. */
function areApart(all: readonly number[], hits: readonly Hit[]): boolean {
  const used: Hit[] = [];
  const order = [...all].sort((a, b) => countOf(a, hits) - countOf(b, hits));
  for (const sense of order) {
    const hit = hits.find((each) => (each.sense & sense) !== 0 && !used.some(overlaps(each)));
    if (hit === undefined) return false;
    used.push(hit);
  }
  return true;
}

function overlaps(one: Hit): (other: Hit) => boolean {
  return (other) => one.start < other.end && other.start < one.end;
}

function countOf(sense: number, hits: readonly Hit[]): number {
  return hits.filter((hit) => (hit.sense & sense) !== 0).length;
}

function spanOf({ all, judge }: Statement, { hits, start, end }: Sentence) {
  if (judge) return { start, end };
  const wanted = all.reduce((sum, sense) => sum | sense, 0);
  const own = hits.filter((hit) => (hit.sense & wanted) !== 0 && hit.start >= start);
  if (own.length === 0) return { start, end };
  // Addresses stand behind the words, wherever they are in the text.
  const [first, last] = [own.map((hit) => hit.start), own.map((hit) => hit.end)];
  return { start: Math.min(...first), end: Math.max(...last) };
}

/** The sentences of a document's prose that may have a sense, read once for all rules. */
function sentencesOf(document: ContentDocument): readonly Sentence[] {
  const known = KNOWN.get(document);
  if (known !== undefined) return known;
  const sentences: Sentence[] = [];
  for (const passage of document.passages) {
    if (passage.block.kind !== "prose") continue;
    let before: LazySentence | undefined;
    for (const words of readSentences(passage.normal.lower)) {
      before = new LazySentence(passage, words, before);
      if (before.atMost !== 0) sentences.push(before);
    }
  }
  KNOWN.set(document, sentences);
  return sentences;
}

/** A sentence whose words are looked at closely when their senses may suffice for a statement. */
class LazySentence implements Sentence {
  readonly passage: Passage;
  readonly atMost: number;
  readonly start: number;
  readonly end: number;
  readonly #words: SentenceWords["words"];
  /** The one before, where this one speaks of what that named. */
  readonly #before: LazySentence | null;
  readonly #ownAtMost: number;
  #ownHits: readonly Hit[] | null = null;
  #hits: readonly Hit[] | null = null;
  #senses = 0;

  constructor(passage: Passage, { words, start, end }: SentenceWords, before?: LazySentence) {
    this.passage = passage;
    this.#words = words;
    this.start = start;
    this.end = end;
    const part = passage.normal.lower.slice(start, end);
    this.#ownAtMost = sensesAtMost(words) | (MARKS_OF_ADDRESS.test(part) ? Sense.address : 0);
    this.#before = before !== undefined && PRONOUN.test(part) ? before : null;
    this.atMost = this.#ownAtMost | (this.#before === null ? 0 : this.#before.#ownAtMost);
  }

  get hits(): readonly Hit[] {
    if (this.#hits === null) {
      const own = this.#own();
      this.#hits = this.#before === null ? own : [...this.#before.#own(), ...own];
      for (const { sense } of this.#hits) this.#senses |= sense;
    }
    return this.#hits;
  }

  get senses(): number {
    return this.hits.length === 0 ? 0 : this.#senses;
  }

  #own(): readonly Hit[] {
    if (this.#ownHits === null) {
      const own = hitsIn(this.passage, this.#words);
      addAddresses(own, this.passage.normal.lower, this.start, this.end);
      this.#ownHits = own;
    }
    return this.#ownHits;
  }
}

function sensesAtMost(words: readonly Word[]): number {
  let senses = 0;
  for (const { entry } of words) if (entry !== undefined) senses |= entry.atMost;
  return senses;
}

function hitsIn(passage: Passage, words: readonly Word[]): Hit[] {
  const hits: Hit[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const { word, at, entry } = words[index] as Word;
    if (entry === undefined) continue;
    // In a code span words are names: what is done stands outside.
    const isName = isInCodeSpan(passage, at) || isOccasion(words, index);
    const sense = isName ? entry.sense & ~ACTS : entry.sense;
    if (sense !== 0) hits.push({ sense, start: at, end: at + word.length });
    for (const { rest, sense, gap } of entry.phrases) {
      const last = lastOf(words, index, rest, gap);
      if (last !== undefined) hits.push({ sense, start: at, end: last.at + last.word.length });
    }
  }
  return hits;
}

/** `after every merge`: what one does is what happens, and the occasion of something else. */
function isOccasion(words: readonly Word[], index: number): boolean {
  return OCCASION.test(words[index]?.word ?? "") && ARTICLE.test(words[index - 1]?.word ?? "");
}

const OCCASION = /^(?:merge|commit|push|install|upload|download|export|run)s?$/;
const ARTICLE = /^(?:an?|the|each|every|any|this|that|next|last|first)$/;

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
  if (!MARKS_OF_ADDRESS.test(part)) return;
  for (const { index, 0: address } of matchesOf(ADDRESS, part)) {
    const at = start + index;
    hits.push({ sense: Sense.address, start: at, end: at + address.length });
  }
}

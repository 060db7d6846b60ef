/** What a document says, sentence by sentence, and which of its sentences share no word with its purpose. */
import { KNOWN_WORDS_MAX } from "../../core/limits.ts";
import type { ContentDocument, WrittenDocument } from "./content-document.ts";
import type { Block } from "./markdown.ts";

const WORD = /[a-z]{4,30}/g;
/** Words that are told, between the marks that prose has for them: code has straight ones. */
const QUOTE = /“[^”]{0,2000}”/g;
/** Where one thought ends: a full stop, or a line that begins anew. */
const BREAK = /(?<=[.!?])\s+|\n(?=[A-Z0-9"'`*])/g;
const COMMON = new Set(
  "this that with from your have will when then than they them what which where while into only also must should always never make sure every after before each other more most some such very just like used using uses user users agent agents skill skills file files step steps task tasks following follow note notes important example done does doing need needs any all here there these those been being through over under about between because without within work works working time times first last next follow steps code text name check change changes changed instead into both same different please line lines look show shows part parts case cases call called keep kept their still whether against already again many much well even once come comes goes given give gives find found read reads write writes written open start starts until list lists result results session sessions turn turns".split(
    " ",
  ),
);

/** A sentence or a line: what may have been put between others. */
export interface Thought {
  readonly block: Block;
  /** Of `text`, in the block's. */
  readonly at: number;
  readonly text: string;
}

/** The thoughts of a document that have words, by their number. In lists of numbers: most documents have no stray, and objects cost more than the search. */
class Thoughts {
  readonly #blocks: Block[] = [];
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  /** The numbers of the stems of all thoughts; a stem may be there more than once. */
  readonly stems: number[] = [];
  /** Where each thought's stems end. */
  readonly stemEnds: number[] = [];

  constructor({ passages }: ContentDocument) {
    forgetWords();
    for (const { block } of passages) this.#add(block);
  }

  get count(): number {
    return this.#blocks.length;
  }

  #add(block: Block): void {
    const ends = endsOf(block);
    for (const [index, end] of ends.entries()) this.#addThought(block, ends[index - 1] ?? 0, end);
  }

  #addThought(block: Block, start: number, end: number): void {
    const before = this.stems.length;
    addStems(this.stems, block.text.slice(start, end));
    if (this.stems.length === before) return;
    this.stemEnds.push(this.stems.length);
    this.#blocks.push(block);
    this.#starts.push(start);
    this.#ends.push(end);
  }

  /** Whether it says what the skill is about. */
  isPurpose(index: number): boolean {
    const block = this.#blocks[index];
    return block !== undefined && isPurpose(block);
  }

  at(index: number): Thought | undefined {
    const [block, at = 0] = [this.#blocks[index], this.#starts[index]];
    return block && { block, at, text: block.text.slice(at, this.#ends[index]) };
  }
}

/** Where the thoughts of a block end, in its text. */
function endsOf({ kind, text }: Block): number[] {
  const ends: number[] = [];
  BREAK.lastIndex = 0;
  if (kind === "prose")
    for (let end = BREAK.exec(text); end !== null; end = BREAK.exec(text)) ends.push(end.index);
  ends.push(text.length);
  return ends;
}

function addStems(stems: number[], text: string): void {
  for (const word of wordsOf(withoutQuotes(text))) {
    const stem = stemNumberOf(word);
    if (stem > 0) stems.push(stem);
  }
}

function isPurpose({ kind, heading }: Block): boolean {
  return kind === "frontmatter" || (kind === "heading" && heading === "");
}

/**
 * Whether a modified document is about what it was about, and each of its changed thoughts has a word of that, or no word at
 * all: then none of them is a stray. That is known without a look at the other passages.
 */
export function keepsToPurpose({ next, parent, changed }: WrittenDocument): boolean {
  if (parent === null || changed === null) return false;
  forgetWords();
  const purpose = new Set(purposeOf(next));
  // Around another purpose the passages that stay may be strays.
  if (!purposeOf(parent).every((stem) => purpose.has(stem))) return false;
  return changed.passages.every(({ block }) => {
    if (isPurpose(block)) return true;
    const ends = endsOf(block);
    return ends.every((end, index) => {
      const stems: number[] = [];
      addStems(stems, block.text.slice(ends[index - 1] ?? 0, end));
      return stems.length === 0 || stems.some((stem) => purpose.has(stem));
    });
  });
}

function purposeOf({ passages }: ContentDocument): number[] {
  const stems: number[] = [];
  for (const { block } of passages) if (isPurpose(block)) addStems(stems, block.text);
  return stems;
}

/** What somebody said is not what the skill orders. */
export function withoutQuotes(text: string): string {
  return text.includes("“") ? text.replace(QUOTE, " ") : text;
}

/** Without their places, which would cost an object each. */
export function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(WORD) ?? [];
}

/** By word in lower case, the number of its stem: 0 of common ones, which say nothing of the purpose. */
const WORDS = new Map<string, number>();
const STEMS = new Map<string, number>();

function stemNumberOf(word: string): number {
  const known = WORDS.get(word);
  if (known !== undefined) return known;
  const stem = COMMON.has(word) ? "" : stemOf(word);
  const number = stem === "" ? 0 : (STEMS.get(stem) ?? STEMS.size + 1);
  if (number > 0) STEMS.set(stem, number);
  WORDS.set(word, number);
  return number;
}

/** Between two documents: within one, a number means one stem. */
function forgetWords(): void {
  if (WORDS.size < KNOWN_WORDS_MAX) return;
  WORDS.clear();
  STEMS.clear();
}

/** By the number of a stem: the thought that has it first, and in which document, as a count of them. */
let holders = new Int32Array(0);
let heldIn = new Int32Array(0);
let documents = 0;

/** Room for every stem that is known. */
function makeRoom(): void {
  if (STEMS.size < holders.length && documents < 0x7fff_ffff) return;
  holders = new Int32Array(2 * (STEMS.size + 1));
  heldIn = new Int32Array(holders.length);
  documents = 0;
}

/** Thoughts that belong together, and not to the purpose. */
export interface Stray {
  /** In the order of the document; at least one. */
  readonly thoughts: Thought[];
  /** How many different words they have, each more than once counts once. */
  readonly words: number;
}

/**
 * Groups of thoughts, of at least so many different words, that no chain of common words joins to what says the skill's purpose: the words that
 * an intruder repeats itself don't make it belong.
 */
export function straysOf(document: ContentDocument, leastWords: number): Iterable<Stray> {
  const thoughts = new Thoughts(document);
  const { groups, words } = groupsOf(thoughts);
  const strays = new Map<number, Stray>();
  if (words.every((count) => count < leastWords)) return [];
  for (let index = 0; index < thoughts.count; index += 1) {
    const group = groupOf(groups, index);
    const count = words[group] ?? 0;
    const thought = count < leastWords ? undefined : thoughts.at(index);
    if (thought === undefined) continue;
    const stray = strays.get(group);
    if (stray === undefined) strays.set(group, { thoughts: [thought], words: count });
    else stray.thoughts.push(thought);
  }
  return strays.values();
}

/** Of each group how many different words it has; 0 for the one of the purpose, which comes after all thoughts. */
function groupsOf(thoughts: Thoughts): { groups: Int32Array; words: Int32Array } {
  const { count } = thoughts;
  const groups = new Int32Array(count + 1);
  for (let index = 0; index < groups.length; index += 1) groups[index] = index;
  for (let index = 0; index < count; index += 1)
    if (thoughts.isPurpose(index)) join(groups, index, count);
  const firsts = joinByWords(thoughts, groups);
  const words = new Int32Array(count + 1);
  for (let index = 0; index < count; index += 1) {
    const group = groupOf(groups, index);
    words[group] = (words[group] ?? 0) + (firsts[index] ?? 0);
  }
  words[groupOf(groups, count)] = 0;
  return { groups, words };
}

/** @returns how many words stand first in each thought: all thoughts that have a word are of one group */
function joinByWords({ count, stems, stemEnds }: Thoughts, groups: Int32Array): Int32Array {
  const firsts = new Int32Array(count);
  makeRoom();
  documents += 1;
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    for (const end = stemEnds[index] ?? 0; at < end; at += 1) {
      const stem = stems[at] ?? 0;
      if (heldIn[stem] !== documents) {
        heldIn[stem] = documents;
        holders[stem] = index;
        firsts[index] = (firsts[index] ?? 0) + 1;
      } else if (holders[stem] !== index) join(groups, index, holders[stem] ?? index);
    }
  }
  return firsts;
}

/** Each names another of its group, the last of them itself. */
function groupOf(groups: Int32Array, index: number): number {
  let at = index;
  for (let next = groups[at] ?? at; next !== at; next = groups[at] ?? at) {
    groups[at] = groups[next] ?? next;
    at = next;
  }
  return at;
}

function join(groups: Int32Array, one: number, other: number): void {
  groups[groupOf(groups, one)] = groupOf(groups, other);
}

/** Enough of a word to know it again in another form. */
function stemOf(word: string): string {
  return word.replace(/(?:ations?|ings?|ed|es|s|ly|er|e)$/, "").slice(0, 6);
}

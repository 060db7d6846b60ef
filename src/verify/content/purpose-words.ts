/**
 * Which words of a text are about the same: of each, enough to know it again in another form, and none of those
 * that every skill has. Sentences are joined by the words that they have in common.
 */
import {
  KNOWN_WORDS_MAX,
  PURPOSE_WORD_MAX_CHARS,
  PURPOSE_WORD_MIN_CHARS,
} from "../../core/limits.ts";
import type { Block } from "./markdown.ts";

const COMMON = new Set(
  "this that with from your have will when then than they them what which where while into only also must should always never make sure every after before each other more most some such very just like used using uses user users agent agents skill skills file files step steps task tasks following follow note notes important example done does doing need needs any all here there these those been being through over under about between because without within work works working time times first last next follow steps code text name check change changes changed instead into both same different please line lines look show shows part parts case cases call called keep kept their still whether against already again many much well even once come comes goes given give gives find finds found read reads write writes written open start starts until list lists result results session sessions turn turns".split(
    " ",
  ),
);
/** What is written as a word here: a longer run of letters is several. */
export const WORD = new RegExp(`[a-z]{${PURPOSE_WORD_MIN_CHARS},${PURPOSE_WORD_MAX_CHARS}}`, "g");
/** Capitals with small letters of ASCII; and told words, which are none of the skill's own. */
const UNUSUAL = /[\u0130\u212a\u201c]/;

/** Of words in lower case, by their stem; -1 for common ones, which say nothing of the purpose. */
const IDS = new Map<string, number>();
const STEMS: string[] = [];
const ID_OF_STEM = new Map<string, number>();
/** By the number of a stem: the last search that met it, and the first part that held it there. */
const METS: number[] = [];
const HOLDERS: number[] = [];
let searches = 0;

/** Of a word in lower case; empty for common ones. */
export function purposeStem(word: string): string {
  forgetMany();
  return STEMS[idOf(word)] ?? "";
}

/** Whether blocks have to be looked at by their sentences; see `maxStrayWords`. */
export function isUnusual(text: string): boolean {
  return UNUSUAL.test(text);
}

function idOf(word: string): number {
  const known = IDS.get(word);
  if (known !== undefined) return known;
  const id = COMMON.has(word) ? -1 : idOfStem(stemOf(word));
  IDS.set(word, id);
  return id;
}

function idOfStem(stem: string): number {
  const known = ID_OF_STEM.get(stem);
  if (known !== undefined) return known;
  const id = STEMS.push(stem) - 1;
  ID_OF_STEM.set(stem, id);
  METS.push(0);
  return id;
}

function stemOf(word: string): string {
  return word.replace(/(?:ations?|ings?|ed|es|s|ly|er|e)$/, "").slice(0, 6);
}

/** Not during a search: a stem keeps its number as long as that lasts. */
function forgetMany(): void {
  if (IDS.size < KNOWN_WORDS_MAX) return;
  IDS.clear();
  ID_OF_STEM.clear();
  STEMS.length = 0;
  METS.length = 0;
  HOLDERS.length = 0;
}

/**
 * Joins the sentences of prose, and the other blocks as a whole, by their common words.
 *
 * @param blocks of a text that is not unusual
 * @returns how many words the largest group has that no chain of common words joins to what says the purpose
 */
export function maxStrayWords(blocks: readonly Block[]): number {
  forgetMany();
  searches += 1;
  const parts = new Parts();
  for (const block of blocks) {
    parts.end();
    parts.isPurpose =
      block.kind === "frontmatter" || (block.kind === "heading" && block.heading === "");
    addWords(block, parts);
  }
  return parts.maxWords();
}

/** Groups of parts that have words in common. */
class Parts {
  isPurpose = false;
  /** Of each part: another one of its group, or itself. The first stands for the purpose. */
  readonly #groups: number[] = [0];
  /** The part at hand; below 0 while it has no word. */
  #open = -1;
  readonly #stems: number[] = [];

  end(): void {
    this.#open = -1;
  }

  add(stem: number): void {
    if (this.#open < 0) {
      this.#open = this.#groups.length;
      this.#groups.push(this.isPurpose ? 0 : this.#open);
    }
    if (METS[stem] === searches) {
      const [mine, others] = [this.#groupOf(this.#open), this.#groupOf(HOLDERS[stem] ?? 0)];
      // Whatever is joined to the purpose points at it.
      this.#groups[Math.max(mine, others)] = Math.min(mine, others);
      return;
    }
    METS[stem] = searches;
    HOLDERS[stem] = this.#open;
    this.#stems.push(stem);
  }

  /** Of the largest group but that of the purpose. */
  maxWords(): number {
    const words = new Int32Array(this.#groups.length);
    let most = 0;
    for (const stem of this.#stems) {
      const group = this.#groupOf(HOLDERS[stem] ?? 0);
      if (group === 0) continue;
      const count = (words[group] ?? 0) + 1;
      words[group] = count;
      if (count > most) most = count;
    }
    return most;
  }

  #groupOf(part: number): number {
    const groups = this.#groups;
    let at = part;
    for (let next = groups[at] ?? 0; next !== at; next = groups[at] ?? 0) {
      groups[at] = groups[next] ?? 0;
      at = next;
    }
    return at;
  }
}

function addWords({ kind, text }: Block, parts: Parts): void {
  const isProse = kind === "prose";
  const lower = text.toLowerCase();
  let start = 0;
  // Reading behind the end of a string makes every later look at a character many times slower.
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isLetter(code)) continue;
    if (at - start >= PURPOSE_WORD_MIN_CHARS) addRun(lower, start, at, parts);
    start = at + 1;
    if (isProse && start < text.length && isBreak(code, text.charCodeAt(start))) parts.end();
  }
  addRun(lower, start, text.length, parts);
}

function addRun(lower: string, from: number, to: number, parts: Parts): void {
  for (let at = from; to - at >= PURPOSE_WORD_MIN_CHARS; at += PURPOSE_WORD_MAX_CHARS) {
    const id = idOf(lower.slice(at, Math.min(to, at + PURPOSE_WORD_MAX_CHARS)));
    if (id >= 0) parts.add(id);
  }
}

function isLetter(code: number): boolean {
  const small = code | 0x20;
  return small >= 0x61 && small <= 0x7a && code < 0x80;
}

/** Whether one thought ends at a character: a full stop before a space, or a line before one that begins anew. */
function isBreak(code: number, next: number): boolean {
  if (code === 0x0a) return beginsAnew(next);
  return (code === 0x2e || code === 0x21 || code === 0x3f) && isSpace(next);
}

/** A capital, a digit, a quote or an asterisk. */
function beginsAnew(code: number): boolean {
  if (code >= 0x41 && code <= 0x5a) return true;
  if (code >= 0x30 && code <= 0x39) return true;
  return code === 0x22 || code === 0x27 || code === 0x60 || code === 0x2a;
}

function isSpace(code: number): boolean {
  if (code < 0x80) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  return /\s/.test(String.fromCharCode(code));
}

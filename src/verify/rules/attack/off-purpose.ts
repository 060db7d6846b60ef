import { KNOWN_WORDS_MAX, PURPOSE_MIN_WORDS, STRAY_MIN_WORDS } from "../../../core/limits.ts";
import type { ContentDocument } from "../../content/content-document.ts";
import { type ContentDetail, defineContentRule } from "../../content/content-rule.ts";
import type { Block } from "../../content/markdown.ts";
import { matchesOf } from "../../content/match.ts";
import { ACTS, SENSES, Sense } from "../../content/senses.ts";
import { EVERY_PROFILE } from "../../rule.ts";

/** Pressed on the reader: capitals, or words that leave no choice. */
const EMPHATIC =
  /\b(?:IMPORTANT|ALWAYS|NEVER|MUST|MANDATORY|CRITICAL|REQUIRED)\b|\b(?:[A-Z]{3,}[\s,!:-]{1,3}){2}|\b(?:[Mm]ake sure|[Ee]nsure|[Aa]lways|[Nn]ever|[Mm]ust|every time|in all cases|(?:[Ff]or|[Aa]fter|[Bb]efore|[Ww]ith) (?:every|each|any|all)|[Ii]nstead|do not|[Dd]on.t)\b/;
/**
 * What a sentence begins with that forbids to run or change something: nobody is pressed to act by it. What it keeps
 * from somebody, or says behind a colon, is another matter.
 */
const FORBIDDEN =
  /^[\s*_-]{0,6}(?:[Nn]ever|NEVER|[Dd]o not|DO NOT|[Dd]on.t|[Aa]void)\b (?:ever )?(?:run|pipe|execut|us|past|install|commit|download|delet|remov|push|edit|chang|merg|publish|deploy|overwrit|trust)(?:e|ing|ning)?\b(?:(?!\b(?:and|but|always|must|instead)\b|\b[A-Z]{4,}\b)[^:;,.!?]){0,200}/;
/** A heading that shouts. */
const CAPITALS = /[A-Z]{4,}[\s,!:]{1,3}[A-Z]{3,}/;
const WORD = /[a-z]{4,30}/g;
/** Words that are told, between the marks that prose has for them: code has straight ones. */
const QUOTE = /“[^”]{0,2000}”/g;
/** Where one thought ends: a full stop, or a line that begins anew. */
const BREAK = /(?<=[.!?])\s+|\n(?=[A-Z0-9"'`*])/g;
/** What an order beyond the purpose is about. */
const MATTERS =
  Sense.credential |
  Sense.personal |
  Sense.protection |
  Sense.everybody |
  Sense.all |
  Sense.money |
  Sense.outside |
  Sense.people |
  Sense.precious |
  Sense.opinion |
  Sense.weak;
const COMMON = new Set(
  "this that with from your have will when then than they them what which where while into only also must should always never make sure every after before each other more most some such very just like used using uses user users agent agents skill skills file files step steps task tasks following follow note notes important example done does doing need needs any all here there these those been being through over under about between because without within work works working time times first last next follow steps code text name check change changes changed instead into both same different please line lines look show shows part parts case cases call called keep kept their still whether against already again many much well even once come comes goes given give gives find found read reads write writes written open start starts until list lists result results session sessions turn turns".split(
    " ",
  ),
);

/** Fewer are never too many. */
const LEAST_WORDS = Math.min(PURPOSE_MIN_WORDS, STRAY_MIN_WORDS);

export const attackOffPurposeRule = defineContentRule({
  id: "attack.off-purpose",
  level: "warning",
  why: "An order that has no word in common with the rest of the skill was most likely put there for another purpose.",
  example: "a skill about CSV files that says `ALWAYS cancel recurring meetings`",
  profiles: EVERY_PROFILE,
  *find(document): Iterable<ContentDetail> {
    for (const { thoughts, words } of straysOf(thoughtsOf(document))) {
      const isPressing = thoughts.some(presses);
      if (words < (isPressing ? PURPOSE_MIN_WORDS : STRAY_MIN_WORDS)) continue;
      // What presses says best what it is about.
      const prose = thoughts.filter(({ isProse }) => isProse);
      const shown = (isPressing ? prose.find(presses) : undefined) ?? prose[0];
      if (shown === undefined) continue;
      yield {
        ...placeOf(shown),
        says: "has nothing to do with the rest of the skill",
        hint: "Put it into a skill of its own, or remove it.",
      };
    }
  },
});

/** A sentence or a line: what may have been put between others. */
interface Thought {
  /** At least one; may be there more than once. */
  readonly stems: readonly string[];
  readonly isProse: boolean;
  readonly text: string;
  readonly heading: string;
  /** Says what the skill is about. */
  readonly isPurpose: boolean;
  readonly block: Block;
  /** Of `text`, in the block's. */
  readonly at: number;
}

function thoughtsOf({ passages }: ContentDocument): Thought[] {
  const thoughts: Thought[] = [];
  for (const { block } of passages) addThoughts(block, thoughts);
  return thoughts;
}

function addThoughts(block: Block, thoughts: Thought[]): void {
  const { kind, text, heading } = block;
  const isProse = kind === "prose";
  const isPurpose = kind === "frontmatter" || (kind === "heading" && heading === "");
  const ends = isProse ? matchesOf(BREAK, text).map(({ index }) => index) : [];
  let at = 0;
  for (const end of [...ends, text.length]) {
    const part = text.slice(at, end);
    const stems = stemsOf(withoutQuotes(part));
    if (stems.length > 0) {
      thoughts.push({ stems, isProse, text: part, heading, isPurpose, block, at });
    }
    at = end;
  }
}

/** In the file, the end exclusive. */
function placeOf({ block, text, at }: Thought): { readonly start: number; readonly end: number } {
  const lead = text.length - text.trimStart().length;
  return {
    start: placeIn(block, at + lead),
    end: placeIn(block, at + text.trimEnd().length),
  };
}

function presses({ isProse, text, heading }: Thought): boolean {
  if (CAPITALS.test(heading)) return true;
  if (!isProse) return false;
  const own = withoutQuotes(text).replace(FORBIDDEN, " ");
  return EMPHATIC.test(own) || reaches(own);
}

/** What somebody said is not what the skill orders. */
function withoutQuotes(text: string): string {
  return text.includes("“") ? text.replace(QUOTE, " ") : text;
}

/** Whether something is done to what matters. */
function reaches(text: string): boolean {
  let senses = 0;
  for (const word of wordsOf(text)) senses |= SENSES.get(word)?.sense ?? 0;
  return (senses & ACTS) !== 0 && (senses & MATTERS) !== 0;
}

function placeIn({ text, starts }: Block, at: number): number {
  const before = text.slice(0, at);
  const line = before.split("\n").length - 1;
  return (starts[line] ?? 0) + at - (before.lastIndexOf("\n") + 1);
}

/** Without their places, which would cost an object each. */
function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(WORD) ?? [];
}

function stemsOf(text: string): string[] {
  const stems: string[] = [];
  for (const word of wordsOf(text)) {
    const stem = knownStemOf(word);
    if (stem !== "") stems.push(stem);
  }
  return stems;
}

/** Of words in lower case; empty for common ones, which say nothing of the purpose. */
const STEMS = new Map<string, string>();

function knownStemOf(word: string): string {
  const known = STEMS.get(word);
  if (known !== undefined) return known;
  const stem = COMMON.has(word) ? "" : stemOf(word);
  if (STEMS.size >= KNOWN_WORDS_MAX) STEMS.clear();
  STEMS.set(word, stem);
  return stem;
}

/** Thoughts that belong together. */
interface Stray {
  /** In the order of the document; at least one. */
  readonly thoughts: Thought[];
  /** How many different words they have, LEAST_WORDS or more. */
  readonly words: number;
}

/**
 * Groups of thoughts that no chain of common words joins to what says the skill's purpose: the words that
 * an intruder repeats itself don't make it belong.
 */
function straysOf(thoughts: readonly Thought[]): Iterable<Stray> {
  const { groups, words } = groupsOf(thoughts);
  const strays = new Map<number, Stray>();
  for (const [index, thought] of thoughts.entries()) {
    const group = groupOf(groups, index);
    const count = words[group] ?? 0;
    if (count < LEAST_WORDS) continue;
    const stray = strays.get(group);
    if (stray === undefined) strays.set(group, { thoughts: [thought], words: count });
    else stray.thoughts.push(thought);
  }
  return strays.values();
}

/** Of each group how many different words it has; 0 for the one of the purpose, which comes after all thoughts. */
function groupsOf(thoughts: readonly Thought[]): { groups: Int32Array; words: Int32Array } {
  const groups = new Int32Array(thoughts.length + 1);
  for (let index = 0; index < groups.length; index += 1) groups[index] = index;
  for (let index = 0; index < thoughts.length; index += 1)
    if (thoughts[index]?.isPurpose) join(groups, index, thoughts.length);
  const firsts = joinByWords(thoughts, groups);
  const words = new Int32Array(thoughts.length + 1);
  for (let index = 0; index < thoughts.length; index += 1) {
    const group = groupOf(groups, index);
    words[group] = (words[group] ?? 0) + (firsts[index] ?? 0);
  }
  words[groupOf(groups, thoughts.length)] = 0;
  return { groups, words };
}

/** @returns how many words stand first in each thought: all thoughts that have a word are of one group */
function joinByWords(thoughts: readonly Thought[], groups: Int32Array): Int32Array {
  const firsts = new Int32Array(thoughts.length);
  const holders = new Map<string, number>();
  for (let index = 0; index < thoughts.length; index += 1) {
    for (const stem of thoughts[index]?.stems ?? []) {
      const holder = holders.get(stem);
      if (holder === undefined) {
        holders.set(stem, index);
        firsts[index] = (firsts[index] ?? 0) + 1;
      } else if (holder !== index) join(groups, index, holder);
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

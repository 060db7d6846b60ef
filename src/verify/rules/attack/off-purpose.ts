import { PURPOSE_MIN_WORDS, STRAY_MIN_WORDS } from "../../../core/limits.ts";
import type { ContentDocument } from "../../content/content-document.ts";
import { type ContentDetail, defineContentRule } from "../../content/content-rule.ts";
import type { Block } from "../../content/markdown.ts";
import { matchesOf } from "../../content/match.ts";
import { isUnusual, maxStrayWords, purposeStem, WORD } from "../../content/purpose-words.ts";
import { ACTS, SENSES, Sense } from "../../content/senses.ts";
import { EVERY_PROFILE } from "../../rule.ts";

/** Pressed on the reader: capitals, or words that leave no choice. */
const EMPHATIC =
  /\b(?:IMPORTANT|ALWAYS|NEVER|MUST|MANDATORY|CRITICAL|REQUIRED)\b|\b(?:[A-Z]{3,}[\s,!:-]{1,3}){2}|\b(?:[Mm]ake sure|[Ee]nsure|[Aa]lways|[Nn]ever|[Mm]ust|every time|in all cases|(?:[Ff]or|[Aa]fter|[Bb]efore|[Ww]ith) (?:every|each|any|all)|[Ii]nstead|do not|[Dd]on.t)\b/;
/** A heading that shouts. */
const CAPITALS = /[A-Z]{4,}[\s,!:]{1,3}[A-Z]{3,}/;
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
export const attackOffPurposeRule = defineContentRule({
  id: "attack.off-purpose",
  level: "warning",
  why: "An order that has no word in common with the rest of the skill was most likely put there for another purpose.",
  example: "a skill about CSV files that says `ALWAYS cancel recurring meetings`",
  profiles: EVERY_PROFILE,
  *find(document): Iterable<ContentDetail> {
    if (!mayHoldStrays(document)) return;
    for (const stray of straysOf(thoughtsOf(document))) {
      const words = new Set(stray.flatMap(({ stems }) => stems));
      const isPressing = stray.some(presses);
      if (words.size < (isPressing ? PURPOSE_MIN_WORDS : STRAY_MIN_WORDS)) continue;
      const shown = stray.find(({ isProse }) => isProse);
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
  const own = withoutQuotes(text);
  return EMPHATIC.test(own) || reaches(own);
}

/** What somebody said is not what the skill orders. */
function withoutQuotes(text: string): string {
  return text.includes("“") ? text.replace(QUOTE, " ") : text;
}

/** Whether something is done to what matters. */
function reaches(text: string): boolean {
  let senses = 0;
  for (const [word] of text.toLowerCase().matchAll(WORD)) senses |= SENSES.get(word)?.sense ?? 0;
  return (senses & ACTS) !== 0 && (senses & MATTERS) !== 0;
}

function placeIn({ text, starts }: Block, at: number): number {
  const before = text.slice(0, at);
  const line = before.split("\n").length - 1;
  return (starts[line] ?? 0) + at - (before.lastIndexOf("\n") + 1);
}

function stemsOf(text: string): string[] {
  const stems: string[] = [];
  for (const [word] of matchesOf(WORD, text.toLowerCase())) {
    const stem = purposeStem(word);
    if (stem !== "") stems.push(stem);
  }
  return stems;
}

/** Most documents have no group of thoughts that is large enough, which can be told without making them. */
function mayHoldStrays({ text, passages }: ContentDocument): boolean {
  if (isUnusual(text)) return true;
  const blocks = passages.map(({ block }) => block);
  return maxStrayWords(blocks) >= Math.min(PURPOSE_MIN_WORDS, STRAY_MIN_WORDS);
}

/**
 * Groups of thoughts that no chain of common words joins to what says the skill's purpose: the words that
 * an intruder repeats itself don't make it belong.
 */
function straysOf(thoughts: readonly Thought[]): Thought[][] {
  const holders = new Map<string, Thought[]>();
  for (const thought of thoughts) {
    for (const stem of thought.stems) {
      const known = holders.get(stem);
      if (known === undefined) holders.set(stem, [thought]);
      else if (known.at(-1) !== thought) known.push(thought);
    }
  }
  const seen = new Set<Thought>();
  const next = (stem: string): Thought[] => {
    const others = holders.get(stem)?.filter((thought) => !seen.has(thought)) ?? [];
    for (const other of others) seen.add(other);
    holders.delete(stem);
    return others;
  };
  const reach = (first: readonly Thought[]): Thought[] => {
    const group = [...first];
    for (const thought of first) seen.add(thought);
    // The group grows while it is walked.
    for (const { stems } of group) for (const stem of stems) group.push(...next(stem));
    return group;
  };
  reach(thoughts.filter(({ isPurpose }) => isPurpose));
  const strays: Thought[][] = [];
  for (const thought of thoughts) if (!seen.has(thought)) strays.push(reach([thought]));
  return strays;
}

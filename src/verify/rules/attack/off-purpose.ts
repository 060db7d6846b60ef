import { PURPOSE_MIN_WORDS, STRAY_MIN_WORDS } from "../../../core/limits.ts";
import type { ContentDocument } from "../../content/content-document.ts";
import { type ContentDetail, defineContentRule } from "../../content/content-rule.ts";
import type { Block } from "../../content/markdown.ts";
import { ACTS, SENSES, Sense } from "../../content/senses.ts";
import { EVERY_PROFILE } from "../../rule.ts";

/** Pressed on the reader: capitals, or words that leave no choice. */
const EMPHATIC =
  /\b(?:IMPORTANT|ALWAYS|NEVER|MUST|MANDATORY|CRITICAL|REQUIRED)\b|\b(?:[A-Z]{3,}[\s,!:-]{1,3}){2}|\b(?:[Mm]ake sure|[Ee]nsure|[Aa]lways|[Nn]ever|[Mm]ust|every time|in all cases|(?:[Ff]or|[Aa]fter|[Bb]efore|[Ww]ith) (?:every|each|any|all)|[Ii]nstead|do not|[Dd]on.t)\b/;
/** A heading that shouts. */
const CAPITALS = /[A-Z]{4,}[\s,!:]{1,3}[A-Z]{3,}/;
const WORD = /[a-z]{4,30}/g;
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
  "this that with from your have will when then than they them what which where while into only also must should always never make sure every after before each other more most some such very just like used using uses user users agent agents skill skills file files step steps task tasks following follow note notes important example done does doing need needs any all here there these those been being through over under about between because without within work works working time times first last next follow steps code text name check change changes changed instead into both same different please line lines look show shows part parts case cases call called keep kept their still whether against already again many much well even once come comes goes given give gives find found read reads write writes written open start starts until list lists result results".split(
    " ",
  ),
);

export const attackOffPurposeRule = defineContentRule({
  id: "attack.off-purpose",
  level: "warning",
  why: "An order that has no word in common with the rest of the skill was most likely put there for another purpose.",
  example: "a skill about CSV files that says `ALWAYS cancel recurring meetings`",
  profiles: EVERY_PROFILE,
  *find(document): Iterable<ContentDetail> {
    for (const stray of straysOf(thoughtsOf(document))) {
      const words = new Set(stray.flatMap(({ stems }) => [...stems]));
      const isPressing = stray.some(presses);
      if (words.size < (isPressing ? PURPOSE_MIN_WORDS : STRAY_MIN_WORDS)) continue;
      const shown = stray.find(({ isProse }) => isProse);
      if (shown === undefined) continue;
      yield {
        ...shown.place(),
        says: "has nothing to do with the rest of the skill",
        hint: "Put it into a skill of its own, or remove it.",
      };
    }
  },
});

/** A sentence or a line: what may have been put between others. */
interface Thought {
  readonly stems: ReadonlySet<string>;
  readonly isProse: boolean;
  readonly text: string;
  readonly heading: string;
  /** Says what the skill is about. */
  readonly isPurpose: boolean;
  /** In the file, the end exclusive. */
  place(): { readonly start: number; readonly end: number };
}

function thoughtsOf({ passages }: ContentDocument): Thought[] {
  return passages.flatMap(({ block }) => [...thoughtsIn(block)]);
}

function* thoughtsIn(block: Block): Generator<Thought> {
  const { kind, text, heading } = block;
  const isProse = kind === "prose";
  const ends = isProse ? Array.from(text.matchAll(BREAK), ({ index }) => index) : [];
  let from = 0;
  for (const end of [...ends, text.length]) {
    const part = text.slice(from, end);
    const stems = stemsOf(part);
    const at = from;
    const lead = part.length - part.trimStart().length;
    if (stems.size > 0) {
      yield {
        stems,
        isProse,
        text: part,
        heading,
        isPurpose: kind === "frontmatter" || (kind === "heading" && heading === ""),
        place: () => ({
          start: placeIn(block, at + lead),
          end: placeIn(block, at + part.trimEnd().length),
        }),
      };
    }
    from = end;
  }
}

function presses({ isProse, text, heading }: Thought): boolean {
  return (isProse && (EMPHATIC.test(text) || reaches(text))) || CAPITALS.test(heading);
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

function stemsOf(text: string): ReadonlySet<string> {
  const stems = new Set<string>();
  for (const [word] of text.toLowerCase().matchAll(WORD))
    if (!COMMON.has(word)) stems.add(stemOf(word));
  return stems;
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
      if (known) known.push(thought);
      else holders.set(stem, [thought]);
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

/** Enough of a word to know it again in another form. */
function stemOf(word: string): string {
  return word.replace(/(?:ations?|ings?|ed|es|s|ly|er|e)$/, "").slice(0, 6);
}

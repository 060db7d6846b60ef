import { PURPOSE_MIN_WORDS, STRAY_MIN_WORDS } from "../../../core/limits.ts";
import { type ContentDetail, defineContentRule } from "../../content/content-rule.ts";
import type { Block } from "../../content/markdown.ts";
import { ACTS, SENSES, Sense } from "../../content/senses.ts";
import {
  keepsToPurpose,
  straysOf,
  type Thought,
  withoutQuotes,
  wordsOf,
} from "../../content/thoughts.ts";
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

/** Fewer are never too many. */
const LEAST_WORDS = Math.min(PURPOSE_MIN_WORDS, STRAY_MIN_WORDS);

export const attackOffPurposeRule = defineContentRule({
  id: "attack.off-purpose",
  level: "warning",
  why: "An order that has no word in common with the rest of the skill was most likely put there for another purpose.",
  example: "a skill about CSV files that says `ALWAYS cancel recurring meetings`",
  profiles: EVERY_PROFILE,
  // What was accepted beside it doesn't become an order by a change elsewhere.
  passesBy: keepsToPurpose,
  *find(document): Iterable<ContentDetail> {
    for (const { thoughts, words } of straysOf(document, LEAST_WORDS)) {
      const isPressing = thoughts.some(presses);
      if (words < (isPressing ? PURPOSE_MIN_WORDS : STRAY_MIN_WORDS)) continue;
      // What presses says best what it is about.
      const prose = thoughts.filter(({ block }) => block.kind === "prose");
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

/** In the file, the end exclusive. */
function placeOf({ block, text, at }: Thought): { readonly start: number; readonly end: number } {
  const lead = text.length - text.trimStart().length;
  return {
    start: placeIn(block, at + lead),
    end: placeIn(block, at + text.trimEnd().length),
  };
}

function presses({ block: { kind, heading }, text }: Thought): boolean {
  if (CAPITALS.test(heading)) return true;
  if (kind !== "prose") return false;
  const own = withoutQuotes(text).replace(FORBIDDEN, " ");
  return EMPHATIC.test(own) || reaches(own);
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

import { PURPOSE_MIN_WORDS } from "../../../core/limits.ts";
import type { ContentDocument, Passage } from "../../content/content-document.ts";
import { type ContentDetail, defineContentRule } from "../../content/content-rule.ts";
import { placeInFile } from "../../content/match.ts";
import { EVERY_PROFILE } from "../../rule.ts";

/** Pressed on the reader: capitals, or words that leave no choice. */
const EMPHATIC =
  /\b(?:IMPORTANT|ALWAYS|NEVER|MUST|MANDATORY|CRITICAL|REQUIRED)\b|\b(?:[A-Z]{3,}[\s,!:-]{1,3}){2}|\b(?:[Mm]ake sure|[Ee]nsure|[Aa]lways|[Nn]ever|[Mm]ust|every time|in all cases)\b/;
/** A heading that shouts. */
const CAPITALS = /[A-Z]{4,}[\s,!:]{1,3}[A-Z]{3,}/;
const WORD = /[a-z]{4,30}/g;
const COMMON = new Set(
  "this that with from your have will when then than they them what which where while into only also must should always never make sure every after before each other more most some such very just like used using uses user users agent agents skill skills file files step steps task tasks following follow note notes important example done does doing need needs any all here there these those been being through over under about between because without within work works working time times first last next follow steps code text name check".split(
    " ",
  ),
);

export const attackOffPurposeRule = defineContentRule({
  id: "attack.off-purpose",
  level: "warning",
  why: "An urgent order that has no word in common with the rest of the skill was most likely put there for another purpose.",
  example: "a skill about CSV files that says `ALWAYS cancel recurring meetings`",
  profiles: EVERY_PROFILE,
  *find(document): Iterable<ContentDetail> {
    if (!document.passages.some(isEmphatic)) return;
    const sections = sectionsOf(document);
    const counts = new Map<string, number>();
    for (const { stems } of sections) {
      for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1);
    }
    for (const { passage, stems } of sections) {
      if (stems.size < PURPOSE_MIN_WORDS || !isEmphatic(passage)) continue;
      // A word that only this part of the skill knows is counted once.
      if ([...stems].some((stem) => (counts.get(stem) ?? 0) > 1)) continue;
      yield {
        ...placeInFile(passage, 0, passage.normal.text.length),
        says: "is pressed on the reader and has nothing to do with the rest of the skill",
        hint: "Put it into a skill of its own, or remove it.",
      };
    }
  },
});

interface Section {
  readonly passage: Passage;
  readonly stems: ReadonlySet<string>;
}

/** The words of substance of every passage. */
function sectionsOf({ passages }: ContentDocument): Section[] {
  return passages.map((passage) => {
    const stems = new Set<string>();
    for (const [word] of passage.normal.lower.matchAll(WORD)) {
      if (!COMMON.has(word)) stems.add(stemOf(word));
    }
    return { passage, stems };
  });
}

function isEmphatic({ block, normal }: Passage): boolean {
  if (block.kind !== "prose" && block.kind !== "heading") return false;
  return EMPHATIC.test(normal.text) || CAPITALS.test(block.heading);
}

/** Enough of a word to know it again in another form. */
function stemOf(word: string): string {
  return word.replace(/(?:ations?|ings?|ed|es|s|ly|er|e)$/, "").slice(0, 6);
}

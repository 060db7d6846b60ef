import { type ContentDetail, defineContentRule } from "../../content/content-rule.ts";
import { placeOf } from "../../content/match.ts";
import { EVERY_PROFILE } from "../../rule.ts";

/** Embeddings, overrides and isolates reorder what follows; the three marks only tell neighbours their direction. */
const CONTROL = /[\u202a-\u202e\u2066-\u2069]+/g;
const MARK = /[\u200e\u200f\u061c]+/g;
const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

export const hiddenBidiRule = defineContentRule({
  id: "hidden.bidi",
  level: "error",
  why: "A bidirectional control shows a line in another order than an agent reads it.",
  example: "a right-to-left override before `gpj.exe`",
  profiles: EVERY_PROFILE,
  *find({ text }): Iterable<ContentDetail> {
    for (const match of text.matchAll(CONTROL)) {
      yield {
        ...placeOf(match),
        says: "changes the order in which the line is shown",
        hint: "Remove the control; right-to-left text is shown correctly without it.",
      };
    }
    for (const match of text.matchAll(MARK)) {
      // The Arabic mark is of that script by itself.
      const around = text.slice(Math.max(0, match.index - 24), match.index + 24).replace(MARK, "");
      if (RIGHT_TO_LEFT.test(around)) continue;
      yield {
        ...placeOf(match),
        says: "is an invisible direction mark in text that has one direction",
        hint: "Remove it.",
        level: "warning",
      };
    }
  },
});

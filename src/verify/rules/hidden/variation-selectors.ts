import { type ContentDetail, defineContentRule } from "../../content/content-rule.ts";
import { selectorRuns } from "../../content/smuggled-text.ts";
import { EVERY_PROFILE, quoted } from "../../rule.ts";

/** One of them after a character that has variants: emoji and text style, ideographs, mathematics. */
const EMOJI_STYLE = /[\ufe0e\ufe0f]/;
const EMOJI = /[\p{Emoji}\p{Extended_Pictographic}]$/u;
const IDEOGRAPH = /\p{Script=Han}$/u;
const HAS_FORMS =
  /[\p{Sm}\p{Script=Han}\p{Script=Myanmar}\p{Script=Mongolian}\p{Script=Phags_Pa}\u3000-\u303f\uff00-\uffef]$/u;

export const hiddenVariationSelectorsRule = defineContentRule({
  id: "hidden.variation-selectors",
  level: "error",
  why: "Variation selectors stand for 256 values and show nothing: behind one visible character they carry a whole text.",
  example: "an emoji with a sentence behind it",
  profiles: EVERY_PROFILE,
  *find({ text }): Iterable<ContentDetail> {
    for (const { start, end, run, spelled } of selectorRuns(text)) {
      if (isInPlace(run, text.slice(Math.max(0, start - 2), start))) continue;
      yield {
        start,
        end,
        ...(spelled === "" ? {} : { shown: quoted(spelled) }),
        says: spelled === "" ? "selects a variant of nothing" : "is hidden in variation selectors",
        hint: "Remove them.",
      };
    }
  },
});

function isInPlace(run: string, before: string): boolean {
  if ([...run].length > 1) return false;
  if (EMOJI_STYLE.test(run)) return EMOJI.test(before);
  return run.length > 1 ? IDEOGRAPH.test(before) : HAS_FORMS.test(before);
}

import { type ContentDetail, defineContentRule } from "../../content/content-rule.ts";
import { placeOf } from "../../content/match.ts";
import { EVERY_PROFILE, quoted } from "../../rule.ts";

const SELECTORS = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]+/gu;
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
    for (const match of text.matchAll(SELECTORS)) {
      const before = text.slice(Math.max(0, match.index - 2), match.index);
      if (isInPlace(match[0], before)) continue;
      const smuggled = spelled(match[0]);
      yield {
        ...placeOf(match),
        ...(smuggled === "" ? {} : { shown: quoted(smuggled) }),
        says: smuggled === "" ? "selects a variant of nothing" : "is hidden in variation selectors",
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

/** The bytes that the selectors number, as text; empty when there is one, which is no text. */
function spelled(run: string): string {
  const bytes = [...run].map((selector) => {
    const code = selector.codePointAt(0) ?? 0;
    return code < 0xe0100 ? code - 0xfe00 : code - 0xe0100 + 16;
  });
  return bytes.length < 2 ? "" : Buffer.from(bytes).toString("utf8");
}

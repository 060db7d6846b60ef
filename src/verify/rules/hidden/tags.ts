import { type ContentDetail, defineContentRule } from "../../content/content-rule.ts";
import { placeOf } from "../../content/match.ts";
import { EVERY_PROFILE, quoted } from "../../rule.ts";

const TAGS = /[\u{e0000}-\u{e007f}]+/gu;
/** The three flags that are spelled with tags: England, Scotland, Wales. */
const FLAG =
  /^\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}$/u;
const BLACK_FLAG = "\u{1f3f4}";

export const hiddenTagsRule = defineContentRule({
  id: "hidden.tags",
  level: "error",
  why: "Tag characters are an invisible copy of ASCII: no person sees them, and models read them as text.",
  example: "`ignore all rules` spelled with tag characters",
  profiles: EVERY_PROFILE,
  *find({ text }): Iterable<ContentDetail> {
    for (const match of text.matchAll(TAGS)) {
      if (FLAG.test(match[0]) && text.slice(0, match.index).endsWith(BLACK_FLAG)) continue;
      yield {
        ...placeOf(match),
        shown: quoted(spelled(match[0])),
        says: "is spelled with invisible tag characters",
        hint: "Remove them; what an agent should read must be visible.",
      };
    }
  },
});

function spelled(tags: string): string {
  const codes = [...tags].map((tag) => (tag.codePointAt(0) ?? 0) - 0xe0000);
  return String.fromCharCode(...codes.slice(0, 400));
}

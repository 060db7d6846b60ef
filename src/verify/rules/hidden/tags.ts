import { type ContentDetail, defineContentRule } from "../../content/content-rule.ts";
import { tagRuns } from "../../content/smuggled-text.ts";
import { EVERY_PROFILE, quoted } from "../../rule.ts";

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
    for (const { start, end, run, spelled } of tagRuns(text)) {
      if (FLAG.test(run) && text.slice(0, start).endsWith(BLACK_FLAG)) continue;
      yield {
        start,
        end,
        shown: quoted(spelled),
        says: "is spelled with invisible tag characters",
        hint: "Remove them; what an agent should read must be visible.",
      };
    }
  },
});

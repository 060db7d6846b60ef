import { type ContentDetail, defineContentRule } from "../../content/content-rule.ts";
import { matchesInProse } from "../../content/match.ts";
import { isInCodeSpan } from "../../content/voice.ts";
import { EVERY_PROFILE } from "../../rule.ts";

const TAG = /<(\/?)([a-z][a-z0-9-]{0,20})\b([^<>]{0,400})>/g;
/** Elements whose content is not shown, or that load or run something. */
const UNSEEN =
  /^(?:script|style|template|noscript|iframe|object|embed|meta|link|base|head|title|svg|math|frame|frameset|applet|audio|video)$/;
/** Attributes and styles that make text invisible. */
const INVISIBLE =
  /\shidden\b(?!\s?=\s?["']?false)|\bhidden$|display\s?:\s?none|visibility\s?:\s?(?:hidden|collapse)|opacity\s?:\s?0?\.?0{0,3}(?:[;"'\s]|$)|font-size\s?:\s?(?:0|1px|0?\.\d)|color\s?[:=]\s?["']?\s?(?:white|#fff(?:fff)?\b|transparent|rgba?\([^)]{0,30},\s?0\))|(?:width|height)\s?:\s?0(?:px)?\s?[;"']|(?:left|top|text-indent)\s?:\s?-\d{3,}|clip(?:-path)?\s?:/;
/** Processing instructions, declarations and CDATA are not shown either. */
const DECLARATION = /<(?:\?[a-z]|![a-z[])[^<>]{0,400}>/g;

export const hiddenMarkupRule = defineContentRule({
  id: "hidden.markup",
  level: "error",
  why: "Markup can make text invisible where a person reads it, and changes nothing for an agent.",
  example: '`<span style="display:none">`',
  profiles: EVERY_PROFILE,
  isLocal: true,
  *find(document): Iterable<ContentDetail> {
    for (const { match, passage, start, end } of matchesInProse(document, TAG, "<")) {
      const [, closing, name = "", attributes = ""] = match;
      if (isInCodeSpan(passage, match.index)) continue;
      const isUnseen = UNSEEN.test(name) && closing === "";
      if (!isUnseen && !INVISIBLE.test(attributes)) continue;
      yield {
        start,
        end,
        says: isUnseen ? "is markup that isn't shown as text" : "hides what it holds",
        hint: "Write plain markdown; put markup that is an example into a code block.",
      };
    }
    for (const { match, passage, start, end } of matchesInProse(document, DECLARATION, "<")) {
      if (isInCodeSpan(passage, match.index)) continue;
      yield {
        start,
        end,
        says: "is markup that isn't shown",
        hint: "Remove it, or put it into a code block.",
      };
    }
  },
});

import type { ContentDocument } from "../../content/content-document.ts";
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
/** Within a word: an element without text, or one that only changes the look and has attributes. Without any it isn't in the levelled text. */
const SPLITS_WORD =
  /(?<=[a-z])(?:<([a-z][a-z0-9-]{0,20})(?:\s[^<>]{0,200})?>\s?<\/\1>|<(?:abbr|b|big|del|em|font|i|ins|mark|q|s|small|span|strike|strong|tt|u)\s(?:[^<>]{0,200}=[^<>]{0,200}|[a-z-]{1,20}\s?)>)(?=[a-z])/g;
const EMPTY_COMMENT = /(?<=[A-Za-z])<!--\s{0,40}-->$/;
/** Processing instructions, declarations and CDATA are not shown either. */
const DECLARATION = /<(?:\?[a-z]|![a-z[])[^<>]{0,400}>/g;
const SPLIT = {
  says: "splits a word that reads as one",
  hint: "Remove it; put markup that is an example into a code block.",
};

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
    yield* splitWords(document);
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

function* splitWords(document: ContentDocument): Iterable<ContentDetail> {
  for (const { match, passage, start, end } of matchesInProse(document, SPLITS_WORD, "<")) {
    if (!isInCodeSpan(passage, match.index)) yield { start, end, ...SPLIT, level: "warning" };
  }
  if (document.text.includes("<!--")) yield* emptyComments(document);
}

/** `ig<!-- -->nore`: the text goes on behind a comment that says nothing. */
function* emptyComments({ passages, text }: ContentDocument): Iterable<ContentDetail> {
  for (const { block } of passages) {
    const end = block.starts[0] ?? 0;
    if (block.kind !== "prose" || !/[A-Za-z]/.test(text.charAt(end))) continue;
    const comment = EMPTY_COMMENT.exec(text.slice(Math.max(0, end - 60), end));
    if (comment !== null) yield { start: end - comment[0].length, end, ...SPLIT };
  }
}

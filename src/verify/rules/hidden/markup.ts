import type { ContentDocument } from "../../content/content-document.ts";
import { type ContentDetail, defineContentRule } from "../../content/content-rule.ts";
import { matchesInProse } from "../../content/match.ts";
import { isInCodeSpan } from "../../content/voice.ts";
import { EVERY_PROFILE } from "../../rule.ts";

const TAG = /<(\/?)([a-z][a-z0-9-]{0,20})\b([^<>]{0,400})>/g;
/** Elements whose content is not shown, or that load or run something. */
const UNSEEN =
  /^(?:script|style|template|noscript|iframe|object|embed|meta|link|base|head|title|svg|math|datalist|frame|frameset|applet|audio|video)$/;
const WHITE =
  "(?:white|snow|ivory|ghostwhite|floralwhite|transparent|#f[c-f]f[c-f]f[c-f]\\b|#fff\\b|#(?:[0-9a-f]{3}|[0-9a-f]{6}0)0\\b|rgba?\\(\\s?(?:25[0-5]|100%)[,\\s]{1,3}(?:25[0-5]|100%)[,\\s]{1,3}(?:25[0-5]|100%)\\s?\\)|(?:rgb|hsl)a?\\([^)]{0,40}[,/]\\s?0?\\.?0{1,3}%?\\s?\\)|hsla?\\([^)]{0,30}[,\\s]100%\\s?\\))";
/** Attributes and styles that make text invisible. */
const INVISIBLE = new RegExp(
  [
    "\\s(?:hidden|popover)(?![\\w-]|\\s?=\\s?[\"']?false)",
    "\\bhidden$",
    "\\stype\\s?=\\s?[\"']?hidden",
    "(?:display|content-visibility)\\s?:\\s?(?:none|hidden)",
    "visibility\\s?:\\s?(?:hidden|collapse)",
    "opacity\\s?[:(]\\s?(?:0?\\.0\\d?|0|\\.0)0{0,3}%?(?:[;\"')\\s]|$)",
    "font-size\\s?:\\s?(?:0|[12](?:\\.\\d{1,3})?p[xt]|0?\\.[0-4])",
    "\\bfont\\s?:[^;\"']{0,40}?\\b[01](?:px)?[/\\s]",
    `(?<!background-|border-|outline-|accent-|caret-|bg|theme-)color\\s?[:=]\\s?["']?\\s?${WHITE}`,
    "(?<![a-z-])(?:max-)?(?:width|height)\\s?:\\s?[01](?:px)?\\s?(?:[;\"']|$)",
    "\\s(?:width|height)\\s?=\\s?[\"']?0(?:px)?[\"'\\s/]?(?:\\s|$)",
    "(?:left|right|top|bottom|text-indent|margin-left)\\s?:\\s?-(?:\\d{3}|\\d{2}(?:em|rem|vw|vh|%))",
    "\\bscale\\(\\s?0?\\.?0{1,3}[,)\\s]",
    "clip(?:-path)?\\s?:",
    "\\sclass\\s?=\\s?[^<>]{0,120}?(?<=[\"'\\s=])(?:sr-only|sr_only|visually-?hidden|screen-?reader-?(?:text|only)|u-hidden|is-hidden|d-none|hidden|invisible|offscreen)(?=[\"'\\s]|$)",
  ].join("|"),
);
/** A comment between the name of a style and its value; levelled, it has no stars. */
const STYLE_COMMENT = /(?<=[a-z:-]\s?)\/[^/;:"'=<>]{0,60}\/\s?(?=[a-z0-9:#-])/g;
/** A character of a style by its number. */
const STYLE_ESCAPE = /\\([0-9a-f]{1,6})\s?/g;
/** Formulas: what has room and no letters, and what has the colour of the page; each with the group that holds the text. */
const FORMULA = new RegExp(
  `\\\\(?:[hv]?phantom\\s?\\{([^}\\n]{0,400})|(?:text)?color(?:\\s?\\[[^\\]]{0,20}\\])?\\s?\\{\\s?${WHITE}[^{}]{0,20}\\}\\s?\\{?([^}\\n]{0,400}))`,
  "g",
);
/** A word, not a command; a formula's own room is a few letters or digits. */
const FORMULA_WORD = /(?<![\\a-z])[a-z]{3,}/;
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
      const isUnseen =
        closing === "" &&
        (UNSEEN.test(name) || (name === "dialog" && !/\sopen\b/.test(attributes)));
      if (!isUnseen && !INVISIBLE.test(styled(attributes))) continue;
      yield {
        start,
        end,
        says: isUnseen ? "is markup that isn't shown as text" : "hides what it holds",
        hint: "Write plain markdown; put markup that is an example into a code block.",
      };
    }
    yield* splitWords(document);
    yield* formulas(document);
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

/** Attributes as a browser reads the styles in them. */
function styled(attributes: string): string {
  const read = attributes.includes("\\")
    ? attributes.replace(STYLE_ESCAPE, (written, digits: string) => {
        const code = Number.parseInt(digits, 16);
        return code > 0x20 && code < 0x7f ? String.fromCharCode(code) : written;
      })
    : attributes;
  return read.includes("/") ? read.replace(STYLE_COMMENT, "") : read;
}

function* formulas(document: ContentDocument): Iterable<ContentDetail> {
  for (const { match, passage, start, end } of matchesInProse(document, FORMULA, "\\")) {
    const text = match[1] ?? match[2] ?? "";
    if (isInCodeSpan(passage, match.index) || !FORMULA_WORD.test(text)) continue;
    yield {
      start,
      end,
      says: "is text of a formula that isn't seen",
      hint: "Write it as visible text, or remove it.",
    };
  }
}

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

import { type ContentDetail, defineContentRule } from "../../content/content-rule.ts";
import { matchesOf, placeOf } from "../../content/match.ts";
import { isAscii } from "../../content/normal-text.ts";
import { EVERY_PROFILE, quoted } from "../../rule.ts";

/**
 * Characters without a shape. A soft hyphen and a joiner have their uses; the rest has none in a
 * text file. Bidirectional controls, tags and variation selectors have rules of their own.
 */
const INVISIBLE =
  /(?:[\u00ad\u115f\u1160\u180e\u200b-\u200d\u2028\u2029\u2060-\u2065\u206a-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb]|\u034f|\u17b4|\u17b5|[\u180b-\u180d]|\u180f|[\u{1d173}-\u{1d17a}])+/gu;
/** Scripts that joiners shape: Arabic and its relatives, the Indic scripts, Mongolian. */
const JOINING =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Tibetan}\p{Script=Myanmar}\p{Script=Khmer}]/u;
/** Scripts without spaces, where a zero-width space marks where a line may break. */
const SPACELESS = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** Its letters have variants that these characters select, and an ending that one of them parts. */
const MONGOLIAN = /\p{Script=Mongolian}/u;
const EMOJI_BEFORE = /(?:[\p{Extended_Pictographic}\p{Emoji_Modifier}]|\ufe0f)$/u;
const EMOJI_AFTER = /^\p{Extended_Pictographic}/u;

/** Every font and every model may take them for something else. */
const UNASSIGNED = /[\p{Co}\p{Noncharacter_Code_Point}]+/gu;

export const hiddenInvisibleRule = defineContentRule({
  id: "hidden.invisible",
  level: "error",
  why: "Characters that nobody sees split words that a search would find, and carry text that only a model reads.",
  example: "a zero-width space inside `ig\\u{200b}nore`",
  profiles: EVERY_PROFILE,
  *find({ text }): Iterable<ContentDetail> {
    if (isAscii(text)) return;
    for (const match of matchesOf(UNASSIGNED, text)) {
      yield {
        ...placeOf(match),
        shown: quoted(codesOf(match[0])),
        says: "has no meaning that is agreed on: one reader sees nothing, another one a sign",
        hint: "Remove it, or write it as an escape such as `\\ue0b0`.",
        level: "warning",
      };
    }
    for (const match of text.matchAll(INVISIBLE)) {
      const before = text.slice(Math.max(0, match.index - 2), match.index);
      const after = text.slice(match.index + match[0].length, match.index + match[0].length + 2);
      // A byte order mark at the start is the business of structure.text.
      if (match.index === 0 || isInPlace(match[0], before, after)) continue;
      yield {
        ...placeOf(match),
        says: `is ${match[0].length === 1 ? "a character" : "a run of characters"} that nobody sees${decoded(match[0])}`,
        hint: "Remove it, or write it as an escape such as `\\u200b`.",
        level: match[0] === "\u00ad" ? "warning" : "error",
      };
    }
  },
});

function codesOf(run: string): string {
  const codes = [...run].slice(0, 8).map((each) => (each.codePointAt(0) ?? 0).toString(16));
  return codes.map((code) => `U+${code.toUpperCase().padStart(4, "0")}`).join(" ");
}

/** Whether a single joiner or separator stands where its script needs it. */
function isInPlace(run: string, before: string, after: string): boolean {
  if (run === "\u200d" && EMOJI_BEFORE.test(before) && EMOJI_AFTER.test(after)) return true;
  if (run === "\u200c" || run === "\u200d") {
    return (
      JOINING.test(before.slice(-1)) &&
      (JOINING.test(after.charAt(0)) || !/\p{L}/u.test(after.charAt(0)))
    );
  }
  if (/^[\u180b-\u180f]$/.test(run)) return MONGOLIAN.test(before.slice(-1));
  return run === "\u200b" && SPACELESS.test(before.slice(-1)) && SPACELESS.test(after.charAt(0));
}

/** Two kinds of them are bits to somebody: the text, where it is one. */
function decoded(run: string): string {
  const kinds = [...new Set(run)].slice(0, 2);
  for (const one of kinds) {
    const bits = [...run].map((each) => (each === one ? "1" : "0")).join("");
    const bytes = (bits.match(/.{8}/g) ?? []).map((byte) =>
      String.fromCharCode(Number.parseInt(byte, 2)),
    );
    const text = bytes.join("");
    if (/^[\t\n -~]{2,}$/.test(text)) return ` and spells ${quoted(text)}`;
  }
  return "";
}

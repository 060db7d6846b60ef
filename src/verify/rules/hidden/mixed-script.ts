import { looksLatin } from "../../content/confusables.ts";
import { type ContentDetail, defineContentRule } from "../../content/content-rule.ts";
import { placeOf } from "../../content/match.ts";
import { EVERY_PROFILE } from "../../rule.ts";

const WORD = /[\p{L}\p{M}]{2,}/gu;
const LATIN = /\p{Script=Latin}/u;
const ALPHABET =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}]/u;
/** `Δt`, `μs`, `λx`: a Greek letter as a symbol before or behind a short name. */
const SYMBOL = /^(?:\p{Script=Greek}\p{Script=Latin}{1,3}|\p{Script=Latin}{1,2}\p{Script=Greek})$/u;
/** Letters of mathematics, circled ones and small capitals, as ornament: whole words of them aren't found by any search. */
const ORNAMENT =
  /[\u{1d400}-\u{1d7ff}\u24b6-\u24e9\u{1f110}-\u{1f189}\uff21-\uff3a\uff41-\uff5aᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ]{4,}/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII is what is meant
const NOT_ASCII = /[^\u0000-\u007f]/;

export const hiddenMixedScriptRule = defineContentRule({
  id: "hidden.mixed-script",
  level: "warning",
  why: "A word with a letter of another alphabet reads as one word and is another: to a search, a shell and a model.",
  example: "`ignоre` with a Cyrillic `о`",
  profiles: EVERY_PROFILE,
  *find({ text }): Iterable<ContentDetail> {
    if (!NOT_ASCII.test(text)) return;
    for (const match of ALPHABET.test(text) ? text.matchAll(WORD) : []) {
      if (NOT_ASCII.test(match[0]) && isMixed(match[0])) {
        yield {
          ...placeOf(match),
          says: "mixes letters of two alphabets that look alike",
          hint: "Write it with the letters of one alphabet.",
        };
      }
    }
    for (const match of text.matchAll(ORNAMENT)) {
      yield {
        ...placeOf(match),
        says: "is written with ornamental letters that a search doesn't find",
        hint: "Write it with plain letters.",
      };
    }
  },
});

function isMixed(word: string): boolean {
  if (!LATIN.test(word) || !ALPHABET.test(word) || SYMBOL.test(word)) return false;
  return [...word].some((letter) => ALPHABET.test(letter) && looksLatin(letter));
}

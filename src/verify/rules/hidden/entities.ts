import { type ContentDetail, defineContentRule } from "../../content/content-rule.ts";
import { matchesInSource } from "../../content/match.ts";
import { EVERY_PROFILE, quoted } from "../../rule.ts";

const RUN = /(?:&#(?:x[0-9a-f]{1,6}|[0-9]{1,7});\s?){4,}/gi;
/** A letter or digit of ASCII, which nobody needs to spell so. */
const LETTER =
  /&#(?:x0{0,6}(?:3[0-9]|[46][1-9a-f]|[57][0-9a])|0{0,6}(?:4[89]|5[0-7]|6[5-9]|[78][0-9]|90|9[7-9]|1[01][0-9]|12[0-2]));/gi;
const INVISIBLE =
  /&(?:#x?0*(?:ad|173|200[b-f]|820[3-7]|202[a-e]|823[4-8]|206[0-9a-f]|828[89]|829[0-7]|feff|65279|e00[0-7][0-9a-f]);|(?:zwj|zwnj|zerowidthspace|shy|lrm|rlm|nobreak|applyfunction|invisibletimes|invisiblecomma);)/gi;

export const hiddenEntitiesRule = defineContentRule({
  id: "hidden.entities",
  level: "error",
  why: "Text that is spelled in numbers is shown as letters, and no search for words finds it.",
  example: "`&#105;&#103;&#110;&#111;&#114;&#101;`",
  profiles: EVERY_PROFILE,
  isLocal: true,
  *find(document): Iterable<ContentDetail> {
    for (const { match, start, end } of matchesInSource(document, RUN, "&#")) {
      yield {
        start,
        end,
        shown: quoted(decoded(match[0])),
        says: "is spelled in numeric entities",
        hint: "Write the text itself.",
      };
    }
    for (const { match, start, end, isInCodeSpan } of matchesInSource(document, LETTER, "&#")) {
      if (isInCodeSpan) continue;
      yield {
        start,
        end,
        says: `spells ${quoted(decoded(match[0]))} in numbers`,
        hint: "Write the letter itself, or put the reference into a code span.",
      };
    }
    for (const { start, end, isInCodeSpan } of matchesInSource(document, INVISIBLE, "&")) {
      if (isInCodeSpan) continue;
      yield {
        start,
        end,
        says: "stands for a character that nobody sees",
        hint: "Remove it, or put it into a code span.",
        level: "warning",
      };
    }
  },
});

function decoded(run: string): string {
  return Array.from(run.matchAll(/&#(x?)([0-9a-f]+);/gi), ([, hex, digits = ""]) => {
    const code = Number.parseInt(digits, hex === "" ? 10 : 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
  }).join("");
}

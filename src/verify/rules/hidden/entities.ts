import { type ContentDetail, defineContentRule } from "../../content/content-rule.ts";
import { matchesInProse } from "../../content/match.ts";
import { isInCodeSpan } from "../../content/voice.ts";
import { EVERY_PROFILE, quoted } from "../../rule.ts";

const RUN = /(?:&#(?:x[0-9a-f]{1,6}|[0-9]{1,7});[ \t]?){4,}/g;
const INVISIBLE =
  /&(?:#x?0*(?:ad|173|200[b-f]|820[3-7]|202[a-e]|823[4-8]|206[0-9a-f]|828[89]|829[0-7]|feff|65279|e00[0-7][0-9a-f]);|(?:zwj|zwnj|zerowidthspace|shy|lrm|rlm|nobreak|applyfunction|invisibletimes|invisiblecomma);)/g;

export const hiddenEntitiesRule = defineContentRule({
  id: "hidden.entities",
  level: "error",
  why: "Text that is spelled in numbers is shown as letters, and no search for words finds it.",
  example: "`&#105;&#103;&#110;&#111;&#114;&#101;`",
  profiles: EVERY_PROFILE,
  isLocal: true,
  *find(document): Iterable<ContentDetail> {
    for (const { match, start, end } of matchesInProse(document, RUN, "&#")) {
      yield {
        start,
        end,
        shown: quoted(decoded(match[0])),
        says: "is spelled in numeric entities",
        hint: "Write the text itself.",
      };
    }
    for (const { match, passage, start, end } of matchesInProse(document, INVISIBLE, "&")) {
      if (isInCodeSpan(passage, match.index)) continue;
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
  return Array.from(run.matchAll(/&#(x?)([0-9a-f]+);/g), ([, hex, digits = ""]) => {
    const code = Number.parseInt(digits, hex === "" ? 10 : 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
  }).join("");
}

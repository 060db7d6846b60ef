import { type ContentDetail, defineContentRule } from "../../content/content-rule.ts";
import { placeOf } from "../../content/match.ts";
import { EVERY_PROFILE } from "../../rule.ts";

/** An escape sequence of a terminal, or the 8-bit beginning of one. */
// biome-ignore-start lint/suspicious/noControlCharactersInRegex: finding them is the purpose
const SEQUENCE =
  /[\u001b\u009b\u009d\u0090](?:\[[0-9;:?]{0,40}[@-~]?|\][^\u0007\u001b\n]{0,200})?/g;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: finding them is the purpose

export const hiddenEscapeRule = defineContentRule({
  id: "hidden.escape",
  level: "error",
  why: "A terminal obeys escape sequences: they erase, recolour and replace what was printed before.",
  example: "a raw `\\x1b[8m`, which prints what follows invisibly",
  profiles: EVERY_PROFILE,
  *find({ text }): Iterable<ContentDetail> {
    for (const match of text.matchAll(SEQUENCE)) {
      yield {
        ...placeOf(match),
        says: "is an order to a terminal, not text",
        hint: "Write it as an escape such as `\\x1b[0m`.",
      };
    }
  },
});

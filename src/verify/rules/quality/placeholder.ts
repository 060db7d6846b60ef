import { type ContentDetail, defineContentRule } from "../../content/content-rule.ts";
import { phrasesIn } from "../../content/phrases.ts";
import { EVERY_PROFILE } from "../../rule.ts";

/** A note to oneself: at the start of a paragraph or heading, with a colon, alone in brackets. */
const NOTE =
  /(?:^|(?<=[([]))(?:todo|tbd|fixme|xxx)\b(?=\s*(?:[:\])—–-]|$))|\b(?:todo|tbd|fixme|xxx):|(?<=:\s{1,4})(?:todo|tbd|fixme)\s*\.?$|(?<=\b(?:is|are|be|to|as|still|remains) )(?:tbd|tba|xxx)\b(?=\s*(?:[.,;)\]]|$))/gm;
const FILLER =
  /<your[-_ ][a-z][a-z _-]{1,40}>|\blorem ipsum\b|[<[{](?:insert|fill in|add|describe|replace (?:this|with)|put)\b[^\n<>[\]{}]{1,80}[>\]}](?!\()|\b(?:to be (?:written|completed|filled in|documented|determined)|coming soon)\b(?=\s*(?:[.)\]]|$))/gm;

export const placeholderRule = defineContentRule({
  id: "quality.placeholder",
  level: "warning",
  why: "A skill that isn't finished is followed all the same.",
  example: "`TODO: describe the rollback`",
  profiles: EVERY_PROFILE,
  isLocal: true,
  *find(document): Iterable<ContentDetail> {
    for (const pattern of [NOTE, FILLER]) {
      for (const { start, end } of phrasesIn(document, pattern)) {
        yield {
          start,
          end,
          says: "is a placeholder for something that was never written",
          hint: "Write it, or remove the place.",
        };
      }
    }
  },
});

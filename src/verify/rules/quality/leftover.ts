import { type ContentDetail, defineContentRule } from "../../content/content-rule.ts";
import { phrasesIn } from "../../content/phrases.ts";
import { EVERY_PROFILE } from "../../rule.ts";

/** What only the people of one conversation understand. */
const LEFTOVER = new RegExp(
  [
    "as (?:we |you )?(?:discussed|agreed|talked about)(?: (?:above|before|earlier))?",
    "(?:in|during|from) (?:this|our|the (?:current|previous|last|earlier)) (?:session|conversation|chat|dialog(?:ue)?)",
    "(?:earlier|above) in (?:this|our) (?:session|conversation|chat)",
    "in (?:the|your|my) (?:previous|last|earlier) (?:message|prompt|turn|reply|response)",
    "(?:as|like) (?:you|the user) (?:asked|requested|said|mentioned|suggested)",
    "(?:per|at|on) your request",
    "(?:you|the user) (?:asked|told|instructed|wanted) me to",
    "i(?:'ve| have) (?:now |just |also )?(?:fixed|added|updated|created|implemented|changed|removed)",
    "as an ai(?: language)? (?:model|assistant)",
  ]
    .map((phrase) => `\\b${phrase}`)
    .join("|"),
  "g",
);

export const leftoverRule = defineContentRule({
  id: "quality.leftover",
  level: "warning",
  why: "A skill is read by agents that know nothing of the conversation it came from.",
  example: "“as we discussed”, “in this session”",
  profiles: EVERY_PROFILE,
  isLocal: true,
  *find(document): Iterable<ContentDetail> {
    for (const { start, end } of phrasesIn(document, LEFTOVER)) {
      yield {
        start,
        end,
        says: "is left over from a conversation",
        hint: "Say what is meant, without the conversation.",
      };
    }
  },
});

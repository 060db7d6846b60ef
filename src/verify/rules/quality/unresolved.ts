import { type ContentDetail, defineContentRule } from "../../content/content-rule.ts";
import { phrasesIn } from "../../content/phrases.ts";
import { EVERY_PROFILE } from "../../rule.ts";

/** Said of what was tried, not of what may happen. */
const UNRESOLVED = new RegExp(
  [
    "(?:we|i) (?:could not|couldn't|were unable to|was unable to|never managed to) (?:fix|solve|resolve|get|make|find|reproduce)",
    "(?:we|i) (?:gave up|ran out of (?:time|ideas))",
    "no (?:fix|solution|workaround) (?:was|is|has been) (?:found|known)(?: yet)?",
    "(?:root )?cause (?:was|is|has been) (?:never|not|still not) (?:found|known)",
    "(?:the )?(?:root )?cause (?:is|remains) (?:still )?unknown",
    "(?:it|this|that|the \\w+(?: \\w+)?) (?:still|does not|doesn't) (?:fails?|works?|passe?s?|pass)(?: yet)?(?= *(?:[.;!)]|$))",
    "(?:remains|is still|was left) (?:unresolved|unsolved|unfixed|broken|failing)",
    "not sure (?:why|if this (?:works|helps))",
  ]
    .map((phrase) => `\\b${phrase}`)
    .join("|"),
  "gm",
);
/** A condition before it makes a case of it, for which the text goes on to say what to do. */
const CONDITION =
  /\b(?:if|when(?:ever)?|where|while|until|unless|in case|should|once|because|since|whether|that|which|before|after|error|says?|symptom)\b/;
const SPEAKS_OF_FAILURES =
  /\b(?:troubleshoot|pitfall|problem|symptom|limitation|known issue|when it fails|if it fails|errors?)/i;

export const unresolvedRule = defineContentRule({
  id: "quality.unresolved",
  level: "warning",
  why: "What didn't solve the problem once is no method for the next time.",
  example: "“We couldn't fix it; the test still fails.”",
  profiles: EVERY_PROFILE,
  isLocal: true,
  *find(document): Iterable<ContentDetail> {
    for (const { passage, at, start, end } of phrasesIn(document, UNRESOLVED)) {
      const { block, normal } = passage;
      if (SPEAKS_OF_FAILURES.test(block.heading)) continue;
      const sentence =
        normal.lower
          .slice(0, at)
          .split(/[.;!?](?=\s)/)
          .at(-1) ?? "";
      if (CONDITION.test(sentence)) continue;
      yield {
        start,
        end,
        says: "says that the problem was not solved",
        hint: "Leave the skill out until there is a way that works, or say what does.",
      };
    }
  },
});

import { encodedSecrets, splitSecrets } from "../../../secrets/disguised-secrets.ts";
import { type ContentDetail, defineContentRule } from "../../content/content-rule.ts";
import { EVERY_PROFILE, quoted } from "../../rule.ts";

const HINT = "Take it out, and replace it where it is used: it is known to whoever wrote this.";

export const secretDisguisedRule = defineContentRule({
  id: "secret.disguised",
  level: "error",
  why: "A secret that is encoded or cut into pieces is published all the same, and somebody meant to.",
  example: "a token in base64, or one half of it on each of two lines",
  profiles: EVERY_PROFILE,
  *find({ text }): Iterable<ContentDetail> {
    for (const { rule, start, end } of encodedSecrets(text)) {
      yield { start, end, shown: kind(rule), says: "stands there in base64", hint: HINT };
    }
    for (const { rule, start, end } of splitSecrets(text)) {
      yield { start, end, shown: kind(rule), says: "stands there in pieces", hint: HINT };
    }
  },
});

function kind(rule: string): string {
  return `A secret of the kind ${quoted(rule)}`;
}

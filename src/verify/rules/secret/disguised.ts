import {
  encodedSecrets,
  isPersonalData,
  splitSecrets,
} from "../../../secrets/disguised-secrets.ts";
import { findShapedSecrets } from "../../../secrets/find-secrets.ts";
import type { FoundSecret } from "../../../secrets/secret-range.ts";
import { hasLookalike } from "../../content/confusables.ts";
import type { ContentDocument } from "../../content/content-document.ts";
import { type ContentDetail, defineContentRule } from "../../content/content-rule.ts";
import { hasTokenPrefix } from "../../content/document-secrets.ts";
import { placeInFile } from "../../content/match.ts";
import { isAscii } from "../../content/normal-text.ts";
import { type SmuggledRun, selectorRuns, tagRuns } from "../../content/smuggled-text.ts";
import { EVERY_PROFILE, quoted } from "../../rule.ts";

const HINT = "Take it out, and replace it where it is used: it is known to whoever wrote this.";

export const secretDisguisedRule = defineContentRule({
  id: "secret.disguised",
  level: "error",
  why: "A secret that is encoded or cut into pieces is published all the same, and somebody meant to.",
  example: "a token in base64, or one half of it on each of two lines",
  profiles: EVERY_PROFILE,
  *find(document): Iterable<ContentDetail> {
    const { text } = document;
    for (const { rule, start, end } of encodedSecrets(text)) {
      yield { start, end, shown: kind(rule), says: "stands there in an encoded form", hint: HINT };
    }
    for (const { rule, start, end } of splitSecrets(text, hasTokenPrefix(document))) {
      yield { start, end, shown: kind(rule), says: "stands there in pieces", hint: HINT };
    }
    if (text.includes("&#") || !isAscii(text)) yield* respelled(document);
  },
});

function* respelled(document: ContentDocument): Iterable<ContentDetail> {
  yield* unseen(tagRuns(document.text));
  yield* unseen(selectorRuns(document.text));
  if (!isRespelled(document.text)) return;
  for (const passage of document.passages) {
    if (!isRespelled(passage.block.text)) continue;
    for (const { rule, start, end, value } of secretsIn(passage.normal.text)) {
      // As it is written it is the business of the other rules.
      if (document.text.includes(value)) continue;
      const place = placeInFile(passage, start, end);
      yield { ...place, shown: kind(rule), says: "stands there in look-alike letters", hint: HINT };
    }
  }
}

/** Whether levelling gives it other letters. */
function isRespelled(text: string): boolean {
  return text.includes("&#") || hasLookalike(text);
}

function* unseen(runs: Iterable<SmuggledRun>): Iterable<ContentDetail> {
  for (const { start, end, spelled } of runs) {
    const [secret] = secretsIn(spelled);
    if (secret === undefined) continue;
    const says = "stands there in characters that nobody sees";
    yield { start, end, shown: kind(secret.rule), says, hint: HINT };
  }
}

function secretsIn(text: string): FoundSecret[] {
  return findShapedSecrets(text).filter((each) => !isPersonalData(each));
}

function kind(rule: string): string {
  return `A secret of the kind ${quoted(rule)}`;
}

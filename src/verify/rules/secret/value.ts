import { isPersonalData } from "../../../secrets/disguised-secrets.ts";
import { type ContentDetail, defineContentRule } from "../../content/content-rule.ts";
import { secretsOf } from "../../content/document-secrets.ts";
import { EVERY_PROFILE, quoted } from "../../rule.ts";

export const secretValueRule = defineContentRule({
  id: "secret.value",
  level: "error",
  why: "What is committed is published, and stays in the history when it is removed again.",
  example: "an access token in a command line",
  profiles: EVERY_PROFILE,
  *find(document): Iterable<ContentDetail> {
    for (const secret of secretsOf(document)) {
      if (isPersonalData(secret)) continue;
      yield {
        start: secret.start,
        end: secret.end,
        shown: `A secret of the kind ${quoted(secret.rule)}`,
        says: "would be published with the commit",
        hint: "Take it out; where a value must stand, write a name in its place, such as $API_KEY.",
      };
    }
  },
});

import { type ContentDetail, defineContentRule } from "../../content/content-rule.ts";
import { EVERY_PROFILE } from "../../rule.ts";
import { ungrounded } from "../../ungrounded.ts";

export const packageRule = defineContentRule({
  id: "ungrounded.package",
  level: "warning",
  why: "A package that a model invented is one that an attacker can register.",
  example: "`npm install left-pad-pro`, which the session never named",
  profiles: EVERY_PROFILE,
  *find(document, context): Iterable<ContentDetail> {
    for (const { start, end } of ungrounded(document, context, "package")) {
      yield {
        start,
        end,
        says: "is a package that appears nowhere in the session",
        hint: "Check that it exists and is the one that is meant, or remove it.",
      };
    }
  },
});

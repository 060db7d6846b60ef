import { type ContentDetail, defineContentRule } from "../../content/content-rule.ts";
import { EVERY_PROFILE } from "../../rule.ts";
import { ungrounded } from "../../ungrounded.ts";

export const commandRule = defineContentRule({
  id: "ungrounded.command",
  level: "warning",
  why: "A command that the session never showed was not seen to work.",
  example: "`terraform destroy` after a session about tests",
  profiles: EVERY_PROFILE,
  *find(document, context): Iterable<ContentDetail> {
    for (const { start, end } of ungrounded(document, context, "command")) {
      yield {
        start,
        end,
        says: "is a command that appears nowhere in the session",
        hint: "Check that it works and is meant, or remove it.",
      };
    }
  },
});

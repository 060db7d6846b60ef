import { type ContentDetail, defineContentRule } from "../../content/content-rule.ts";
import { EVERY_PROFILE } from "../../rule.ts";
import { ungrounded } from "../../ungrounded.ts";

export const urlRule = defineContentRule({
  id: "ungrounded.url",
  level: "warning",
  why: "An address that no one met in the session may be a model's invention, or somebody's trap.",
  example: "`https://install.example.net` in a skill of a session that never went there",
  profiles: EVERY_PROFILE,
  *find(document, context): Iterable<ContentDetail> {
    for (const { start, end } of ungrounded(document, context, "url")) {
      yield {
        start,
        end,
        says: "is an address that appears nowhere in the session",
        hint: "Check that it is right and meant, or remove it.",
      };
    }
  },
});

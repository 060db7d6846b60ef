import { SKILLS_CHANGED_MAX } from "../../core/limits.ts";
import { count } from "../../core/text.ts";
import { type Detail, defineRule } from "../rule.ts";

export const countRule = defineRule({
  id: "structure.count",
  level: "error",
  why: "One session teaches one or two things; many changed skills are a runaway that nobody would read.",
  example: "twenty new skills from one session",
  profiles: ["proposal"],
  *check({ folders }): Iterable<Detail> {
    if (folders.length <= SKILLS_CHANGED_MAX) return;
    yield {
      path: null,
      message: `${count(folders.length, "skill")} changed at once; at most ${SKILLS_CHANGED_MAX} are allowed.`,
      hint: "Keep the one or two that matter most.",
    };
  },
});

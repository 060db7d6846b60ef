import { SKILL_DESCRIPTION_MAX_CHARS } from "../../../core/limits.ts";
import { lineOfKey } from "../../../skills/skill-file.ts";
import { type Detail, defineRule, EVERY_PROFILE } from "../../rule.ts";

/** Words by which a description says on what occasion a skill is used; kept wide, since they are many. */
const OCCASION =
  /\b(?:when(?:ever)?|if|before|after|while|during|once|until|unless|upon|every time|how to|in case|needs?|needed|wants?|asks?|asked|triggers?|use(?:d|ful)?|for)\b/i;

export const whenRule = defineRule({
  id: "quality.when",
  level: "warning",
  why: "An agent sees only the description when it decides whether to load a skill.",
  example: "`description: Database migrations.`",
  profiles: EVERY_PROFILE,
  *check({ folders }): Iterable<Detail> {
    for (const { skillPath, isSkillFileChanged, parent, next } of folders) {
      if (!isSkillFileChanged || !next?.parsed?.ok) continue;
      const { skill } = next.parsed;
      const before = parent?.parsed?.ok ? parent.parsed.skill.description : null;
      const text = skill.description?.trim() ?? "";
      // The words are English; of a description in another script nothing is said.
      const isForeign = /[^\p{Script=Latin}\P{Letter}]/u.test(text);
      // What structure.description refuses needs no second finding.
      const isRefused =
        text === "" || text.length > SKILL_DESCRIPTION_MAX_CHARS || /\p{Cc}/u.test(text);
      if (isRefused || isForeign || text === before?.trim() || OCCASION.test(text)) continue;
      yield {
        path: skillPath,
        line: lineOfKey(skill, "description"),
        message: "The description doesn't say when to use the skill.",
        hint: "Add the occasion, e.g. `Use when a migration fails`.",
      };
    }
  },
});

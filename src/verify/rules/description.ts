import { SKILL_DESCRIPTION_MAX_CHARS } from "../../core/limits.ts";
import { lineOfKey } from "../../skills/skill-file.ts";
import { type Detail, defineRule, EVERY_PROFILE } from "../rule.ts";

export const descriptionRule = defineRule({
  id: "structure.description",
  level: "error",
  why: "The description of every skill is in every prompt of an agent: it decides when the skill is used, and costs each time.",
  example: "a description of 25,000 characters",
  profiles: EVERY_PROFILE,
  *check({ folders }): Iterable<Detail> {
    for (const { next, skillPath, isSkillFileChanged, isPersonal } of folders) {
      if (!isSkillFileChanged || !next?.parsed?.ok) continue;
      const { skill } = next.parsed;
      const message = descriptionProblem(skill.description);
      if (message === undefined) continue;
      yield {
        path: skillPath,
        line: lineOfKey(skill, "description"),
        message,
        hint: `Say on one line of at most ${SKILL_DESCRIPTION_MAX_CHARS} characters what the skill does and when to use it.`,
        level: isPersonal ? "warning" : "error",
      };
    }
  },
});

function descriptionProblem(description: string | null): string | undefined {
  if (description === null) return "The skill has no `description`, or it is not a string.";
  if (description.trim() === "") return "The `description` is empty.";
  if (/[\p{Cc}\u2028\u2029]/u.test(description)) {
    return "The `description` holds a line break, a tab or another control character.";
  }
  const length = [...description].length;
  if (length <= SKILL_DESCRIPTION_MAX_CHARS) return undefined;
  return `The \`description\` has ${length} characters; at most ${SKILL_DESCRIPTION_MAX_CHARS} are allowed.`;
}

import { SKILL_NAME_MAX_CHARS } from "../../core/limits.ts";
import { lineOfKey, type SkillFile } from "../../skills/skill-file.ts";
import { isSkillName } from "../../skills/skill-name.ts";
import type { ChangedFolder } from "../context.ts";
import { type Detail, defineRule, EVERY_PROFILE, quoted } from "../rule.ts";

/** Of the folders that Qwen Code's own reviewer makes. */
const AGENT_PREFIX = "auto-skill-";

export const nameRule = defineRule({
  id: "structure.name",
  level: "error",
  why: "The folder is the name: agents choose between skills by it, and one name must not stand for two skills.",
  example: "`name: deploy` in the folder `release-flow`",
  profiles: EVERY_PROFILE,
  *check({ folders }): Iterable<Detail> {
    for (const folder of folders) {
      if (!folder.isSkillFileChanged || !folder.next?.parsed?.ok) continue;
      const { skill } = folder.next.parsed;
      const problem = nameProblem(folder, skill);
      if (!problem) continue;
      yield {
        path: folder.skillPath,
        line: lineOfKey(skill, "name"),
        ...problem,
        level: folder.isPersonal ? "warning" : "error",
      };
    }
  },
});

function nameProblem(
  { folder, parent }: ChangedFolder,
  { name }: SkillFile,
): { message: string; hint: string } | undefined {
  if (name === null) {
    return { message: "The skill has no `name`, or it is not a string.", hint: "Add a `name`." };
  }
  // Skills that Qwen Code wrote have a folder that differs from their name: an update keeps both.
  if (parent?.parsed?.ok && parent.parsed.skill.name === name) return undefined;
  // So Qwen Code's own reviewer names what it creates; both are adopted as they are.
  if (folder === `${AGENT_PREFIX}${name}` && isSkillName(folder)) return undefined;
  if (name !== folder) {
    return {
      message: `The name ${quoted(name)} differs from its folder ${quoted(folder)}.`,
      hint: parent
        ? "Keep the name that the skill had."
        : "Give the folder and `name` the same spelling.",
    };
  }
  if (isSkillName(name)) return undefined;
  return {
    message: `${quoted(name)} is no name for a skill.`,
    hint: `Use lower-case letters, digits and single hyphens, at most ${SKILL_NAME_MAX_CHARS} characters.`,
  };
}

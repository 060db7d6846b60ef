import { BUNDLED_SKILLS, BUNDLED_SKILLS_VERSION } from "../../skills/bundled-skills.ts";
import { lineOfKey, type SkillFile } from "../../skills/skill-file.ts";
import type { ChangedFolder, VerifyContext } from "../context.ts";
import { type Detail, defineRule, EVERY_PROFILE, quoted } from "../rule.ts";

export const shadowRule = defineRule({
  id: "structure.shadow",
  level: "error",
  why: "Of two skills with one name an agent loads one and says nothing: a new skill must not take the place of another.",
  example: "`name: review`, which Qwen Code brings along",
  profiles: EVERY_PROFILE,
  *check(context): Iterable<Detail> {
    for (const folder of context.folders) {
      const skill = newlyNamed(folder);
      if (skill === null || skill.name === null) continue;
      const place = { path: folder.skillPath, line: lineOfKey(skill, "name") };
      for (const detail of shadowed(context, folder, skill.name))
        yield { ...detail, ...place, ...(folder.isPersonal ? { level: "warning" } : {}) };
    }
  },
});

/** Whoever has a name keeps it: what it shadows, it shadowed before. */
function newlyNamed({ isSkillFileChanged, parent, next }: ChangedFolder): SkillFile | null {
  if (!isSkillFileChanged || !next?.parsed?.ok) return null;
  const { skill } = next.parsed;
  return parent?.parsed?.ok && parent.parsed.skill.name === skill.name ? null : skill;
}

function* shadowed(
  context: VerifyContext,
  { skillPath }: ChangedFolder,
  name: string,
): Iterable<Omit<Detail, "path">> {
  const fold = name.toLowerCase();
  if (BUNDLED_SKILLS.has(fold)) {
    yield {
      message: `${quoted(name)} is the name of a skill that Qwen Code ${BUNDLED_SKILLS_VERSION} brings along, which this one would replace.`,
      hint: "Give the skill a name that says more about this project.",
    };
  }
  const other = context.skillsNamed(fold).find(({ path }) => path !== skillPath);
  if (other !== undefined) {
    yield {
      message: `The skill ${quoted(other.path)} has the name ${quoted(name)} already.`,
      hint: "Improve that skill, or give this one a name of its own.",
    };
  }
  const users = context.input.userSkills?.find((skill) => skill.name.toLowerCase() === fold);
  if (users !== undefined) {
    yield {
      level: "warning",
      message: `A skill of yours, ${quoted(users.path)}, has the name ${quoted(name)} too; in this project this one would be loaded instead.`,
      hint: "Give this skill another name if yours should still be found here.",
    };
  }
}

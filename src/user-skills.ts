/** The user's own skills on this machine, which a project's skill of the same name hides. */
import { readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { readIfThere } from "./core/config-file.ts";
import { hasCode, SkillprError } from "./core/errors.ts";
import { USER_SKILLS_MAX } from "./core/limits.ts";
import { SKILL_FILE_NAME } from "./skills/skill-path.ts";
import { type SkillSummary, summarizeSkill } from "./skills/skill-summary.ts";

/**
 * Names of the skills in Qwen Code's folders for a user, at most USER_SKILLS_MAX of each; what can't be read
 * is nothing that an agent loads.
 */
export function readUserSkills(
  env: NodeJS.ProcessEnv,
  home = homedir(),
): Pick<SkillSummary, "name" | "path">[] {
  const roots = [
    { dir: join(env["QWEN_HOME"] || join(home, ".qwen"), "skills"), shown: "~/.qwen/skills" },
    { dir: join(home, ".agents/skills"), shown: "~/.agents/skills" },
  ];
  const skills: Pick<SkillSummary, "name" | "path">[] = [];
  for (const { dir, shown } of roots) {
    for (const folder of foldersIn(dir).slice(0, USER_SKILLS_MAX)) {
      const text = textOf(join(dir, folder, SKILL_FILE_NAME));
      if (text === null) continue;
      const path = `${shown}/${folder}/${SKILL_FILE_NAME}`;
      skills.push({ path, name: summarizeSkill(path, folder, text).name });
    }
  }
  return skills;
}

function foldersIn(dir: string): string[] {
  try {
    return readdirSync(dir).sort();
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR", "EACCES", "ELOOP")) return [];
    throw error;
  }
}

/** Null also for what is no small regular file. */
function textOf(file: string): string | null {
  try {
    return readIfThere(file);
  } catch (error) {
    if (error instanceof SkillprError) return null;
    throw error;
  }
}

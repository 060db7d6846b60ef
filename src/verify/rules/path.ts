import { hasAllowedShape, isLoadedByName, parseSkillPath } from "../../skills/skill-path.ts";
import { isSkillbookFile } from "../../skills/skillbook-files.ts";
import { foldPath, isRootOrParent } from "../context.ts";
import { type Detail, defineRule, EVERY_PROFILE, quoted } from "../rule.ts";

export const pathRule = defineRule({
  id: "structure.path",
  level: "error",
  why: "What a model wrote may only become text that people read: SKILL.md and markdown references inside a skill's folder.",
  example: "`.qwen/settings.json`, or `scripts/run.sh` in a skill",
  profiles: EVERY_PROFILE,
  *check({ changes, skillsRoot, input }): Iterable<Detail> {
    for (const { path, status } of changes) {
      if (isRootOrParent(path, skillsRoot)) continue;
      if (status === "D" && input.profile === "pull-request") continue;
      const problem = pathProblem(path, skillsRoot);
      if (problem) yield { path, ...problem };
    }
  },
});

function pathProblem(
  path: string,
  skillsRoot: string,
): { message: string; hint: string } | undefined {
  if (!path.startsWith(`${skillsRoot}/`)) {
    const isOtherSpelling = foldPath(path).startsWith(`${foldPath(skillsRoot)}/`);
    const where = isOtherSpelling ? "only looks like a file of" : "lies outside";
    return {
      message: `${quoted(path)} ${where} the skills root ${quoted(skillsRoot)}.`,
      hint: `Write only below ${quoted(skillsRoot)}, spelled exactly.`,
    };
  }
  const parsed = parseSkillPath(path, skillsRoot);
  if (!parsed) {
    return {
      message: `${quoted(path)} is no file in a skill's folder.`,
      hint: `Put it into a folder of its own: ${quoted(`${skillsRoot}/<name>/SKILL.md`)}.`,
    };
  }
  if (hasAllowedShape(parsed.rest) || isSkillbookFile(parsed.folder, parsed.rest)) return undefined;
  if (parsed.rest.startsWith("references/") && isLoadedByName(parsed.rest)) {
    return {
      message: `${quoted(parsed.rest)} has a name by which agents load a file without being asked.`,
      hint: "Give it a name that says what it is about.",
    };
  }
  return {
    message: `${quoted(parsed.rest)} is not among the files that a skill may hold.`,
    hint: "A skill holds `SKILL.md` and markdown files (`.md`) below `references/`; write commands into the text.",
  };
}

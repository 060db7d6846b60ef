import { SKILL_FILE_NAME } from "../../skills/skill-path.ts";
import { isRootOrParent } from "../context.ts";
import { type Detail, defineRule, quoted } from "../rule.ts";

export const extraFolderRule = defineRule({
  id: "structure.extra-folder",
  level: "error",
  why: "The workspace holds skills and nothing else; anything beside them was put there for another purpose.",
  example: "a folder shaped like a bare git repository",
  profiles: ["proposal"],
  *check({ input, skillsRoot }): Iterable<Detail> {
    const known = new Set(input.parent.map(({ path }) => folderUnder(skillsRoot, path)));
    const skills = new Set(
      input.next
        .filter(({ path }) => path === `${folderUnder(skillsRoot, path)}/${SKILL_FILE_NAME}`)
        .map(({ path }) => folderUnder(skillsRoot, path)),
    );
    for (const { path, kind, children } of input.disk ?? []) {
      if (isRootOrParent(path, skillsRoot)) continue;
      if (!path.startsWith(`${skillsRoot}/`)) {
        yield {
          path,
          message: `${quoted(path)} lies outside the skills root ${quoted(skillsRoot)}.`,
          hint: `Write only below ${quoted(skillsRoot)}.`,
        };
        continue;
      }
      const isSkillFolder = kind === "folder" && path === folderUnder(skillsRoot, path);
      // An empty one has a rule of its own; one that the parent holds too is not the reviewer's.
      if (!isSkillFolder || children === 0 || skills.has(path) || known.has(path)) continue;
      yield {
        path,
        message: `The folder ${quoted(path)} holds no ${SKILL_FILE_NAME}, so it is no skill.`,
        hint: `Write ${quoted(`${path}/${SKILL_FILE_NAME}`)}, or move its files into a skill.`,
      };
    }
  },
});

/** The skill folder that a path lies in, from the repository's root. */
function folderUnder(skillsRoot: string, path: string): string {
  const end = path.indexOf("/", skillsRoot.length + 1);
  return end < 0 ? path : path.slice(0, end);
}

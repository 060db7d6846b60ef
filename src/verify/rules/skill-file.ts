import { SKILL_FILE_NAME } from "../../skills/skill-path.ts";
import { skillFolderOf } from "../../skills/skill-summary.ts";
import type { Change, TreeFile } from "../change.ts";
import { foldPath } from "../context.ts";
import { type Detail, defineRule, EVERY_PROFILE, quoted } from "../rule.ts";

export const skillFileRule = defineRule({
  id: "structure.skill-file",
  level: "error",
  why: "Agents load a folder by its SKILL.md, spelled exactly; without it nothing says what the other files are.",
  example: "`release-flow/SKILL.MD`",
  profiles: EVERY_PROFILE,
  *check({ folders, changes, input, skillsRoot }): Iterable<Detail> {
    yield* orphans(changes, input.next, skillsRoot);
    for (const { path, skillPath, next, nextFiles } of folders) {
      if (next) continue;
      const other = nextFiles.find((file) => foldPath(file.path) === foldPath(skillPath));
      if (other) {
        yield {
          path: other.path,
          message: `${quoted(other.path)} is not spelled \`${SKILL_FILE_NAME}\`.`,
          hint: `Name the file exactly \`${SKILL_FILE_NAME}\`.`,
        };
      } else {
        yield {
          path,
          message: `The folder ${quoted(path)} has no \`${SKILL_FILE_NAME}\`.`,
          hint: `Write ${quoted(skillPath)}.`,
        };
      }
    }
  },
});

/** What a deleted SKILL.md leaves behind; where something else changes too, its folder is looked at above. */
function* orphans(
  changes: readonly Change[],
  next: readonly TreeFile[],
  skillsRoot: string,
): Iterable<Detail> {
  for (const { path, status } of changes) {
    const folder = status === "D" ? skillFolderOf(path, skillsRoot) : null;
    if (folder === null) continue;
    const prefix = `${skillsRoot}/${folder}/`;
    const left = next.find((file) => file.path.startsWith(prefix));
    const isChanged = changes.some((one) => one.status !== "D" && one.path.startsWith(prefix));
    if (left === undefined || isChanged) continue;
    yield {
      path: left.path,
      message: `${quoted(left.path)} is left in a folder whose \`${SKILL_FILE_NAME}\` is deleted.`,
      hint: "Delete the whole folder, or keep the file that says what it is.",
    };
  }
}

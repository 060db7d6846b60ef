import { SKILL_FILE_NAME } from "../../skills/skill-path.ts";
import { foldPath } from "../context.ts";
import { type Detail, defineRule, EVERY_PROFILE, quoted } from "../rule.ts";

export const skillFileRule = defineRule({
  id: "structure.skill-file",
  level: "error",
  why: "Agents load a folder by its SKILL.md, spelled exactly; without it nothing says what the other files are.",
  example: "`release-flow/SKILL.MD`",
  profiles: EVERY_PROFILE,
  *check({ folders }): Iterable<Detail> {
    for (const { path, skillPath, next, nextFiles, changes } of folders) {
      if (next) continue;
      const [left] = nextFiles;
      if (left !== undefined && changes.every(({ status }) => status === "D")) {
        yield {
          path: left.path,
          message: `${quoted(left.path)} is left in a folder whose \`${SKILL_FILE_NAME}\` is deleted.`,
          hint: "Delete the whole folder, or keep the file that says what it is.",
        };
        continue;
      }
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

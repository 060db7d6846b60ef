import { isRootOrParent } from "../context.ts";
import { type Detail, defineRule, quoted } from "../rule.ts";

export const emptyFolderRule = defineRule({
  id: "structure.empty-folder",
  level: "error",
  why: "Git doesn't record an empty folder, so what a person approves would not be what the reviewer left.",
  example: "`.qwen/skills/release-flow/references/` without a file",
  profiles: ["proposal"],
  *check({ input, skillsRoot }): Iterable<Detail> {
    for (const { path, kind, children } of input.disk ?? []) {
      if (kind !== "folder" || children !== 0 || isRootOrParent(path, skillsRoot)) continue;
      yield {
        path,
        message: `The folder ${quoted(path)} is empty.`,
        hint: "Write the file that belongs there, or don't create the folder.",
      };
    }
  },
});

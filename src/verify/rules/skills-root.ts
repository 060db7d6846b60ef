import type { Change, TreeFile } from "../change.ts";
import { isRootOrParent } from "../context.ts";
import { type Detail, defineRule, EVERY_PROFILE, quoted } from "../rule.ts";

const KINDS: Readonly<Record<string, string>> = {
  "120000": "a symbolic link",
  "160000": "a submodule",
};

export const skillsRootRule = defineRule({
  id: "structure.skills-root",
  level: "error",
  why: "Where the skills root or a folder above it is a link or a submodule, every path below it means something else.",
  example: "`.qwen` as a symbolic link to `.agents`",
  profiles: EVERY_PROFILE,
  *check({ changes, input, skillsRoot }): Iterable<Detail> {
    // Where nothing changes, nothing is to be refused.
    if (input.changes.length === 0) return;
    // In a pull request a person may repair it: then only the new tree counts.
    const isPerson = input.profile === "pull-request";
    const entries = [
      ...changes.filter(({ status }) => !isPerson || status !== "D").map(toEntry),
      ...(isPerson ? [] : input.parent),
      ...input.next,
    ];
    const seen = new Set<string>();
    for (const { path, mode } of entries) {
      if (!isRootOrParent(path, skillsRoot) || seen.has(path)) continue;
      seen.add(path);
      yield {
        path,
        message: `${quoted(path)} is ${KINDS[mode] ?? "a file"}, not a folder, so ${quoted(skillsRoot)} is no place for skills.`,
        hint: "Make it a folder of this repository, or name another one with --skills-root.",
      };
    }
  },
});

function toEntry({ path, mode, oldMode }: Change): Pick<TreeFile, "path" | "mode"> {
  return { path, mode: mode === "000000" ? oldMode : mode };
}

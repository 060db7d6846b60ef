import type { Change, TreeFile } from "../change.ts";
import { isRootOrParent } from "../context.ts";
import { type Detail, defineRule, EVERY_PROFILE, quoted } from "../rule.ts";

const LINK = "120000";
const KINDS: Readonly<Record<string, string>> = {
  [LINK]: "a symbolic link",
  "160000": "a submodule",
};

export const skillsRootRule = defineRule({
  id: "structure.skills-root",
  level: "error",
  why: "Where the skills root or a folder above it is a link, a submodule or a file, the skills lie elsewhere, and nothing of them was looked at.",
  example: "`.qwen` as a symbolic link to `.agents`",
  profiles: EVERY_PROFILE,
  *check({ changes, input, skillsRoot, text }): Iterable<Detail> {
    // Where nothing changes, nothing is to be refused. Else also what changes elsewhere: it may be where the link leads.
    if (input.changes.length === 0) return;
    // In a pull request a person may repair it: then only the new tree counts.
    const isPerson = input.profile === "pull-request";
    const entries = [
      ...changes.filter(({ status }) => !isPerson || status !== "D").map(toEntry),
      ...(isPerson ? [] : input.parent),
      ...input.next,
    ];
    const seen = new Set<string>();
    for (const { path, mode, id } of entries) {
      if (!isRootOrParent(path, skillsRoot) || seen.has(path)) continue;
      seen.add(path);
      const target = mode === LINK ? text(id) : null;
      const to = target?.kind === "text" ? ` to ${quoted(target.text)}` : "";
      yield {
        path,
        message: `${quoted(path)} is ${KINDS[mode] ?? "a file"}${to}, not a folder, so ${quoted(skillsRoot)} is no place for skills.`,
        hint: `${mode === LINK ? "Name the folder that it leads to" : "Name the folder that holds the skills"} with --skills-root, or make this one a folder of the repository.`,
      };
    }
  },
});

function toEntry({ path, mode, oldMode, id, oldId }: Change): TreeFile {
  return mode === "000000" ? { path, mode: oldMode, id: oldId } : { path, mode, id };
}

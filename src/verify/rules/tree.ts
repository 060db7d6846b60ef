import { parseSkillPath } from "../../skills/skill-path.ts";
import type { TreeFile } from "../change.ts";
import type { VerifyContext } from "../context.ts";
import { type Detail, defineRule, EVERY_PROFILE, quoted } from "../rule.ts";

export const treeRule = defineRule({
  id: "structure.tree",
  level: "error",
  why: "Rules look at the list of changes and at the trees; where these disagree, something would go unread.",
  example: "a list of changes that leaves out a file of the new tree",
  profiles: EVERY_PROFILE,
  *check({ input, skillsRoot, folders }): Iterable<Detail> {
    for (const path of ambiguousPaths(input, folders)) yield disagreement(path);
    const parent = byPath(input.parent);
    const next = byPath(input.next);
    const listed = new Set<string>();
    for (const { path, status, id, mode } of input.changes) {
      listed.add(path);
      if (!parseSkillPath(path, skillsRoot)) continue;
      const file = next.get(path);
      const agrees = status === "D" ? !file : file?.id === id && file.mode === mode;
      if (!agrees) yield disagreement(path);
    }
    for (const path of new Set([...parent.keys(), ...next.keys()])) {
      const before = parent.get(path);
      const after = next.get(path);
      const isSame = before?.id === after?.id && before?.mode === after?.mode;
      if (!isSame && !listed.has(path)) yield disagreement(path);
    }
  },
});

/** What the parent has twice may stay so where nothing changes. */
function ambiguousPaths(
  { parent, next }: VerifyContext["input"],
  folders: VerifyContext["folders"],
): ReadonlySet<string> {
  const known = new Set(twice(parent));
  const added = twice(next).filter((path) => !known.has(path));
  const changed = folders.flatMap((folder) => [folder.parentFiles, folder.nextFiles]);
  return new Set([...added, ...changed.flatMap(twice)]);
}

/** Paths listed more than once: each has several contents, and every reader picks its own. */
function twice(files: readonly TreeFile[]): string[] {
  const seen = new Set<string>();
  return files.map(({ path }) => path).filter((path) => seen.size === seen.add(path).size);
}

function byPath(files: readonly TreeFile[]): Map<string, TreeFile> {
  return new Map(files.map((file) => [file.path, file]));
}

function disagreement(path: string): Detail {
  return {
    path,
    message: `The list of changes and the trees disagree about ${quoted(path)}.`,
    hint: "Seal the proposal again; if it stays, report it as a bug.",
  };
}

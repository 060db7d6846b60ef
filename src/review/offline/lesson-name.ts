/** What a lesson is called: by its check and its fixed file, so that the same lesson gets the same name. */
import { toSkillName } from "../../skills/skill-name.ts";
import { isTestFile } from "./arc.ts";
import type { NetHunk } from "./net-change.ts";
import { smallDiff } from "./small-diff.ts";
import type { CheckRun } from "./step.ts";

/** The file that the lesson is about: of the project's own code before its tests, the one that changed most. */
export function mainFile(fix: readonly NetHunk[]): string | undefined {
  const size = (hunk: NetHunk) => smallDiff(hunk).filter((line) => /^[-+]/.test(line)).length;
  const rank = (hunk: NetHunk) => Number(isTestFile(hunk.path)) * 2 + Number(hunk.creates);
  return [...fix].sort(
    (a, b) => rank(a) - rank(b) || size(b) - size(a) || (a.path < b.path ? -1 : 1),
  )[0]?.path;
}

/** The words of a check without flags, paths by their file's name. */
function nameOfCheck(run: CheckRun): string {
  const words = run.command.key.slice(run.command.key.indexOf("\n") + 1).split(/\s+/);
  return words
    .filter((word) => /^[\w@./:\\-]+$/.test(word) && !word.startsWith("-"))
    .map((word) => (word.split(/[\\/]/).at(-1) ?? word).replace(/\.\w+$/, ""))
    .slice(0, 3)
    .join(" ");
}

function nameOfFile(path: string): string {
  return path
    .replace(/\.\w+$/, "")
    .split("/")
    .slice(-2)
    .join(" ");
}

/** A valid skill name; null when nothing of the command and the path can stand in one. */
export function lessonName(check: CheckRun, file: string): string | null {
  return toSkillName(`${nameOfCheck(check)} fails ${nameOfFile(file)}`);
}

/** Which paths a skill may consist of. */
import { SKILL_PATH_MAX_DEPTH } from "../core/limits.ts";
import { componentProblem } from "./path-component.ts";

export const SKILL_FILE_NAME = "SKILL.md";

export interface SkillPath {
  /** The skill's folder: the first name under the skills root. */
  readonly folder: string;
  /** Path inside the folder, e.g. `SKILL.md`. */
  readonly rest: string;
}

/**
 * Splits a path from the repository's root.
 *
 * @param skillsRoot e.g. `.qwen/skills`, without a trailing slash
 * @returns null when the path is not inside a folder of the skills root, spelled exactly, or leaves
 *   it again (`..`, empty names)
 */
export function parseSkillPath(path: string, skillsRoot: string): SkillPath | null {
  if (!path.startsWith(`${skillsRoot}/`)) return null;
  const components = path.slice(skillsRoot.length + 1).split("/");
  if (components.some((name) => name === "" || name === "." || name === "..")) return null;
  const [folder, ...rest] = components;
  if (folder === undefined || rest.length === 0) return null;
  return { folder, rest: rest.join("/") };
}

/**
 * The allow-list: `SKILL.md` and markdown below `references/`, in names that every file system can hold.
 *
 * @param rest path inside the skill's folder
 */
export function isAllowedSkillFile(rest: string): boolean {
  return (
    hasAllowedShape(rest) &&
    rest.split("/").every((name) => componentProblem(name) === null) &&
    folderLevels(rest) <= SKILL_PATH_MAX_DEPTH
  );
}

/** The allow-list without a look at the names themselves: which files, not how they are spelled. */
export function hasAllowedShape(rest: string): boolean {
  if (rest === SKILL_FILE_NAME) return true;
  return /^references\/.*[^/]\.md$/s.test(rest) && !isLoadedByName(rest);
}

/**
 * True for a file whose name alone makes agents read it: a second SKILL.md deeper in the folder, or a file of
 * standing instructions, whatever its case.
 */
export function isLoadedByName(rest: string): boolean {
  const name = rest.slice(rest.lastIndexOf("/") + 1);
  if (rest === SKILL_FILE_NAME) return false;
  return /^(?:skill|agents|claude|gemini|qwen|copilot-instructions)(?:\.local)?\.md$/i.test(name);
}

/** Folders between the skill's folder and the file: `references/a/b.md` has two. */
function folderLevels(rest: string): number {
  return rest.split("/").length - 1;
}

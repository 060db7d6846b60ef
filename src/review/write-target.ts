/** One place under the skills root that a review wants to write to: its name, what lies there, whose it is. */
import { lstatSync, readdirSync, readFileSync, type Stats } from "node:fs";
import { join } from "node:path";
import { hasCode } from "../core/errors.ts";
import {
  SKILL_FILE_MAX_BYTES,
  SKILL_MAX_FILES,
  SKILL_PATH_MAX_DEPTH,
  SKILLS_CHANGED_MAX,
} from "../core/limits.ts";
import { readMarker } from "../skills/marker.ts";
import { componentProblem } from "../skills/path-component.ts";
import { isSkillName } from "../skills/skill-name.ts";
import {
  hasAllowedShape,
  isAllowedSkillFile,
  isLoadedByName,
  parseSkillPath,
  SKILL_FILE_NAME,
} from "../skills/skill-path.ts";
import { SKILLBOOK_FILE_NAME, SKILLBOOK_FOLDER } from "../skills/skillbook-files.ts";
import { quotePath } from "./paths.ts";

export type WriteTarget =
  | { readonly ok: true; readonly folder: string; readonly rest: string }
  | { readonly ok: false; readonly reason: string };

/**
 * A path from the project's root as a place in a skill. What the verifier would refuse by its name
 * alone is refused here: a review has no way to take a file back.
 */
export function skillTarget(path: string, skillsRoot: string): WriteTarget {
  const place = parseSkillPath(path, skillsRoot);
  if (place === null)
    return { ok: false, reason: `a skill is ${skillsRoot}/<name>/${SKILL_FILE_NAME}` };
  for (const name of [place.folder, ...place.rest.split("/")]) {
    const problem = componentProblem(name);
    if (problem !== null) return { ok: false, reason: `the name ${quotePath(name)} ${problem}` };
  }
  if (isLoadedByName(place.rest))
    return {
      ok: false,
      reason: `agents load ${quotePath(place.rest)} by its name, not as a reference`,
    };
  if (!hasAllowedShape(place.rest))
    return {
      ok: false,
      reason: `a skill holds ${SKILL_FILE_NAME} and markdown below references/, nothing else`,
    };
  if (!isAllowedSkillFile(place.rest))
    return { ok: false, reason: `folders go at most ${SKILL_PATH_MAX_DEPTH} deep` };
  return { ok: true, ...place };
}

export type Place =
  | { readonly ok: true; readonly kind: "file" | "folder" | "absent" }
  | { readonly ok: false; readonly reason: string };

/**
 * Looks at every component on the way, without following anything.
 * @param above how many folders above the skills folder belong to the project, and are looked at too
 */
export function lookAtPlace(skillsDir: string, above: number, parts: readonly string[]): Place {
  const upwards = Array.from({ length: above + 1 }, (_, index) =>
    join(skillsDir, ...Array<string>(above - index).fill("..")),
  );
  const downwards = parts.map((_, index) => join(skillsDir, ...parts.slice(0, index + 1)));
  const onTheWay = [...upwards, ...downwards].slice(above > 0 ? 1 : 0);
  let kind: "file" | "folder" | "absent" = "absent";
  for (const [index, path] of onTheWay.entries()) {
    const stat = statOf(path);
    if (stat === null) return { ok: true, kind: "absent" };
    if (stat.isSymbolicLink()) return { ok: false, reason: "symlink traversal detected" };
    const isLast = index === onTheWay.length - 1;
    // A second name of the file may lie anywhere: writing here would write there.
    const isPlain = stat.isDirectory() || (isLast && stat.isFile() && stat.nlink === 1);
    if (!isPlain) return { ok: false, reason: `${quotePath(path)} is not a plain file or folder` };
    kind = stat.isDirectory() ? "folder" : "file";
  }
  return { ok: true, kind };
}

/**
 * Whose skill a folder is, as it was when this review first came to it: a skill that the review
 * makes, or whose marker it damaged, stays one that it can mend.
 */
export class SkillOwnership {
  readonly #isOurs = new Map<string, boolean>();
  readonly #touched = new Set<string>();

  isOurs(skillsDir: string, folder: string): boolean {
    const known = this.#isOurs.get(folder);
    if (known !== undefined) return known;
    const stat = statOf(join(skillsDir, folder));
    const isOurs =
      stat === null ||
      (isMarked(join(skillsDir, folder, SKILL_FILE_NAME)) && !isSkillbook(skillsDir, folder));
    this.#isOurs.set(folder, isOurs);
    return isOurs;
  }

  /** Counts a skill as changed. @returns false when it would be one too many */
  touch(folder: string): boolean {
    if (!this.#touched.has(folder) && this.#touched.size >= SKILLS_CHANGED_MAX) return false;
    this.#touched.add(folder);
    return true;
  }

  /** What would be wrong with a new file whatever it holds, as a sentence; else null. */
  problemOfNewFile(skillsDir: string, place: WriteTarget & { ok: true }): string | null {
    const dir = join(skillsDir, place.folder);
    const isNewSkill = statOf(dir) === null;
    if (isNewSkill && !isSkillName(place.folder))
      return `${quotePath(place.folder)} can't name a skill: use lower-case letters, digits and single hyphens`;
    const siblings = [namesIn(skillsDir), isNewSkill ? [] : filesIn(dir)];
    const wanted = [place.folder, place.rest];
    for (const [index, names] of siblings.entries()) {
      const twin = names.find((name) => differsInCase(name, wanted[index] ?? ""));
      if (twin !== undefined)
        return `${quotePath(twin)} is there already, and some disks can't hold both: use another name`;
    }
    if ((siblings[1]?.length ?? 0) < SKILL_MAX_FILES) return null;
    return `the skill has ${SKILL_MAX_FILES} files already, which is the most: edit one of them`;
  }
}

function differsInCase(a: string, b: string): boolean {
  return a !== b && a.normalize("NFC").toLowerCase() === b.normalize("NFC").toLowerCase();
}

function filesIn(dir: string): string[] {
  const found = readdirSync(dir, { recursive: true, withFileTypes: true });
  const files = found.filter((entry) => !entry.isDirectory());
  return files.map((entry) =>
    join(entry.parentPath, entry.name)
      .slice(dir.length + 1)
      .replaceAll("\\", "/"),
  );
}

function namesIn(dir: string): string[] {
  return statOf(dir) === null ? [] : readdirSync(dir);
}

/** The Skillbook changes by update operations only: its SKILL.md is rendered. */
function isSkillbook(skillsDir: string, folder: string): boolean {
  const file = join(skillsDir, folder, SKILLBOOK_FILE_NAME);
  return folder === SKILLBOOK_FOLDER && statOf(file) !== null;
}

function isMarked(path: string): boolean {
  const stat = statOf(path);
  if (stat === null || !stat.isFile() || stat.size > SKILL_FILE_MAX_BYTES) return false;
  return readMarker(readFileSync(path, "utf8")).isAutoSkill;
}

function statOf(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR", "ENAMETOOLONG")) return null;
    throw error;
  }
}

/** Where a lesson goes: into a new skill, into the skill that has it already, or nowhere. Pure. */
import { SKILL_NAME_MAX_CHARS } from "../../core/limits.ts";
import { toSkillName } from "../../skills/skill-name.ts";
import type { DeclinedSkill, ExistingSkill } from "../reviewer.ts";
import type { Lesson } from "./lesson.ts";

export type Placement =
  | { readonly kind: "create"; readonly folder: string }
  | { readonly kind: "update"; readonly folder: string }
  /** `declined`: a person turned this lesson down. `taught`: a person's own skill has it. */
  | { readonly kind: "silent"; readonly because: "declined" | "taught" | "no-name" };

type TextOf = (folder: string) => string | null;

/** Names tried after the lesson's own; more than a few skills of one name are nobody's plan. */
const SUFFIXES = ["", "2", "3", "4"];

/** The name with a number behind it, shortened where both together are too long. */
function numbered(name: string, suffix: string): string | null {
  return toSkillName(`${name.slice(0, SKILL_NAME_MAX_CHARS - suffix.length - 1)} ${suffix}`);
}

/** What stands at a name: nothing, this lesson, or something else. */
function standsAt(
  name: string,
  lesson: Lesson,
  existing: readonly ExistingSkill[],
  textOf: TextOf,
) {
  const skill = existing.find((other) =>
    [other.folder, other.name].some((taken) => taken.toLowerCase() === name),
  );
  if (skill === undefined) return null;
  return { skill, isSameLesson: textOf(skill.folder)?.includes(lesson.file) === true };
}

/**
 * - The name of a lesson belongs to it: who declined a skill of that name, declined the lesson. It
 *   isn't proposed again under another name; only a skill that was accepted is still kept up.
 * - An auto-skill of that name that is about the lesson's file is updated.
 * - A skill of that name without the marker is a person's. If it is about that file, nothing is to
 *   be said; if it is about something else, the lesson takes the next free name.
 *
 * @param textOf SKILL.md of a folder of the workspace; null when there is none
 */
export function placeLesson(
  lesson: Lesson,
  existing: readonly ExistingSkill[],
  declined: readonly DeclinedSkill[],
  textOf: TextOf,
): Placement {
  for (const suffix of SUFFIXES) {
    const name = suffix === "" ? lesson.name : numbered(lesson.name, suffix);
    if (name === null) continue;
    const found = standsAt(name, lesson, existing, textOf);
    if (found === null) {
      const isDeclined = declined.some((other) => other.folder.toLowerCase() === name);
      return isDeclined
        ? { kind: "silent", because: "declined" }
        : { kind: "create", folder: name };
    }
    if (!found.isSameLesson) continue;
    return found.skill.isAutoSkill
      ? { kind: "update", folder: found.skill.folder }
      : { kind: "silent", because: "taught" };
  }
  return { kind: "silent", because: "no-name" };
}

/** Where a lesson goes: into a new skill, into the skill that has it already, or nowhere. Pure. */
import { SKILL_NAME_MAX_CHARS } from "../../core/limits.ts";
import { toSkillName } from "../../skills/skill-name.ts";
import type { DeclinedSkill, ExistingSkill, InPlaceSkill } from "../reviewer.ts";
import type { Lesson } from "./lesson.ts";
import { hasFix } from "./merge-skill.ts";
import { describesLesson, teachesLesson } from "./signature.ts";

export type Placement =
  | { readonly kind: "create"; readonly folder: string }
  | { readonly kind: "update"; readonly folder: string }
  /**
   * `declined`: a person turned this lesson down. `taught`: a person's own skill has it.
   * `no-name`: all names it may have are taken. `in-place`: a skill that nobody committed has it, or
   * its name.
   * @property folder the skill that it is about
   */
  | {
      readonly kind: "silent";
      readonly because: "declined" | "taught" | "no-name" | "in-place";
      readonly folder: string;
    };

type TextOf = (folder: string) => string | null;

/** Names tried after the lesson's own: so many different failures of one check end in one file, not more. */
const SUFFIXES = ["", "2", "3", "4", "5", "6", "7", "8", "9"];

/** The names that a lesson may have, its own first; those with a number are shortened where both together are too long. */
function namesOf({ name }: Lesson): string[] {
  return SUFFIXES.flatMap((suffix) =>
    suffix === ""
      ? [name]
      : (toSkillName(`${name.slice(0, SKILL_NAME_MAX_CHARS - suffix.length - 1)} ${suffix}`) ?? []),
  );
}

function isCalled(
  skill: Pick<ExistingSkill, "folder" | "name">,
  names: readonly string[],
): boolean {
  return [skill.folder, skill.name].some((name) => names.includes(name.toLowerCase()));
}

/** What was declined under a name of this lesson, and the lesson with it. */
function declinedAs(
  lesson: Lesson,
  names: readonly string[],
  declined: readonly DeclinedSkill[],
): DeclinedSkill | undefined {
  return declined.find(({ folder, description }) => {
    const name = folder.toLowerCase();
    // Nobody knows what it said: then its name stands for the lesson that has it first.
    if (typeof description !== "string") return name === lesson.name;
    return names.includes(name) && describesLesson(description, lesson.signature);
  });
}

/** Whether a skill in place has the lesson, or the name that the lesson would get. */
function saysLesson({ folder, name, description, text }: InPlaceSkill, lesson: Lesson): boolean {
  return (
    [folder, name].some((word) => word.toLowerCase() === lesson.name) ||
    describesLesson(description, lesson.signature) ||
    teachesLesson(text, lesson.signature) ||
    hasFix(text, lesson)
  );
}

/**
 * A lesson is the same as another when check, fixed file and failure are, or when the fix is. Then:
 *
 * - an auto-skill that has it is updated, also when it was declined once: it was accepted since;
 * - a person's skill (without the marker) of such a name that is about the file says it: silent;
 * - a skill in place that has it, or its name, is adopted or committed by a person: silent;
 * - who declined it, declined it under all names: silent.
 *
 * Any other lesson of that check and file takes the next name that nobody has and nobody declined.
 *
 * @param textOf SKILL.md of a folder of the workspace; null when there is none
 */
export function placeLesson(
  lesson: Lesson,
  existing: readonly ExistingSkill[],
  declined: readonly DeclinedSkill[],
  textOf: TextOf,
  inPlace: readonly InPlaceSkill[] = [],
): Placement {
  const names = namesOf(lesson);
  const called = existing.filter((skill) => isCalled(skill, names));
  const having = called.find(({ folder, isAutoSkill }) => {
    const text = textOf(folder) ?? "";
    return isAutoSkill
      ? teachesLesson(text, lesson.signature) || hasFix(text, lesson)
      : text.includes(lesson.file);
  });
  if (having !== undefined) {
    const { folder } = having;
    return having.isAutoSkill
      ? { kind: "update", folder }
      : { kind: "silent", because: "taught", folder };
  }
  const beside = inPlace.find((skill) => saysLesson(skill, lesson));
  if (beside !== undefined) return { kind: "silent", because: "in-place", folder: beside.path };
  const refused = declinedAs(lesson, names, declined);
  if (refused !== undefined) return { kind: "silent", because: "declined", folder: refused.folder };
  const free = names.find(
    (name) =>
      ![...called, ...inPlace].some((skill) => isCalled(skill, [name])) &&
      !declined.some((other) => other.folder.toLowerCase() === name),
  );
  return free === undefined
    ? { kind: "silent", because: "no-name", folder: lesson.name }
    : { kind: "create", folder: free };
}

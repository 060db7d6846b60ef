/**
 * Marks of whole skills, which the Skillbook keeps beside its strategies: not in the skill's own file, so
 * that a skill of a person can be marked too. Pure.
 */
import type { Reason } from "./reasons.ts";
import { isRecord } from "./skill-file.ts";
import type { Occurrence, SkillbookProblem } from "./skillbook.ts";
import { isStrategyId } from "./strategy.ts";

export interface SkillTags {
  readonly helpful_count: number;
  readonly harmful_count: number;
  readonly neutral_count: number;
  /** The sessions that it was marked in. */
  readonly occurrences: readonly Occurrence[];
  /** ISO 8601. */
  readonly updated_at?: string;
  /** What the marks said of themselves; see reasons.ts. */
  readonly reasons?: readonly Reason[];
}

export const NO_TAGS: SkillTags = {
  helpful_count: 0,
  harmful_count: 0,
  neutral_count: 0,
  occurrences: [],
};

/** Which counter a TAG's delta moves. */
export const COUNT_OF = {
  "1": "helpful_count",
  "-1": "harmful_count",
  "0": "neutral_count",
} as const;

export const COUNTS = ["helpful_count", "harmful_count", "neutral_count"] as const;

/** The marks of a skill; null when it has none. A folder may be called like something that every object has. */
export function tagsOf(
  { skill_tags: tags = {} }: { readonly skill_tags?: Readonly<Record<string, SkillTags>> },
  folder: string,
): SkillTags | null {
  return Object.hasOwn(tags, folder) ? (tags[folder] ?? null) : null;
}

/** Reads `skill_tags`, by folder; fields that are unknown here are kept. */
export function readSkillTags(
  value: unknown,
  problems: SkillbookProblem[],
): Readonly<Record<string, SkillTags>> {
  const wrong = (field: string, what: string) => {
    problems.push({ code: "wrong_type", field, message: `${field} ${what}` });
  };
  if (!isRecord(value)) {
    wrong("skill_tags", "is an object, by the skills' folders");
    return {};
  }
  const entries = Object.entries(value).flatMap(([folder, raw]) => {
    const tags = isRecord(raw) ? ({ ...NO_TAGS, ...raw } as SkillTags) : null;
    const problem = isStrategyId(folder) ? problemOf(tags) : "is no folder of a skill";
    if (problem !== null) wrong(`skill_tags.${folder}`, problem);
    return tags === null || problem !== null ? [] : [[folder, tags] as const];
  });
  return Object.fromEntries(entries);
}

function problemOf(tags: SkillTags | null): string | null {
  if (tags === null) return "is an object";
  const { occurrences, updated_at } = tags;
  const bad = COUNTS.find((count) => !isCount(tags[count]));
  if (bad !== undefined) return `has a ${bad} that is no whole number from 0`;
  if (!Array.isArray(occurrences) || !occurrences.every(isRecord))
    return "has occurrences that are no list of objects";
  const isText = updated_at === undefined || typeof updated_at === "string";
  return isText ? null : "has an updated_at that is no text";
}

/** True for what a counter may be. */
export function isCount(value: unknown): boolean {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

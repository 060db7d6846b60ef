/** The markdown of a lesson. Pure. */
import type { Lesson } from "./lesson.ts";
import type { Entry } from "./lesson-entries.ts";

export const SECTIONS = {
  whenToUse: "When to use",
  steps: "Steps",
  pitfalls: "Pitfalls",
  checks: "How to check",
} as const;

/** How the last lines begin, by which a reader and an update know what wrote the skill. */
export const CREDIT_START = "_The offline reviewer (no model)";

/** One list item: what follows the first line is indented, so that it belongs to the item. */
export function listItem({ lines }: Entry, bullet: string): string[] {
  const [first = "", ...rest] = lines;
  const indent = " ".repeat(bullet.length);
  return [`${bullet}${first}`, ...rest.map((line) => `${indent}${line}`.trimEnd())];
}

function section(title: string, entries: readonly Entry[], isNumbered: boolean): string[] {
  if (entries.length === 0) return [];
  const items = entries.flatMap((entry, i) => listItem(entry, isNumbered ? `${i + 1}. ` : "- "));
  return [`## ${title}`, "", ...items, ""];
}

/** Where a skill comes from: `turns t1–t8 of session 1a2b3c4d`. */
export function sourceOf(lesson: Lesson, sessionId: string): string {
  return `turns ${lesson.turns} of session ${sessionId}`;
}

/**
 * The last line: how the skill came about, and what its `t5` means.
 * @param first where it was written from; null when that isn't known
 * @param last where it was last added to from; null when it never was
 */
export function creditLine(first: string | null, last: string | null): string {
  const wrote = first === null ? [] : [`wrote this from ${first}`];
  const added = last === null ? [] : [`last added to it from ${last}`];
  const session = last === null ? "that session" : "the session named there, else of the first";
  return (
    `${CREDIT_START} ${[...wrote, ...added].join(" and ")}; ` +
    `\`t5\` is the fifth of the turns of ${session}. Nothing here was judged, only observed._`
  );
}

/** The body of a new SKILL.md. @param sessionId as it is cited */
export function writeSkill(lesson: Lesson, sessionId: string): string {
  return [
    `# ${lesson.title}`,
    "",
    ...section(SECTIONS.whenToUse, lesson.whenToUse, false),
    ...section(SECTIONS.steps, lesson.steps, true),
    ...section(SECTIONS.pitfalls, lesson.pitfalls, false),
    ...section(SECTIONS.checks, lesson.checks, false),
    creditLine(sourceOf(lesson, sessionId), null),
    "",
  ].join("\n");
}

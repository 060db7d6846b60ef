/** The markdown of a lesson. Pure. */
import type { Entry, Lesson } from "./lesson.ts";

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

/** The line that says how a lesson came about. @param verb `wrote this` or `added to this` */
export function creditLine(lesson: Lesson, sessionId: string, verb: string): string {
  return `${CREDIT_START} ${verb} from turns ${lesson.turns} of session ${sessionId}; nothing here was judged, only observed._`;
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
    creditLine(lesson, sessionId, "wrote this"),
    "",
  ].join("\n");
}

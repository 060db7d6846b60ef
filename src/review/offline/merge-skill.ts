/** Adds what a lesson says anew to the body of a skill that exists. Pure. */
import { OFFLINE_MAX_ENTRIES } from "../../core/limits.ts";
import type { Entry, Lesson } from "./lesson.ts";
import { CREDIT_START, creditLine, listItem, SECTIONS } from "./write-skill.ts";

/** For comparing: spaces, digits and case don't tell two statements apart. */
function comparable(text: string): string {
  return text.toLowerCase().replace(/\d+/g, "0").replace(/\s+/g, " ");
}

/** Indexes of the lines outside of fenced blocks. */
function openLines(lines: readonly string[]): Set<number> {
  const open = new Set<number>();
  let fence: string | null = null;
  for (const [i, line] of lines.entries()) {
    const ticks = /^\s*(`{3,}|~{3,})[^`]*$/.exec(line)?.[1];
    if (fence === null && ticks === undefined) open.add(i);
    if (ticks === undefined) continue;
    if (fence === null) fence = ticks;
    else if (ticks.startsWith(fence)) fence = null;
  }
  return open;
}

interface Part {
  readonly title: string;
  readonly entries: readonly Entry[];
  readonly isNumbered: boolean;
}

/** Where the items of a section end, and how many it has; null when there is no such section. */
function findSection(lines: readonly string[], part: Part): { end: number; items: number } | null {
  const open = openLines(lines);
  const isHeading = (line: string) => /^#{1,2}\s/.test(line) || line.startsWith(CREDIT_START);
  const start = lines.findIndex(
    (line, i) => open.has(i) && line.trim().toLowerCase() === `## ${part.title}`.toLowerCase(),
  );
  if (start < 0) return null;
  const next = lines.findIndex((line, i) => i > start && open.has(i) && isHeading(line));
  let end = next < 0 ? lines.length : next;
  while (end > start + 1 && (lines[end - 1] ?? "").trim() === "") end -= 1;
  const item = part.isNumbered ? /^\d+\.\s/ : /^[-*]\s/;
  const items = lines.filter(
    (line, i) => i > start && i < end && open.has(i) && item.test(line),
  ).length;
  return { end, items };
}

function addPart(lines: readonly string[], part: Part): string[] {
  const place = findSection(lines, part);
  const items = place?.items ?? 0;
  const added = part.entries.flatMap((entry, i) =>
    listItem(entry, part.isNumbered ? `${items + i + 1}. ` : "- "),
  );
  if (place !== null) {
    const space = place.items === 0 ? [""] : [];
    return [...lines.slice(0, place.end), ...space, ...added, ...lines.slice(place.end)];
  }
  const credit = lines.findIndex((line) => line.startsWith(CREDIT_START));
  const at = credit < 0 ? lines.length : credit;
  return [...lines.slice(0, at), `## ${part.title}`, "", ...added, "", ...lines.slice(at)];
}

/**
 * What stands in the body stays as it is, also what a person wrote there; entries that it doesn't
 * have yet are added at the end of their sections.
 *
 * @param body of the existing SKILL.md
 * @param sessionId as it is cited
 * @returns null when the body says all of it already
 */
export function mergeSkill(body: string, lesson: Lesson, sessionId: string): string | null {
  const old = comparable(body);
  const fresh = (entries: readonly Entry[]) =>
    entries.filter((entry) => !old.includes(comparable(entry.says)));
  const parts: Part[] = [
    { title: SECTIONS.whenToUse, entries: fresh(lesson.whenToUse), isNumbered: false },
    { title: SECTIONS.steps, entries: fresh(lesson.fixes), isNumbered: true },
    { title: SECTIONS.pitfalls, entries: fresh(lesson.pitfalls), isNumbered: false },
    { title: SECTIONS.checks, entries: fresh(lesson.checks), isNumbered: false },
  ];
  let lines = body.replace(/\s+$/, "").split("\n");
  let isChanged = false;
  for (const part of parts) {
    const room = OFFLINE_MAX_ENTRIES * 2 - (findSection(lines, part)?.items ?? 0);
    const entries = part.entries.slice(0, Math.max(0, room));
    if (entries.length === 0) continue;
    isChanged = true;
    lines = addPart(lines, { ...part, entries });
  }
  if (!isChanged) return null;
  return [...lines, creditLine(lesson, sessionId, "added to this"), ""].join("\n");
}

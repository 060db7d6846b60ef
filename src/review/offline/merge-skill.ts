/** Adds what a lesson says anew to the body of a skill that exists. Pure. */
import { OFFLINE_MAX_ENTRIES } from "../../core/limits.ts";
import type { Lesson } from "./lesson.ts";
import type { Entry } from "./lesson-entries.ts";
import { CREDIT_START, creditLine, listItem, SECTIONS, sourceOf } from "./write-skill.ts";

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
  const items = lines.filter(
    (line, i) => i > start && i < end && open.has(i) && /^[-*]\s/.test(line),
  ).length;
  return { end, items };
}

function addPart(lines: readonly string[], part: Part): string[] {
  const place = findSection(lines, part);
  const added = part.entries.flatMap((entry) => listItem(entry, "- "));
  if (place !== null) {
    const space = place.items === 0 ? [""] : [];
    return [...lines.slice(0, place.end), ...space, ...added, ...lines.slice(place.end)];
  }
  const credit = lines.findIndex((line) => line.startsWith(CREDIT_START));
  const at = credit < 0 ? lines.length : credit;
  return [...lines.slice(0, at), `## ${part.title}`, "", ...added, "", ...lines.slice(at)];
}

/** One credit line, where the first one stood: where the skill was written from, and last added to. */
function withCredit(lines: readonly string[], source: string): string[] {
  const at = lines.findIndex((line) => line.startsWith(CREDIT_START));
  // Where a person took the line away, nobody knows who wrote the rest.
  if (at < 0) return [...lines, creditLine(null, source)];
  const first = /wrote this from (turns \S+ of session [\w-]+)/.exec(lines[at] ?? "")?.[1];
  return lines
    .filter((line, i) => i === at || !line.startsWith(CREDIT_START))
    .map((line, i) => (i === at ? creditLine(first ?? null, source) : line));
}

/** Whether a text has each change of a lesson's fix, line by line. */
export function hasFix(text: string, lesson: Lesson): boolean {
  const spaced = (words: string) => words.replace(/\s+/g, " ");
  const old = spaced(text);
  return lesson.fixes.length > 0 && lesson.fixes.every(({ says }) => old.includes(spaced(says)));
}

/**
 * What stands in the body stays as it is, also what a person wrote there; entries that it doesn't
 * have yet are added at the end of their sections. Its steps stay one procedure: no second fix is
 * ever added to them, and another fix's failures are none of its own.
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
    { title: SECTIONS.whenToUse, entries: hasFix(body, lesson) ? fresh(lesson.whenToUse) : [] },
    { title: SECTIONS.pitfalls, entries: fresh(lesson.pitfalls) },
    { title: SECTIONS.checks, entries: fresh(lesson.checks) },
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
  return isChanged ? [...withCredit(lines, sourceOf(lesson, sessionId)), ""].join("\n") : null;
}

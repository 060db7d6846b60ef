/** The Skillbook in numbers. Pure. */
import { isFull, traceCount } from "./occurrences.ts";
import type { SkillTags } from "./skill-tags.ts";
import { type Section, type Skillbook, type Strategy, strategyOf } from "./skillbook.ts";

/** The marks of one strategy or of one whole skill. */
export interface Marks {
  readonly id: string;
  /** What the months call it: its id, or of a skill that is called like a strategy, `<id> (skill)`. */
  readonly key: string;
  /** `skill` for a whole skill. */
  readonly kind: Section | "skill";
  readonly active: boolean;
  readonly helpful: number;
  readonly harmful: number;
  readonly neutral: number;
  /** How many traces it names that it was seen in. */
  readonly sources: number;
  /** It names as many as it may, so that earlier ones may have left. */
  readonly isSourcesFull: boolean;
}

export interface SkillbookStats {
  readonly strategies: number;
  readonly active: number;
  /** In the order of the file, whole skills behind. */
  readonly marks: readonly Marks[];
  /** How many of the sources that are named come from each system (`qwen-code`). */
  readonly sourceSystems: Readonly<Record<string, number>>;
}

export function skillbookStats(skillbook: Skillbook): SkillbookStats {
  const strategies = Object.values(skillbook.skills);
  const skills = Object.entries(skillbook.skill_tags ?? {});
  const systems = new Map<string, number>();
  for (const { occurrences } of [...strategies, ...skills.map(([, tags]) => tags)])
    for (const { source_system: system } of occurrences)
      if (typeof system === "string") systems.set(system, (systems.get(system) ?? 0) + 1);
  return {
    strategies: strategies.length,
    active: strategies.filter(({ active }) => active).length,
    marks: [
      ...strategies.map((each) => marksOf(each.id, each.section, each.active, each)),
      ...skills.map(([folder, tags]) => {
        const isAlone = strategyOf(skillbook, folder) === null;
        const marks = marksOf(folder, "skill", true, tags);
        return isAlone ? marks : { ...marks, key: `${folder} (skill)` };
      }),
    ],
    sourceSystems: Object.fromEntries([...systems].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** The strategies that name a trace as one that taught or marked them: the first and the newest of each are named. */
export function strategiesFrom(skillbook: Skillbook, traceUid: string): Strategy[] {
  return Object.values(skillbook.skills).filter(({ occurrences }) =>
    occurrences.some(({ trace_uid }) => trace_uid === traceUid),
  );
}

/** One version of the Skillbook, for the table over time. */
export interface DatedSkillbook {
  /** ISO 8601; the day of its commit. */
  readonly at: string;
  readonly skillbook: Skillbook;
}

export interface MonthlyMarks {
  /** `2026-03`. */
  readonly month: string;
  /** By its key; only what got a mark in that month. */
  readonly marks: Readonly<Record<string, Pick<Marks, "helpful" | "harmful" | "neutral">>>;
}

/** The marks that each month added. @param versions oldest first */
export function marksByMonth(versions: readonly DatedSkillbook[]): MonthlyMarks[] {
  const last = new Map<string, DatedSkillbook>();
  for (const version of versions) last.set(version.at.slice(0, 7), version);
  const months: MonthlyMarks[] = [];
  let before = new Map<string, Marks>();
  for (const [month, { skillbook }] of [...last].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const now = new Map(skillbookStats(skillbook).marks.map((each) => [each.key, each]));
    const fresh = [...now.values()].flatMap((each) => {
      const old = before.get(each.key);
      const added = {
        helpful: Math.max(0, each.helpful - (old?.helpful ?? 0)),
        harmful: Math.max(0, each.harmful - (old?.harmful ?? 0)),
        neutral: Math.max(0, each.neutral - (old?.neutral ?? 0)),
      };
      const isMarked = added.helpful + added.harmful + added.neutral > 0;
      return isMarked ? [[each.key, added] as const] : [];
    });
    months.push({ month, marks: Object.fromEntries(fresh) });
    before = now;
  }
  return months;
}

function marksOf(
  id: string,
  kind: Marks["kind"],
  active: boolean,
  tags: Pick<SkillTags, "helpful_count" | "harmful_count" | "neutral_count" | "occurrences">,
): Marks {
  const { helpful_count: helpful, harmful_count: harmful, neutral_count: neutral } = tags;
  const sources = traceCount(tags.occurrences);
  const isSourcesFull = isFull(tags.occurrences);
  return { id, key: id, kind, active, helpful, harmful, neutral, sources, isSourcesFull };
}

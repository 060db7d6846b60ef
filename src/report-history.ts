/** The Skillbook's and the queue's past, for a report. */
import type { Config } from "./core/config.ts";
import * as limits from "./core/limits.ts";
import { type Repository, stateDir } from "./git/repository.ts";
import { readQueue } from "./hook/queue.ts";
import { queueFolders } from "./hook/queue-files.ts";
import { readSkillbook, skillbookVersions } from "./read-skillbook.ts";
import type {
  Missing,
  QUEUE_STATUSES,
  QueueHistory,
  SkillbookHistory,
} from "./report/report-data.ts";
import { strategyOf } from "./skills/skillbook.ts";
import { type MonthlyMarks, marksByMonth, skillbookStats } from "./skills/skillbook-stats.ts";

/** The accepted Skillbook: how it was marked, month by month. */
export async function gatherSkillbook(place: {
  readonly repository: Repository;
  readonly config: Pick<Config, "base" | "skillsRoot">;
}): Promise<SkillbookHistory | Missing> {
  const { base: skillbook } = await readSkillbook(place);
  const stats = skillbookStats(skillbook);
  if (stats.marks.length === 0) return { missing: "This repository has no accepted Skillbook." };
  const months = marksByMonth(await skillbookVersions(place)).map(sumOfMonth);
  const marked = stats.marks
    .map(({ id, key, kind, helpful, harmful, neutral }) => ({
      id: key,
      words: kind === "skill" ? "" : (strategyOf(skillbook, id)?.issue ?? ""),
      helpful,
      harmful,
      neutral,
    }))
    .filter((each) => sumOf(each) > 0)
    .sort((a, b) => sumOf(b) - sumOf(a));
  return {
    strategies: stats.strategies,
    active: stats.active,
    months: months.filter((each) => sumOf(each) > 0),
    marks: marked.slice(0, limits.REPORT_STRATEGIES_MAX),
  };
}

interface Sums {
  readonly helpful: number;
  readonly harmful: number;
  readonly neutral: number;
}

function sumOf({ helpful, harmful, neutral }: Sums): number {
  return helpful + harmful + neutral;
}

function sumOfMonth({ month, marks }: MonthlyMarks) {
  let [helpful, harmful, neutral] = [0, 0, 0];
  for (const each of Object.values(marks)) {
    helpful += each.helpful;
    harmful += each.harmful;
    neutral += each.neutral;
  }
  return { month, helpful, harmful, neutral };
}

/** Of each day, what became of the sessions that were reviewed on it. */
export function gatherQueue(repository: Repository): QueueHistory | Missing {
  const { jobs } = readQueue(queueFolders(stateDir(repository)));
  if (jobs.length === 0)
    return { missing: "No hook has captured a session in this repository, so there is no queue." };
  const days = new Map<string, Record<(typeof QUEUE_STATUSES)[number], number>>();
  let waiting = 0;
  for (const { record, earlier } of jobs) {
    if (record?.outcome == null) waiting += 1;
    for (const one of [record, earlier]) {
      const day = one?.endedAt?.slice(0, 10);
      if (one?.outcome == null || day === undefined || !/^\d{4}-\d\d-\d\d$/.test(day)) continue;
      const counts = days.get(day) ?? noCounts();
      counts[one.outcome.status] += 1;
      days.set(day, counts);
    }
  }
  const ordered = [...days].sort(([a], [b]) => (a < b ? -1 : 1));
  return { waiting, days: ordered.map(([day, counts]) => ({ day, counts })) };
}

function noCounts() {
  return { proposed: 0, nothing_to_save: 0, skipped: 0, refused: 0, failed: 0 };
}

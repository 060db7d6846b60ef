/** Spreads transcripts over review jobs: those of one session together, those of one repository side by side, all jobs about as long. */
import { PLAN_REVIEW_BYTES } from "./core/limits.ts";

/** What one job must review as a whole. */
export interface PlanUnit {
  /** Inputs of `review`: files, or archives of several transcripts. */
  readonly inputs: readonly string[];
  /** Transcripts in them. */
  readonly count: number;
  readonly bytes: number;
  /** The project that they are about, as their sessions name it. */
  readonly repository: string;
}

export interface PlannedJob {
  /** `01`, `02`, … */
  readonly id: string;
  /** Projects in it, most of them one. */
  readonly repositories: readonly string[];
  readonly inputs: readonly string[];
  readonly count: number;
  readonly bytes: number;
}

/**
 * The same units give the same jobs, in whatever order they come. A repository gets jobs of its own in proportion to
 * its size; where there are more repositories than jobs, whole repositories share one.
 */
export function planMatrix(units: readonly PlanUnit[], maxJobs: number): PlannedJob[] {
  const groups = new Map<string, PlanUnit[]>();
  for (const unit of units.toSorted(bySize))
    groups.set(unit.repository, [...(groups.get(unit.repository) ?? []), unit]);
  const jobs = Math.min(maxJobs, units.length);
  const bins =
    groups.size > jobs
      ? spread([...groups.values()].map(asBin).sort(byCost), jobs)
      : shares([...groups.values()], jobs).flatMap(([group, share]) =>
          spread(
            group.map((unit) => asBin([unit])),
            share,
          ),
        );
  const width = String(bins.length).length;
  return bins.map(({ units: taken }, index) => ({
    id: String(index + 1).padStart(Math.max(2, width), "0"),
    repositories: [...new Set(taken.map(({ repository }) => repository))].sort(),
    inputs: taken.flatMap(({ inputs }) => inputs).sort(),
    count: sum(taken, ({ count }) => count),
    bytes: sum(taken, ({ bytes }) => bytes),
  }));
}

interface Bin {
  readonly units: PlanUnit[];
  cost: number;
}

/** Largest first into the emptiest: never more than a third above the best there is. */
function spread(items: readonly Bin[], count: number): Bin[] {
  const bins: Bin[] = Array.from({ length: count }, () => ({ units: [], cost: 0 }));
  for (const { units, cost } of items) {
    const emptiest = bins.reduce((least, bin) => (bin.cost < least.cost ? bin : least));
    emptiest.units.push(...units);
    emptiest.cost += cost;
  }
  return bins.filter(({ units }) => units.length > 0);
}

/** At least one job each; each of the others goes where a job has most to do. */
function shares(groups: readonly PlanUnit[][], jobs: number): [PlanUnit[], number][] {
  const shared = groups.map((units): [PlanUnit[], number] => [units, 1]);
  for (let left = jobs - groups.length; left > 0; left--) {
    const open = shared.filter(([units, share]) => share < units.length);
    const [first] = open;
    if (first === undefined) break;
    const busiest = open.reduce((most, one) => (loadOf(one) > loadOf(most) ? one : most), first);
    busiest[1] += 1;
  }
  return shared;
}

function loadOf([units, share]: [readonly PlanUnit[], number]): number {
  return sum(units, costOf) / share;
}

function asBin(units: readonly PlanUnit[]): Bin {
  return { units: [...units], cost: sum(units, costOf) };
}

/** A review costs something however short its transcript is. */
function costOf({ bytes, count }: PlanUnit): number {
  return bytes + count * PLAN_REVIEW_BYTES;
}

function bySize(a: PlanUnit, b: PlanUnit): number {
  return costOf(b) - costOf(a) || ((a.inputs[0] ?? "") < (b.inputs[0] ?? "") ? -1 : 1);
}

function byCost(a: Bin, b: Bin): number {
  return b.cost - a.cost;
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}

/** For `strategy.matrix` of a workflow: `transcripts` is what the input of that name takes. */
export function matrixOf(jobs: readonly PlannedJob[]) {
  return {
    include: jobs.map(({ id, repositories, inputs, count }) => {
      return { id, repository: repositories.join(" "), transcripts: inputs.join("\n"), count };
    }),
  };
}

/**
 * What somebody decided about strategies that say nearly the same: ACE keeps such pairs apart. The key of a
 * decision is the pair of ids, in order, with a comma between. Pure.
 */
import { count } from "../core/text.ts";
import { wholeDecision } from "./decision-shape.ts";
import { canonical } from "./occurrences.ts";
import { isRecord } from "./skill-file.ts";
import { type Skillbook, strategyOf } from "./skillbook.ts";

type Decisions = Skillbook["similarity_decisions"];

/** One decision, as it is told beside one of its two strategies. */
export interface ToldDecision {
  /** The other strategy of the pair. */
  readonly beside: string;
  /** In the words of whoever decided; may be empty. */
  readonly reasoning: string;
}

export interface RenamedDecisions {
  readonly decisions: Decisions;
  /** How many are about a strategy that has no id here. */
  readonly left: number;
}

/** @param idOf the id that a strategy has now; undefined where there is none */
export function renamedDecisions(
  decisions: Decisions,
  idOf: (id: string) => string | undefined,
): RenamedDecisions {
  const renamed = new Map<string, unknown>();
  let left = 0;
  for (const [key, decision] of Object.entries(decisions)) {
    const ids = key.split(",").flatMap((id) => idOf(id) ?? []);
    // Two that became one are no pair any more.
    const isPair = ids.length === 2 && ids[0] !== ids[1] && key.split(",").length === 2;
    if (isPair) renamed.set(ids.sort().join(","), decision);
    else left += 1;
  }
  return { decisions: Object.fromEntries(renamed), left };
}

/**
 * The decisions of a file that is imported, as far as they are whole.
 * @param ids what each of its strategies is called
 */
export function importedDecisions(
  given: unknown,
  ids: ReadonlyMap<string, string>,
): { readonly decisions: Decisions; readonly said: readonly string[] } {
  if (!isRecord(given)) return { decisions: {}, said: [] };
  const whole = Object.entries(given).flatMap(([pair, each]) => {
    const decision = wholeDecision(each);
    return decision === null ? [] : [[pair, decision] as const];
  });
  const { decisions, left } = renamedDecisions(Object.fromEntries(whole), (id) => ids.get(id));
  const broken = Object.keys(given).length - whole.length;
  const isCut = whole.some(([pair, each]) => canonical(each) !== canonical(given[pair]));
  const said = [
    ...(broken > 0 ? [`${countOf(broken)} left out: a field is missing`] : []),
    ...(isCut ? ["fields of similarity decisions that ACE can't load are left out"] : []),
    ...(left > 0 ? [`${countOf(left)} left out: the file doesn't have both strategies`] : []),
  ];
  return { decisions, said };
}

/** `2 similarity decisions are` */
export function countOf(decisions: number): string {
  return count(decisions, "similarity decision is", "similarity decisions are");
}

/** Decisions under the new ids of their strategies; one that is about none of those stays as it is. */
export function movedDecisions(decisions: Decisions, ids: ReadonlyMap<string, string>): Decisions {
  const moved = Object.entries(decisions).filter(([key]) =>
    key.split(",").some((id) => ids.has(id)),
  );
  const { decisions: renamed } = renamedDecisions(
    Object.fromEntries(moved),
    (id) => ids.get(id) ?? id,
  );
  const stayed = Object.entries(decisions).filter(([key]) => !moved.some(([each]) => each === key));
  return { ...Object.fromEntries(stayed), ...renamed };
}

/** The decisions that are new, each beside one strategy in use that both versions have: what is new itself brings them along. */
export function newDecisions(from: Skillbook, to: Skillbook): ReadonlyMap<string, ToldDecision[]> {
  const told = new Map<string, ToldDecision[]>();
  for (const [key, decision] of Object.entries(to.similarity_decisions)) {
    if (Object.hasOwn(from.similarity_decisions, key)) continue;
    const pair = key.split(",");
    const id = pair.find((each) => strategyOf(from, each) && strategyOf(to, each)?.active);
    const beside = pair.find((each) => each !== id);
    if (id === undefined || beside === undefined) continue;
    const said: unknown = isRecord(decision) ? decision["reasoning"] : undefined;
    const reasoning = typeof said === "string" ? said : "";
    told.set(id, [...(told.get(id) ?? []), { beside, reasoning }]);
  }
  return told;
}

/**
 * What an import may bring and no operation says, told from two versions: how often strategies were used, which
 * ACE counts, and insights that were emptied. Pure.
 */
import { type Skillbook, type Strategy, strategyOf } from "./skillbook.ts";

/** How often a strategy was used between two versions. */
export function usesBetween(before: Strategy, after: Strategy): number {
  return Math.max(0, after.used_count - before.used_count);
}

/** @param used further uses; below 0, uses that are taken back */
export function withUses(strategy: Strategy, used: number): Strategy {
  // A count that is no safe integer makes the whole file unreadable.
  const sum = Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, strategy.used_count + used));
  return sum === strategy.used_count ? strategy : { ...strategy, used_count: sum };
}

/** How often strategies were used adds up like their marks; of one that was removed meanwhile it is nobody's to know. */
export function withUsesAgain(from: Skillbook, to: Skillbook, onto: Skillbook): Skillbook {
  const skills = Object.entries(onto.skills).map(([id, now]) => {
    const [before, after] = [strategyOf(from, id), strategyOf(to, id)];
    const used = before === null || after === null ? 0 : usesBetween(before, after);
    const isCounted = used > 0 && (now.active || after?.active === false);
    return [id, isCounted ? withUses(now, used) : now] as const;
  });
  return { ...onto, skills: Object.fromEntries(skills) };
}

/** No operation empties an insight; an import may, of a strategy in `harness`. */
export function withoutInsight(
  from: Skillbook,
  to: Skillbook,
  onto: Skillbook,
  id: string,
): Skillbook {
  const [before, after, now] = [from, to, onto].map((book) => strategyOf(book, id));
  if (!before || !after || !now || !isEmptied(before, after)) return onto;
  return { ...onto, skills: { ...onto.skills, [id]: { ...now, insight: null } } };
}

export function isEmptied(before: Strategy, after: Strategy): boolean {
  return before.insight !== null && after.insight === null;
}

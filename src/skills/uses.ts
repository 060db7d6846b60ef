/** How often strategies were used, which ACE counts: no operation says it, two versions do. Pure. */
import type { Strategy } from "./skillbook.ts";

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

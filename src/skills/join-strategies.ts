/** Makes one strategy of two that say the same. Pure. */
import { withSources } from "./occurrences.ts";
import { withReasonsOf } from "./reasons.ts";
import { COUNTS, type SkillTags } from "./skill-tags.ts";
import type { Strategy } from "./skillbook.ts";

/**
 * @param as `twins`: two that came to be apart, whose marks add up; `same`: two states of one, of which
 *   the further count holds
 * @returns the first, with what only the second knows: marks, sources and reasons
 */
export function joinStrategies<Marked extends SkillTags>(
  there: Marked,
  other: SkillTags & Partial<Pick<Strategy, "used_count">>,
  as: "twins" | "same",
): Marked {
  const joined = (mine = 0, theirs = 0) =>
    as === "twins" ? mine + theirs : Math.max(mine, theirs);
  const counts = COUNTS.map((count) => [count, joined(there[count], other[count])] as const);
  const used = usedOf(there);
  return {
    ...withReasonsOf(there, other),
    ...Object.fromEntries(counts),
    ...(used !== undefined && { used_count: joined(used, other.used_count) }),
    occurrences: withSources(there.occurrences, other.occurrences),
  };
}

/** Whole skills have no such count. */
function usedOf({ used_count: used }: Partial<Strategy>): number | undefined {
  return used;
}

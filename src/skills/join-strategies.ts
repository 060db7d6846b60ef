/** Makes one strategy of two that say the same. Pure. */
import { laterSources, withSources } from "./occurrences.ts";
import { laterReasons, withReasonsOf } from "./reasons.ts";
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
  const { occurrences, reasons } = as === "twins" ? other : laterOf(there, other);
  return {
    ...withReasonsOf(there, { ...(reasons !== undefined && { reasons }) }),
    ...Object.fromEntries(counts),
    ...(used !== undefined && { used_count: joined(used, other.used_count) }),
    occurrences: withSources(there.occurrences, occurrences),
  };
}

/** Of another state of one strategy, the sources and reasons that this one never had: of full lists, older ones have left. */
export function laterOf(
  there: SkillTags,
  other: SkillTags,
): Pick<Required<SkillTags>, "occurrences" | "reasons"> {
  const marks = (of: SkillTags) => COUNTS.reduce((sum, each) => sum + of[each], 0);
  const isFurther = marks(other) > marks(there);
  return {
    occurrences: laterSources(there.occurrences, other.occurrences, isFurther),
    reasons: laterReasons(there, other, isFurther),
  };
}

/** Whole skills have no such count. */
function usedOf({ used_count: used }: Partial<Strategy>): number | undefined {
  return used;
}

/** Lists of a strategy that grow at their end and are bounded: what one state of such a list must keep of another. Pure. */

/**
 * Whether a list lost nothing but its oldest entries, to newer ones, because it is full.
 *
 * What left may come again, behind what stayed: a session that goes on is marked again. Where all that there
 * was has left, what is there of it came again, which is believed where more of the list is new.
 * @param before entries of the list, by what tells them apart, the oldest first
 * @param after the same of the new version
 * @param max how many the list holds
 */
export function isGrown(before: readonly string[], after: readonly string[], max: number): boolean {
  const places = placesOfNewest(before, after);
  const gone = new Set(before.slice(0, before.length - places.length));
  if (gone.size === 0 || isAllThere(before, after)) return true;
  if (after.length !== max || after.length === places.length) return false;
  const last = places.at(-1);
  if (last === undefined) {
    const known = after.filter((entry) => gone.has(entry));
    return known.length < after.length - known.length;
  }
  const stayed = new Set(places);
  return !after.slice(0, last).some((entry, at) => gone.has(entry) && !stayed.has(at));
}

/** In whatever order, each as often as before. */
function isAllThere(before: readonly string[], after: readonly string[]): boolean {
  const times = new Map<string, number>();
  for (const entry of after) times.set(entry, (times.get(entry) ?? 0) + 1);
  for (const entry of before) times.set(entry, (times.get(entry) ?? 0) - 1);
  return [...times.values()].every((left) => left >= 0);
}

/** Where the newest entries still are, in their order, back to the first that isn't there. */
function placesOfNewest(before: readonly string[], after: readonly string[]): readonly number[] {
  const places: number[] = [];
  let end = after.length;
  for (const entry of before.toReversed()) {
    end = end === 0 ? -1 : after.lastIndexOf(entry, end - 1);
    if (end < 0) break;
    places.unshift(end);
  }
  return places;
}

/**
 * Of another state of a list, from where on its entries came after those here: what stands there in front of
 * the newest that both have was here too, and left.
 * @param isFurther whether the other is the later state, which decides where they have nothing in common
 */
export function laterFrom(
  here: readonly string[],
  other: readonly string[],
  { max, isFurther }: { readonly max: number; readonly isFurther: boolean },
): number {
  if (here.length < max) return 0;
  const known = new Set(here);
  const last = other.findLastIndex((entry) => known.has(entry));
  return last < 0 && !isFurther ? other.length : last + 1;
}

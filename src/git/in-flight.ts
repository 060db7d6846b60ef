import { SMALL_OBJECTS_IN_FLIGHT } from "../core/limits.ts";

/**
 * Works on many small things that git is asked for, SMALL_OBJECTS_IN_FLIGHT at a time: one after the other, each
 * would wait for an answer.
 * @returns the results in the order of the items
 */
export async function mapInFlight<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += SMALL_OBJECTS_IN_FLIGHT) {
    results.push(...(await Promise.all(items.slice(at, at + SMALL_OBJECTS_IN_FLIGHT).map(work))));
  }
  return results;
}

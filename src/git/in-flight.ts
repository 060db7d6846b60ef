import { OBJECTS_IN_FLIGHT } from "../core/limits.ts";

/**
 * Works on many things that git is asked for, OBJECTS_IN_FLIGHT at a time: one after the other, each
 * would wait for an answer.
 * @returns the results in the order of the items
 */
export async function mapInFlight<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += OBJECTS_IN_FLIGHT) {
    results.push(...(await Promise.all(items.slice(at, at + OBJECTS_IN_FLIGHT).map(work))));
  }
  return results;
}

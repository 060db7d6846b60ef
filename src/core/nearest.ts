/** Which names somebody may have meant. Pure. */
import { HINT_NAMES_MAX } from "./limits.ts";

/** Those that are at most a third of the name's letters away, the nearest first. */
export function nearest(name: string, names: readonly string[]): readonly string[] {
  const most = Math.max(1, Math.floor(name.length / 3));
  return names
    .map((each) => ({ each, far: distance(name.toLowerCase(), each.toLowerCase(), most) }))
    .filter(({ far }) => far <= most)
    .sort((a, b) => a.far - b.far)
    .slice(0, HINT_NAMES_MAX)
    .map(({ each }) => each);
}

/** Letters to add, drop or change (Levenshtein's distance); over `most` as soon as it is known to be more. */
function distance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** Findings that overlap, as one. */
import type { FoundSecret } from "./secret-range.ts";

/** Overlapping ranges become one, which bears the name of the one that was given first. */
export function merged(ranges: readonly FoundSecret[]): readonly FoundSecret[] {
  if (areApart(ranges)) return ranges;
  const ranked = ranges.map((range, rank) => ({ ...range, rank }));
  ranked.sort((a, b) => a.start - b.start || a.rank - b.rank);
  const result: (FoundSecret & { rank: number })[] = [];
  for (const range of ranked) {
    const last = result.at(-1);
    if (last === undefined || range.start >= last.end) result.push(range);
    else result[result.length - 1] = union(last, range);
  }
  return result.map(({ rule, start, end, value }) => ({ rule, start, end, value }));
}

/** Whether they are in order and don't overlap, as most are: copies of them would be garbage. */
function areApart(ranges: readonly FoundSecret[]): boolean {
  return ranges.every((range, at) => at === 0 || range.start >= (ranges[at - 1]?.end ?? 0));
}

function union<Range extends FoundSecret & { rank: number }>(a: Range, b: Range): Range {
  const [named, longer] = [a.rank < b.rank ? a : b, b.end - b.start > a.end - a.start ? b : a];
  const [start, end] = [Math.min(a.start, b.start), Math.max(a.end, b.end)];
  // The value of the one that covers both says it all.
  const covers = (range: Range) => range.start === start && range.end === end;
  const { value } = covers(named) ? named : longer;
  return { ...named, start, end, value };
}

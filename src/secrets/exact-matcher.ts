export interface ExactMatch {
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

/** The values that begin alike, by their length, the longest first. */
type Bucket = readonly (readonly [length: number, values: ReadonlySet<string>])[];

/**
 * A function that finds every occurrence of the values in a text, the longest first where they
 * overlap, in order. The cost follows the text, not the number of values: a session may hold
 * thousands of secrets, which no one regular expression takes.
 */
export function exactMatcher(values: readonly string[]): (text: string) => ExactMatch[] {
  const unique = [...new Set(values)].filter((value) => value !== "");
  if (unique.length === 0) return () => [];
  const headLength = unique.reduce((least, { length }) => Math.min(least, length), Infinity);
  const buckets = bucketsOf(unique, headLength);
  // Most places of a text are passed by on their first two characters.
  const begins = new Set(unique.map((value) => firstTwo(value, 0)));
  return (text) => {
    const matches: ExactMatch[] = [];
    for (let at = 0; at + headLength <= text.length; at += 1) {
      if (headLength > 1 && !begins.has(firstTwo(text, at))) continue;
      const value = valueAt(text, at, buckets.get(text.slice(at, at + headLength)));
      if (value === null) continue;
      matches.push({ start: at, end: at + value.length, value });
      at += value.length - 1;
    }
    return matches;
  };
}

function firstTwo(text: string, at: number): number {
  return text.charCodeAt(at) * 0x10000 + (text.charCodeAt(at + 1) || 0);
}

function bucketsOf(values: readonly string[], headLength: number): Map<string, Bucket> {
  const byHead = new Map<string, Map<number, Set<string>>>();
  for (const value of values) {
    const head = value.slice(0, headLength);
    const byLength = byHead.get(head) ?? new Map<number, Set<string>>();
    byHead.set(head, byLength);
    byLength.set(value.length, (byLength.get(value.length) ?? new Set()).add(value));
  }
  const longestFirst = (byLength: Map<number, Set<string>>) =>
    [...byLength].sort(([a], [b]) => b - a);
  return new Map([...byHead].map(([head, byLength]) => [head, longestFirst(byLength)]));
}

function valueAt(text: string, at: number, bucket: Bucket | undefined): string | null {
  for (const [length, values] of bucket ?? []) {
    const value = text.slice(at, at + length);
    if (values.has(value)) return value;
  }
  return null;
}

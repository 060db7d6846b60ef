export interface ExactMatch {
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

/**
 * A function that finds every occurrence of the values in a text, the longest first where they
 * overlap, in order.
 */
export function exactMatcher(values: readonly string[]): (text: string) => ExactMatch[] {
  const unique = [...new Set(values)].filter((value) => value !== "");
  if (unique.length === 0) return () => [];
  unique.sort((a, b) => b.length - a.length);
  const escaped = unique.map((value) => value.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"));
  const pattern = new RegExp(escaped.join("|"), "g");
  return (text) =>
    [...text.matchAll(pattern)].map((match) => ({
      start: match.index,
      end: match.index + match[0].length,
      value: match[0],
    }));
}

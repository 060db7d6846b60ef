import type { SecretRange } from "./secret-range.ts";

const LABEL = "(?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?";

/**
 * From BEGIN, where key material follows: through END, or as far as the material goes when the
 * text was cut. Line numbers, diff signs and escaped line breaks may stand between. A mention of
 * the marker alone is no key.
 */
const BLOCK = new RegExp(
  `-----BEGIN ${LABEL}-----(?:\\\\[rn]|[\\s|>+→\\d])*(?:[\\w-]+: [^\\n]{0,200}\\n\\s*){0,4}[\\w+/=]{16}[\\w+/=\\s\\\\:,.|>→-]*`,
  "g",
);
const END = new RegExp(`-----END ${LABEL}-----`, "g");

/** Private keys in PEM, also those of which only the beginning or the end is left. */
export function pemBlocks(text: string): SecretRange[] {
  if (!text.includes("PRIVATE KEY")) return [];
  const ranges: SecretRange[] = [];
  const ends = [...text.matchAll(END)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
  for (const match of text.matchAll(BLOCK)) {
    const start = match.index;
    const stop = start + match[0].length;
    const closing = ends.find((each) => each.start > start && each.start <= stop);
    ranges.push({ rule: "private-key", start, end: closing?.end ?? stop });
  }
  for (const { start, end } of ends) {
    if (ranges.some((range) => range.start < start && start < range.end)) continue;
    const from = materialStart(text, start);
    if (start - from >= 32) ranges.push({ rule: "private-key", start: from, end });
  }
  return ranges.sort((a, b) => a.start - b.start);
}

/** Walks back over lines of base64. */
function materialStart(text: string, end: number): number {
  let start = end;
  while (start > 0) {
    const lineStart = text.lastIndexOf("\n", start - 2) + 1;
    if (!/^[\s+>|\d→]*[A-Za-z0-9+/=]{16,}\s*$/.test(text.slice(lineStart, start))) break;
    start = lineStart;
  }
  return start;
}

import type { Anchors } from "./anchor-finder.ts";
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

export const PEM_ANCHORS: Anchors = { words: ["PRIVATE KEY"] };

/**
 * Private keys in PEM, also those of which only the beginning or the end is left.
 * @param places where the anchor stands
 */
export function pemBlocks(text: string, places: readonly number[]): SecretRange[] {
  if (places.length === 0) return [];
  const ranges: SecretRange[] = [];
  const ends = [...text.matchAll(END)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
  let passed = 0;
  for (const match of text.matchAll(BLOCK)) {
    const start = match.index;
    const stop = start + match[0].length;
    while ((ends[passed]?.start ?? stop) < start) passed += 1;
    const closing = ends[passed];
    const isClosed = closing !== undefined && closing.start <= stop;
    ranges.push({ rule: "private-key", start, end: isClosed ? closing.end : stop });
  }
  const loose = ends.filter(({ start }) => !covers(ranges, start));
  for (const { start, end } of loose) {
    const from = materialStart(text, start);
    if (start - from >= 32) ranges.push({ rule: "private-key", start: from, end });
  }
  return ranges.sort((a, b) => a.start - b.start);
}

/** Whether one of the ranges, which are in order, holds the place. */
function covers(ranges: readonly SecretRange[], place: number): boolean {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.start ?? place) < place) low = middle + 1;
    else high = middle;
  }
  return place < (ranges[low - 1]?.end ?? 0);
}

/**
 * Walks back over lines of base64, character by character: at most over what no walk before this one
 * has passed, since the marker of another end stops it.
 */
function materialStart(text: string, end: number): number {
  let start = end;
  for (let at = end; at > 0; ) {
    let back = skipBack(text, at, /\s/);
    const material = skipBack(text, back, /[A-Za-z0-9+/=]/);
    if (back - material < 16) break;
    back = skipBack(text, material, /[ \t\r+>|\d→]/);
    if (back > 0 && text.charAt(back - 1) !== "\n") break;
    start = back;
    at = back;
  }
  return start;
}

function skipBack(text: string, from: number, what: RegExp): number {
  let at = from;
  while (at > 0 && what.test(text.charAt(at - 1))) at -= 1;
  return at;
}

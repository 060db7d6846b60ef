import { PEM_LINE_MAX_CHARS, PEM_PREFIX_MAX_CHARS } from "../core/limits.ts";
import type { Anchors } from "./anchor-tables.ts";
import type { SecretRange } from "./secret-range.ts";

const LABEL = "(?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?";

/** What may stand before a line of a key: numbers of lines, the signs of a diff, of a quotation, of a comment, the sides of a box. */
const SIGNS = "[\\s|>+→\\d#*│┃║▐▕▌▏-]|//";
/**
 * From BEGIN, where key material follows: through END, or as far as the material goes when the
 * text was cut. Signs and escaped line breaks, also those of JSON in JSON, may stand between. A mention
 * of the marker alone is no key.
 */
const BLOCK = new RegExp(
  `-----BEGIN ${LABEL}-----(?:\\\\{1,8}[rn]|${SIGNS})*(?:[\\w-]+: [^\\n]{0,200}\\n\\s*){0,4}[\\w+/=]{16}[\\w+/=\\s\\\\:,.|>→#*│┃║▐▕▌▏-]*`,
  "g",
);
const BEGIN = new RegExp(`-----BEGIN ${LABEL}-----`, "g");
/** A line of a key with anything before it (`"`, `file:12:`), and what ends a string behind it. */
const LONG_LINE = /(?<![\w+/=])[\w+/=]{40,}(?:\\{1,8}n)?["'`]?[ \t]{0,4}[+,;\\.]{0,2}[ \t]{0,4}$/;
const SHORT_LINE = /(?<![\w+/=])[\w+/=]{1,76}(?:\\{1,8}n)?["'`]?[ \t]{0,4}[+,;\\.]{0,2}[ \t]{0,4}$/;
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
  ranges.push(...brokenBlocks(text, ranges, ends));
  ranges.sort((a, b) => a.start - b.start);
  const loose = ends.filter(({ start }) => !covers(ranges, start));
  for (const { start, end } of loose) {
    const from = materialStart(text, start);
    if (start - from >= 32) ranges.push({ rule: "private-key", start: from, end });
  }
  return ranges.sort((a, b) => a.start - b.start);
}

/** Keys whose lines are strings of a program, or that a search printed: each line has more than key material. */
function brokenBlocks(
  text: string,
  known: readonly SecretRange[],
  ends: readonly { start: number; end: number }[],
): SecretRange[] {
  const ranges: SecretRange[] = [];
  let [passed, ended] = [0, 0];
  for (const { index: start, 0: marker } of text.matchAll(BEGIN)) {
    if (start < passed || covers(known, start + 1)) continue;
    const [stop, lines] = materialEnd(text, start + marker.length);
    passed = stop;
    if (lines === 0) continue;
    while ((ends[ended]?.start ?? start) < start) ended += 1;
    const closing = ends[ended];
    const isClosed = closing !== undefined && closing.start <= stop + PEM_PREFIX_MAX_CHARS;
    ranges.push({ rule: "private-key", start, end: isClosed ? closing.end : stop });
  }
  return ranges;
}

/** Where the lines of a key end that begin behind the place, and how many long ones there are. */
function materialEnd(text: string, from: number): [stop: number, lines: number] {
  let [stop, lines] = [from, 0];
  // What stands behind the marker in its own line ends a string, no more.
  const behind = text.slice(from, from + PEM_PREFIX_MAX_CHARS).indexOf("\n");
  let next = behind === -1 ? -1 : from + behind;
  while (next !== -1) {
    const end = text.indexOf("\n", next + 1);
    const line = text.slice(
      next + 1,
      Math.min(end === -1 ? text.length : end, next + 1 + PEM_LINE_MAX_CHARS),
    );
    const isLong = LONG_LINE.test(line);
    if (!isLong && !(lines > 0 && SHORT_LINE.test(line))) break;
    stop = next + 1 + line.length;
    if (!isLong) break;
    lines += 1;
    next = end;
  }
  return [stop, lines];
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

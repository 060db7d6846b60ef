/** What changed between two small texts, as a unified diff for people. */
import { DIFF_CONTEXT_LINES, DIFF_MAX_CELLS } from "./limits.ts";

export interface DiffLine {
  readonly mark: " " | "-" | "+";
  readonly text: string;
}

/**
 * @param before null: there was no file; the same for `after`
 * @param name of the file, put into the two header lines
 * @returns empty when nothing changed
 */
export function lineDiff(before: string | null, after: string | null, name: string): string {
  const lines = compareLines(split(before ?? ""), split(after ?? ""));
  const shown = hunks(lines);
  if (shown.length === 0) return "";
  const side = (text: string | null, letter: string) =>
    text === null ? "/dev/null" : `${letter}/${name}`;
  return [`--- ${side(before, "a")}`, `+++ ${side(after, "b")}`, ...shown, ""].join("\n");
}

/** Line ends belong to the lines: one that changes is a change. */
function split(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

/**
 * The lines of two texts in one list, those that both have once.
 * @param maxCells of the table that compares them; larger texts are shown as replaced whole
 */
export function compareLines(
  a: readonly string[],
  b: readonly string[],
  maxCells = DIFF_MAX_CELLS,
): DiffLine[] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA -= 1;
    endB -= 1;
  }
  const same = (text: string): DiffLine => ({ mark: " ", text });
  const middle = compareMiddle(a.slice(start, endA), b.slice(start, endB), maxCells);
  return [...a.slice(0, start).map(same), ...middle, ...a.slice(endA).map(same)];
}

/** By the longest common subsequence; where the table would be too large, replaced whole. */
function compareMiddle(a: readonly string[], b: readonly string[], maxCells: number): DiffLine[] {
  const removed = (text: string): DiffLine => ({ mark: "-", text });
  const added = (text: string): DiffLine => ({ mark: "+", text });
  if (a.length * b.length > maxCells) return [...a.map(removed), ...b.map(added)];
  const tail = commonTails(a, b);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    const [left = "", right = ""] = [a[i], b[j]];
    const isSame = left === right;
    const isRemoved = !isSame && tail(i + 1, j) >= tail(i, j + 1);
    lines.push(isSame ? { mark: " ", text: left } : isRemoved ? removed(left) : added(right));
    if (isSame || isRemoved) i += 1;
    if (isSame || !isRemoved) j += 1;
  }
  return [...lines, ...a.slice(i).map(removed), ...b.slice(j).map(added)];
}

/** The length of the longest common subsequence of `a` from `i` and `b` from `j` on. */
function commonTails(a: readonly string[], b: readonly string[]) {
  const width = b.length + 1;
  const tails = new Uint32Array((a.length + 1) * width);
  const tail = (i: number, j: number) => tails[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      tails[i * width + j] =
        a[i] === b[j] ? tail(i + 1, j + 1) + 1 : Math.max(tail(i + 1, j), tail(i, j + 1));
  return tail;
}

/** The changes with the lines around them, each run under a `@@` line. */
function hunks(lines: readonly DiffLine[]): string[] {
  const near = lines.map((_, at) =>
    lines
      .slice(Math.max(0, at - DIFF_CONTEXT_LINES), at + DIFF_CONTEXT_LINES + 1)
      .some(({ mark }) => mark !== " "),
  );
  const shown: string[] = [];
  let [oldLine, newLine] = [1, 1];
  for (const [at, { mark, text }] of lines.entries()) {
    if (near[at] && !near[at - 1]) {
      const end = near.indexOf(false, at);
      const hunk = lines.slice(at, end === -1 ? undefined : end);
      shown.push(`@@ -${range(oldLine, hunk, "+")} +${range(newLine, hunk, "-")} @@`);
    }
    if (near[at]) shown.push(mark + text);
    if (mark !== "+") oldLine += 1;
    if (mark !== "-") newLine += 1;
  }
  return shown;
}

/** First line and number of lines of a hunk on one side; of no lines it is the one before that counts. */
function range(first: number, hunk: readonly DiffLine[], others: DiffLine["mark"]): string {
  const count = hunk.filter(({ mark }) => mark !== others).length;
  return `${count === 0 ? first - 1 : first},${count}`;
}

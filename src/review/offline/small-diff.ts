/** The lines in which two short texts differ, as a diff without line numbers. */
import { OFFLINE_DIFF_MAX_CELLS, OFFLINE_DIFF_MAX_LINES } from "../../core/limits.ts";
import type { Hunk } from "./net-change.ts";

/** Length of the longest common subsequence of each pair of tails. */
function commonTails(a: readonly string[], b: readonly string[]): Uint32Array[] {
  const table = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const row = table[i];
      const below = table[i + 1];
      if (row === undefined || below === undefined) continue;
      row[j] = a[i] === b[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return table;
}

function allLines(a: readonly string[], b: readonly string[]): string[] {
  if (a.length * b.length > OFFLINE_DIFF_MAX_CELLS) {
    return [...a.map((line) => `-${line}`), ...b.map((line) => `+${line}`)];
  }
  const table = commonTails(a, b);
  const out: string[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      out.push(` ${a[i]}`);
      i += 1;
      j += 1;
    } else if (
      i < a.length &&
      (j >= b.length || (table[i + 1]?.[j] ?? 0) >= (table[i]?.[j + 1] ?? 0))
    ) {
      out.push(`-${a[i]}`);
      i += 1;
    } else {
      out.push(`+${b[j]}`);
      j += 1;
    }
  }
  return out;
}

/** Spaces that all lines have in front; a fragment in the middle of a line has none. */
function dedented(lines: readonly string[]): string[] {
  const widths = lines
    .filter((line) => line.trim().length > 1)
    .map((line) => /^.\s*/.exec(line)?.[0].length ?? 1);
  const margin = Math.max(0, Math.min(...widths, Number.MAX_SAFE_INTEGER) - 1);
  return lines.map((line) => (line[0] ?? "") + line.slice(1 + (widths.length === 0 ? 0 : margin)));
}

/**
 * Lines that start with `-`, `+` or a space; one unchanged line around each change is kept, and at
 * most OFFLINE_DIFF_MAX_LINES in all. A text that the session doesn't show has no `-` lines.
 */
export function smallDiff(hunk: Hunk): string[] {
  const split = (text: string) => (text === "" ? [] : text.replace(/\n$/, "").split(/\r?\n/));
  const lines = allLines(split(hunk.before ?? ""), split(hunk.after));
  const isChange = (line: string | undefined) => line !== undefined && !line.startsWith(" ");
  const kept = lines.filter(
    (line, i) => isChange(line) || isChange(lines[i - 1]) || isChange(lines[i + 1]),
  );
  const shown = dedented(kept.slice(0, OFFLINE_DIFF_MAX_LINES));
  const hidden = kept.length - shown.length;
  return hidden > 0 ? [...shown, `… ${hidden} more lines`] : shown;
}

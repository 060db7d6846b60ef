/** The lines in which two short texts differ, as a diff without line numbers. */

import { OFFLINE_DIFF_MAX_CELLS, OFFLINE_DIFF_MAX_LINES } from "../../core/limits.ts";
import { compareLines } from "../../core/line-diff.ts";
import type { Hunk } from "./net-change.ts";

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
  const [before, after] = [split(hunk.before ?? ""), split(hunk.after)];
  const lines = compareLines(before, after, OFFLINE_DIFF_MAX_CELLS).map(
    ({ mark, text }) => mark + text,
  );
  const isChange = (line: string | undefined) => line !== undefined && !line.startsWith(" ");
  const kept = lines.filter(
    (line, i) => isChange(line) || isChange(lines[i - 1]) || isChange(lines[i + 1]),
  );
  const shown = dedented(kept.slice(0, OFFLINE_DIFF_MAX_LINES));
  const hidden = kept.length - shown.length;
  return hidden > 0 ? [...shown, `… ${hidden} more lines`] : shown;
}

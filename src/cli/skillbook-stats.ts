/** The marks of the Skillbook as a table. */
import { STATS_MONTHS_MAX } from "../core/limits.ts";
import { safeLine } from "../core/text.ts";
import { skillbookVersions } from "../read-skillbook.ts";
import { limitWarnings } from "../skills/skillbook-limits.ts";
import {
  type Marks,
  type MonthlyMarks,
  marksByMonth,
  skillbookStats,
} from "../skills/skillbook-stats.ts";
import { look, printWaiting, waitingFor } from "./look-at-skillbook.ts";
import { isJson } from "./open-place.ts";
import { row } from "./print-outcome.ts";
import type { Call } from "./program.ts";
import type { Terminal } from "./terminal.ts";

/** `skillpr skillbook stats`. */
export async function stats(call: Call, terminal: Terminal): Promise<number> {
  const looked = await look(call, terminal);
  const { place, found, skillbook } = looked;
  const waiting = await waitingFor(looked);
  const now = skillbookStats(skillbook);
  const isOpen = call.flags["open"] === true;
  const versions = await skillbookVersions(place);
  const today = { at: new Date().toISOString(), skillbook };
  const months = marksByMonth(isOpen ? [...versions, today] : versions);
  const warnings = limitWarnings(skillbook);
  if (isJson(call)) {
    terminal.json({ ...now, months, open: found.open !== null, warnings, waiting });
    return 0;
  }
  printStats(now.marks, months, terminal);
  const systems = Object.entries(now.sourceSystems).map(([name, n]) => `${n} × ${safeLine(name)}`);
  terminal.line();
  row(terminal, "strategies", `${now.active} in use of ${now.strategies}`);
  if (systems.length > 0) row(terminal, "sources", systems.join(", "));
  printWaiting(waiting, terminal);
  for (const warning of warnings) row(terminal, "warning", terminal.paint.yellow(warning));
  return 0;
}

function printStats(
  marks: readonly Marks[],
  months: readonly MonthlyMarks[],
  { line, paint }: Terminal,
): void {
  if (marks.length === 0) {
    line("The Skillbook is empty.");
    return;
  }
  const shown = months.slice(-STATS_MONTHS_MAX);
  const head = ["", "helpful", "harmful", "neutral", "seen in", ...shown.map(({ month }) => month)];
  const rows = marks.map(({ key, active, helpful, harmful, neutral, sources, isSourcesFull }) => [
    `${safeLine(key)}${active ? "" : " (removed)"}`,
    ...[helpful, harmful, neutral, `${sources}${isSourcesFull ? "+" : ""}`].map(String),
    ...shown.map(({ marks: added }) => (Object.hasOwn(added, key) ? addedIn(added[key]) : "")),
  ]);
  const widths = head.map((title, at) =>
    Math.max(title.length, ...rows.map((each) => each[at]?.length ?? 0)),
  );
  const lineOf = (cells: readonly string[]) =>
    cells
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join("  ");
  line(paint.dim(lineOf(head).trimEnd()));
  for (const [at, cells] of rows.entries()) {
    const { helpful = 0, harmful = 0 } = marks[at] ?? {};
    line(harmful > helpful ? paint.red(lineOf(cells)) : lineOf(cells));
  }
}

/** `+2 -1 =0`: helped, harmed, made no difference. */
function addedIn(added: MonthlyMarks["marks"][string] | undefined): string {
  return added === undefined ? "" : `+${added.helpful} -${added.harmful} =${added.neutral}`;
}

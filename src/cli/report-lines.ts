/** A report for a terminal: the same facts as the page, a line each. */
import { ONE_LINE_MAX_CHARS, STATS_MONTHS_MAX } from "../core/limits.ts";
import { count, cut, safeLine, shortCommit } from "../core/text.ts";
import {
  isMissing,
  QUEUE_STATUSES,
  type ReportData,
  type ReportProposal,
  type ReportSession,
} from "../report/report-data.ts";
import { printEvidence, printFindings, printReason, row } from "./print-outcome.ts";
import { paintDiff, type Terminal } from "./terminal.ts";

export function printReport(data: ReportData, terminal: Terminal): void {
  const { proposals, sessions, leftOut } = data;
  const { line, note } = terminal;
  if (proposals.length === 0) line("No proposal is waiting here.");
  for (const proposal of proposals) {
    printProposal(proposal, terminal);
    line();
  }
  if (leftOut > 0) note(`${count(leftOut, "more proposal")} not shown: name one to see it.`);
  for (const session of sessions) {
    printSession(session, terminal);
    line();
  }
  printNumbers(data, terminal);
  note("--html FILE makes a page of it");
}

function printProposal(proposal: ReportProposal, terminal: Terminal): void {
  const { skill, branch, commit, sealed, findings, diff } = proposal;
  const { paint, line } = terminal;
  const at = commit === null ? "" : ` · ${shortCommit(commit)}`;
  const where = branch === null ? "sealed" : `on ${safeLine(branch)}${at}`;
  row(terminal, "proposal", `${paint.bold(safeLine(skill))} ${where}`);
  if (isMissing(sealed)) row(terminal, "evidence", safeLine(sealed.missing));
  else {
    printReason(sealed, terminal);
    printEvidence(sealed.evidence, terminal);
    const { reviewer, inputTokens, outputTokens, turns } = sealed.usage;
    const tokens = `${inputTokens} tokens in, ${outputTokens} out, ${count(turns, "round")}`;
    row(terminal, "review", `${safeLine(reviewer)} · ${tokens}`);
  }
  if (findings.length === 0) row(terminal, "findings", "none");
  printFindings(findings, terminal);
  line();
  line(isMissing(diff) ? safeLine(diff.missing) : paintDiff(diff, paint));
}

/** Its turns that tell something; the page has more. */
function printSession({ id, agent, timeline, notes }: ReportSession, terminal: Terminal): void {
  const { paint } = terminal;
  const size = timeline.isWhole
    ? ` · ${count(timeline.turnCount, "turn")}, ${count(timeline.failedCallCount, "failed call")}`
    : "";
  row(terminal, "session", `${paint.bold(safeLine(id))} · ${safeLine(agent)}${size}`);
  for (const one of notes) row(terminal, "note", safeLine(one));
  for (const turn of timeline.turns) {
    for (const { kind, words } of turn.marks)
      row(
        terminal,
        `  ${safeLine(turn.id)}`,
        `${kind}: ${cut(safeLine(words), ONE_LINE_MAX_CHARS)}`,
      );
  }
}

function printNumbers({ skillbook, queue }: ReportData, terminal: Terminal): void {
  if (isMissing(skillbook)) row(terminal, "Skillbook", safeLine(skillbook.missing));
  else {
    const { active, strategies, months } = skillbook;
    row(
      terminal,
      "Skillbook",
      `${active} of ${count(strategies, "strategy", "strategies")} in use`,
    );
    for (const { month, helpful, harmful, neutral } of months.slice(-STATS_MONTHS_MAX))
      row(terminal, "", `${month}  helpful ${helpful}, harmful ${harmful}, neutral ${neutral}`);
  }
  if (isMissing(queue)) {
    row(terminal, "queue", safeLine(queue.missing));
    return;
  }
  row(terminal, "queue", `${count(queue.waiting, "session")} without an outcome so far`);
  for (const { day, counts } of queue.days.slice(-STATS_MONTHS_MAX)) {
    const said = QUEUE_STATUSES.filter((status) => counts[status] > 0).map(
      (status) => `${status.replaceAll("_", " ")} ${counts[status]}`,
    );
    row(terminal, "", `${day}  ${said.join(", ")}`);
  }
}

/** An Outcome in words. */
import { cut, safeLine } from "../core/text.ts";
import type { Outcome } from "../outcome.ts";
import { OUTCOME_WORDS } from "../proposal/evidence.ts";
import type { Evidence } from "../proposal/proposal.ts";
import type { Finding } from "../verify/finding.ts";
import { type Paint, paintDiff, type Terminal } from "./terminal.ts";

/** @param file the transcript, as it was named */
export function printOutcome(outcome: Outcome, file: string, terminal: Terminal): void {
  const { line, paint } = terminal;
  const { session } = outcome;
  row(terminal, "transcript", safeLine(file));
  if (session !== undefined) {
    const failed = `${session.toolCallCount} completed tool calls`;
    row(terminal, "session", `${safeLine(session.id)} · ${safeLine(session.agent)} · ${failed}`);
  }
  row(terminal, "verdict", verdictOf(outcome, paint));
  for (const proposal of outcome.proposals) {
    const commit = proposal.commit === null ? "" : ` · ${proposal.commit.slice(0, 12)}`;
    row(
      terminal,
      "proposal",
      `${paint.bold(proposal.skill)} on ${proposal.branch} (${proposal.operation})${commit}`,
    );
    if (proposal.reason !== undefined) {
      line(`            ${paint.yellow(safeLine(proposal.reason))}`);
      line(`            ${safeLine(proposal.hint ?? "")}`);
    }
    if (proposal.diff !== undefined) line(`\n${paintDiff(proposal.diff, paint)}\n`);
  }
  printEvidence(outcome.evidence, terminal);
  printFindings(outcome.findings, terminal);
  const waiting = outcome.proposals.find(
    ({ commit, operation }) => commit !== null && operation !== "blocked",
  );
  if (waiting !== undefined) {
    row(terminal, "next", `skillpr show ${waiting.skill}`);
    line(
      `            skillpr accept ${waiting.skill}  |  skillpr reject ${waiting.skill} --reason "…"`,
    );
  }
}

function verdictOf(outcome: Outcome, paint: Paint): string {
  switch (outcome.status) {
    case "proposed":
      return paint.green("reviewed: there is something to learn");
    case "nothing_to_save":
      return `reviewed: nothing to save${because(outcome, paint)}`;
    case "skipped":
      return paint.yellow(`skipped: ${outcome.skippedReason}`) + because(outcome, paint);
    case "refused":
      return paint.red("refused by the verifier; nothing was committed");
    case "failed":
      return (
        paint.red(`failed: ${safeLine(outcome.error?.message ?? "")}`) +
        `\n            ${safeLine(outcome.error?.hint ?? "")}`
      );
  }
}

function because({ detail }: Outcome, paint: Paint): string {
  return detail === undefined ? "" : paint.dim(` (${safeLine(detail)})`);
}

export function printEvidence(evidence: readonly Evidence[], terminal: Terminal): void {
  for (const [index, { command, turns, outcome }] of evidence.entries()) {
    const where = turns.length === 0 ? "" : ` (${turns.map(safeLine).join(", ")})`;
    row(
      terminal,
      index === 0 ? "evidence" : "",
      `${cut(safeLine(command), 100)}: ${OUTCOME_WORDS[outcome]}${where}`,
    );
  }
}

export function printFindings(findings: readonly Finding[], terminal: Terminal): void {
  const { paint, line } = terminal;
  for (const [index, finding] of findings.entries()) {
    const level = finding.level === "error" ? paint.red("error") : paint.yellow("warning");
    const place =
      finding.path === null
        ? ""
        : ` ${safeLine(finding.path)}${finding.line === null ? "" : `:${finding.line}`}`;
    row(terminal, index === 0 ? "findings" : "", `${level} ${finding.rule}${place}`);
    line(`            ${safeLine(finding.message)}`);
    line(`            ${paint.dim(safeLine(finding.hint))}`);
  }
}

/** One labelled line; labels are in one column so that the eye finds them. */
export function row(terminal: Terminal, label: string, value: string): void {
  terminal.line(`${terminal.paint.dim(label.padEnd(11))} ${value}`);
}

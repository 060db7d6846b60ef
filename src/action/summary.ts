/** The job's summary: what came of each transcript, what waits for a person, and what to do. Read in ten seconds. */
import * as limits from "../core/limits.ts";
import { markdownCellCode, markdownCode, markdownText } from "../core/markdown.ts";
import { count, cut, grouped } from "../core/text.ts";
import type { ProposalResult } from "../outcome.ts";
import type { Finding } from "../verify/finding.ts";
import type { ActionResult } from "./action-run.ts";
import type { ActionCommand } from "./inputs.ts";
import type { OutcomeRow } from "./outcome-rows.ts";

const STATUS_WORDS: Readonly<Record<OutcomeRow["status"], string>> = {
  proposed: "proposed",
  nothing_to_save: "nothing to save",
  skipped: "skipped",
  refused: "refused",
  failed: "failed",
};

/** Markdown; every word of somebody else in it is text and nothing more. */
export function summaryOf(command: ActionCommand, result: ActionResult): string {
  const parts = [
    `### skillpr ${markdownText(command)}: ${headline(result)}`,
    totals(result.rows),
    transcriptTable(result),
    proposalTable(result),
    list("What to do", result.advice, limits.SUMMARY_FINDINGS_MAX, (text) => markdownText(text)),
    list("Findings", result.findings, limits.SUMMARY_FINDINGS_MAX, findingLine),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function headline({ outcome, proposals, findings }: ActionResult): string {
  const waiting = proposals.filter(
    ({ operation, pullRequest }) => (pullRequest?.operation ?? operation) !== "blocked",
  );
  switch (outcome) {
    case "proposed":
      return waiting.length === 0
        ? "something was learned, but it is blocked"
        : `${count(waiting.length, "skill")} proposed`;
    case "nothing_to_save":
      return "nothing to save";
    case "refused":
      return "refused by the verifier";
    case "ok":
      return findings.length === 0 ? "ok" : `ok, with ${count(findings.length, "warning")}`;
    default:
      return outcome;
  }
}

function totals(rows: readonly OutcomeRow[]): string {
  if (rows.length === 0) return "";
  const statuses = Object.keys(STATUS_WORDS) as OutcomeRow["status"][];
  const counts = statuses
    .map((status) => ({ status, n: rows.filter((row) => row.status === status).length }))
    .filter(({ n }) => n > 0)
    .map(({ status, n }) => `${n} ${STATUS_WORDS[status]}`);
  const tokens = rows.reduce((sum, row) => sum + row.tokens, 0);
  return `${count(rows.length, "transcript")}: ${counts.join(", ")} · ${grouped(tokens)} tokens`;
}

function transcriptTable({ rows, proposals }: ActionResult): string {
  if (rows.length === 0) return "";
  const bySkill = new Map(proposals.map((proposal) => [proposal.skill, proposal]));
  // What needs somebody comes first.
  const order = ["failed", "refused", "proposed", "nothing_to_save", "skipped"];
  const sorted = rows.toSorted((a, b) => order.indexOf(a.status) - order.indexOf(b.status));
  const lines = sorted.slice(0, limits.SUMMARY_ROWS_MAX).map((row) => {
    const skills = row.skills.map((skill) => skillCell(skill, bySkill.get(skill)));
    const verdict = STATUS_WORDS[row.status] + (row.reason === null ? "" : `: ${cell(row.reason)}`);
    const tokens = row.tokens === 0 ? "" : grouped(row.tokens);
    return `| ${markdownCellCode(row.transcript)} | ${verdict} | ${skills.join("<br>")} | ${tokens} |`;
  });
  const left = rows.length - lines.length;
  const more = left > 0 ? `\n\n… and ${count(left, "more transcript")}, in the report.` : "";
  return `| Transcript | Verdict | Skill | Tokens |\n|---|---|---|---|\n${lines.join("\n")}${more}`;
}

function skillCell(skill: string, proposal: ProposalResult | undefined): string {
  return proposal === undefined
    ? markdownCellCode(skill)
    : `${markdownCellCode(skill)} ${where(proposal)}`;
}

function proposalTable({ rows, proposals }: ActionResult): string {
  const shown = new Set(rows.flatMap(({ skills }) => skills));
  const others = proposals.filter(({ skill }) => !shown.has(skill));
  if (others.length === 0) return "";
  const lines = others
    .slice(0, limits.SUMMARY_ROWS_MAX)
    .map((proposal) => `| ${markdownCellCode(proposal.skill)} | ${where(proposal)} |`);
  return `| Skill | Where it waits |\n|---|---|\n${lines.join("\n")}`;
}

/** The pull request, or the branch; what blocks it. */
function where({ branch, pullRequest, ...local }: ProposalResult): string {
  const { operation, reason } = pullRequest ?? local;
  if (operation === "blocked") return `blocked: ${cell(reason ?? "")}`;
  if (pullRequest?.url == null) return `on ${markdownCellCode(branch)} (${operation})`;
  return `[#${pullRequest.number}](${encodeURI(pullRequest.url)}) (${operation})`;
}

function findingLine({ level, rule, path, line, message }: Finding): string {
  const place = path === null ? "" : ` ${markdownCode(line === null ? path : `${path}:${line}`)}`;
  return `**${level}** ${markdownCode(rule)}${place}: ${markdownText(cut(message, limits.SUMMARY_CELL_MAX_CHARS))}`;
}

function list<T>(
  title: string,
  items: readonly T[],
  most: number,
  lineOf: (item: T) => string,
): string {
  if (items.length === 0) return "";
  const lines = items.slice(0, most).map((item) => `- ${lineOf(item)}`);
  if (items.length > most) lines.push(`- … and ${count(items.length - most, "more")}`);
  return `**${title}**\n\n${lines.join("\n")}`;
}

function cell(text: string): string {
  return markdownText(cut(text, limits.SUMMARY_CELL_MAX_CHARS));
}

/** An Outcome in words. */
import { ONE_LINE_MAX_CHARS } from "../core/limits.ts";
import { count, cut, safeLine, shortCommit } from "../core/text.ts";
import type { Outcome, ProposalResult, PullRequestResult } from "../outcome.ts";
import { OUTCOME_WORDS } from "../proposal/evidence.ts";
import type { Evidence, Proposal } from "../proposal/proposal.ts";
import { ON_TERMINAL, reasonBeside, signalSentences } from "../proposal/proposal-words.ts";
import type { Finding } from "../verify/finding.ts";
import type { Call } from "./program.ts";
import { type Paint, paintDiff, type Terminal } from "./terminal.ts";

export interface Shown {
  /** The transcript as people name it; null: a folder of sealed proposals was published. */
  readonly name: string | null;
  readonly call: Call;
}

export function printOutcome(outcome: Outcome, shown: Shown, terminal: Terminal): void {
  const { call } = shown;
  if (shown.name !== null) row(terminal, "transcript", safeLine(shown.name));
  const { session } = outcome;
  if (session !== undefined) {
    const calls = count(session.toolCallCount, "completed tool call");
    row(terminal, "session", `${safeLine(session.id)} · ${safeLine(session.agent)} · ${calls}`);
    const redacted = Object.entries(session.redactions ?? {}).map(([type, n]) => `${n} × ${type}`);
    if (redacted.length > 0) row(terminal, "redacted", redacted.join(", "));
  }
  if (shown.name !== null || outcome.status !== "proposed")
    row(terminal, "verdict", verdictOf(outcome, terminal.paint));
  for (const proposal of outcome.proposals) printProposal(proposal, terminal);
  if (shown.name !== null) printEvidence(outcome.evidence, terminal);
  printFindings(outcome.findings, terminal);
  const isDry = call.flags["dryRun"] === true;
  if (isDry && outcome.status === "proposed" && outcome.findings.length === 0)
    row(terminal, "findings", "none");
  if (isDry) row(terminal, "dry run", "nothing was written");
  // A review that failed has said so already.
  if (outcome.error !== undefined && outcome.status !== "failed") {
    row(terminal, "failed", terminal.paint.red(safeLine(outcome.error.message)));
    below(terminal, safeLine(outcome.error.hint));
  }
  printNext(outcome.proposals, call, terminal);
}

export function printProposal(proposal: ProposalResult, terminal: Terminal): void {
  const { line, paint } = terminal;
  const { skill, branch, commit, operation } = proposal;
  const isKept = commit !== null || operation === "blocked" || operation === "unchanged";
  // Nothing was committed: what publishing would do.
  const did = isKept ? operation : `would be ${operation}`;
  const at = commit === null ? "" : ` · ${shortCommit(commit)}`;
  row(terminal, "proposal", `${paint.bold(skill)} on ${branch} (${did})${at}`);
  if (proposal.reason !== undefined) {
    below(terminal, paint.yellow(safeLine(proposal.reason)));
    below(terminal, safeLine(proposal.hint ?? ""));
  }
  if (proposal.pullRequest !== undefined) printPullRequest(proposal.pullRequest, terminal);
  if (proposal.diff !== undefined) line(`\n${paintDiff(proposal.diff, paint)}\n`);
}

function printPullRequest(pull: PullRequestResult, terminal: Terminal): void {
  const { number, url, operation, isPlanned, reason, hint } = pull;
  const name = number === null ? "none yet" : `#${number}`;
  const did = isPlanned === true && operation !== "unchanged" ? `would be ${operation}` : operation;
  row(terminal, "on GitHub", `${name} (${did})${url === null ? "" : ` ${safeLine(url)}`}`);
  if (reason === undefined) return;
  below(terminal, terminal.paint.yellow(safeLine(reason)));
  below(terminal, safeLine(hint ?? ""));
}

/** What to type next, in the repository that was meant. */
export function printNext(
  proposals: readonly ProposalResult[],
  call: Call,
  terminal: Terminal,
): void {
  const isWaiting = ({ commit, operation }: ProposalResult) =>
    commit !== null && operation !== "blocked";
  const waiting = proposals.find(isWaiting);
  // The demo goes on by itself.
  if (waiting === undefined || call.command === "demo") return;
  const { skill } = waiting;
  const where = repositoryFlag(call);
  row(terminal, "next", `skillpr show ${skill}${where}`);
  below(terminal, `skillpr accept ${skill}${where}`);
  below(terminal, `skillpr reject ${skill}${where} --reason "…"`);
}

/** ` --repo DIR` when the call had one, as a shell takes it. */
export function repositoryFlag(call: Call): string {
  const repo = call.flags["repo"];
  if (typeof repo !== "string" || repo === ".") return "";
  const isPlain = /^[\w./~-]+$/.test(repo);
  return ` --repo ${isPlain ? repo : `'${safeLine(repo).replaceAll("'", "'\\''")}'`}`;
}

function verdictOf(outcome: Outcome, paint: Paint): string {
  switch (outcome.status) {
    case "proposed":
      return outcome.proposals.some(({ operation }) => operation !== "blocked")
        ? paint.green("reviewed: there is something to learn")
        : paint.yellow("reviewed: there is something to learn, but it is blocked");
    case "nothing_to_save":
      return `reviewed: nothing to save${because(outcome, paint)}`;
    case "skipped":
      return paint.yellow(`skipped: ${outcome.skippedReason}`) + because(outcome, paint);
    case "refused":
      return paint.red("refused by the verifier; nothing was committed");
    case "failed":
      return (
        paint.red(`failed: ${safeLine(outcome.error?.message ?? "")}`) +
        `\n${INDENT}${safeLine(outcome.error?.hint ?? "")}`
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
      `${cut(safeLine(command), ONE_LINE_MAX_CHARS)}: ${OUTCOME_WORDS[outcome]}${where}`,
    );
  }
}

/** Why it was learned: in the reviewer's words, and as the session shows it. */
export function printReason(proposal: Pick<Proposal, "why" | "signals">, terminal: Terminal): void {
  const reason = safeLine(reasonBeside(proposal));
  const signals = signalSentences(proposal.signals, ON_TERMINAL, ONE_LINE_MAX_CHARS);
  for (const [index, sentence] of [reason, ...signals].filter((one) => one !== "").entries())
    row(terminal, index === 0 ? "why" : "", sentence);
}

export function printFindings(findings: readonly Finding[], terminal: Terminal): void {
  const { paint } = terminal;
  for (const [index, finding] of findings.entries()) {
    const level = finding.level === "error" ? paint.red("error") : paint.yellow("warning");
    const place = finding.path === null ? "" : ` ${safeLine(finding.path)}${placeOf(finding)}`;
    row(terminal, index === 0 ? "findings" : "", `${level} ${safeLine(finding.rule)}${place}`);
    below(terminal, safeLine(finding.message));
    below(terminal, paint.dim(safeLine(finding.hint)));
  }
}

/** `:line:column`, as editors take it. */
function placeOf({ line, column }: Finding): string {
  if (line === null) return "";
  return column === undefined ? `:${line}` : `:${line}:${column}`;
}

/** Characters of the longest label. */
const LABEL_CHARS = 11;

/** What stands in front of a line without a label. */
export const INDENT = " ".repeat(LABEL_CHARS + 1);

/** One labelled line; labels are in one column so that the eye finds them. */
export function row(terminal: Terminal, label: string, value: string): void {
  terminal.line(`${terminal.paint.dim(label.padEnd(LABEL_CHARS))} ${value}`);
}

/** One more line of what the row above says. */
export function below(terminal: Terminal, value: string): void {
  terminal.line(`${INDENT}${value}`);
}

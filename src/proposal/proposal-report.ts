/** The page beside a sealed proposal: what a person reads before it is published. */
import { markdownCode, markdownFence, markdownText } from "../core/markdown.ts";
import { OUTCOME_WORDS } from "./evidence.ts";
import type { Evidence, Proposal } from "./proposal.ts";

/** Markdown; every foreign word in it is escaped or fenced. */
export function proposalReport(proposal: Proposal): string {
  const { session, usage } = proposal;
  const verb = proposal.operation === "ADD" ? "Add" : "Update";
  const lines = [
    `# ${verb} the skill ${markdownCode(proposal.skill)}`,
    "",
    proposal.why === "" ? "No reason was given." : markdownText(proposal.why),
    "",
    "## Evidence",
    "",
    ...evidenceTable(proposal.evidence),
    "",
    "## Findings",
    "",
    ...(proposal.findings.length === 0
      ? ["The verifier found nothing to say."]
      : proposal.findings.map((f) => `- ${markdownCode(f.rule)} ${markdownText(f.message)}`)),
    "",
    "## Where it comes from",
    "",
    `- session ${markdownCode(session.id)} of ${markdownText(session.agent)} ${markdownText(session.agentVersion ?? "")}, ${session.toolCallCount} completed tool calls`,
    `- digest ${markdownCode(session.digest)}`,
    `- reviewer ${markdownText(usage.reviewer)}, model ${markdownText(usage.model ?? "none")}`,
    `- on top of ${markdownCode(proposal.parent)}`,
    "",
    "## Files",
    "",
  ];
  for (const file of proposal.files)
    lines.push(markdownCode(file.path), "", markdownFence(file.content, "markdown"), "");
  return lines.join("\n");
}

function evidenceTable(evidence: readonly Evidence[]): string[] {
  if (evidence.length === 0) return ["The skill names no command."];
  return [
    "| command | turns | in the session |",
    "|---|---|---|",
    ...evidence.map(
      ({ command, turns, outcome }) =>
        `| ${markdownCode(command)} | ${markdownText(turns.join(", "))} | ${OUTCOME_WORDS[outcome]} |`,
    ),
  ];
}

/** The page beside a sealed proposal: what a person reads before it is published. */
import { SKILL_LINE_MAX_CHARS } from "../core/limits.ts";
import { markdownCode, markdownFence, markdownText } from "../core/markdown.ts";
import type { Proposal } from "./proposal.ts";
import {
  AS_MARKDOWN,
  evidenceSummary,
  evidenceTable,
  reasonBeside,
  signalSentences,
  WHOLE_EVIDENCE,
} from "./proposal-words.ts";

/** Markdown; every foreign word in it is escaped or fenced. */
export function proposalReport(proposal: Proposal): string {
  const { session, usage } = proposal;
  const verb = proposal.operation === "ADD" ? "Add" : "Update";
  const lines = [
    `# ${verb} the skill ${markdownCode(proposal.skill)}`,
    "",
    ...reasonPart(proposal),
    "## Evidence",
    "",
    ...evidencePart(proposal),
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

function reasonPart(proposal: Proposal): string[] {
  const reason = markdownText(reasonBeside(proposal));
  const signals = signalSentences(proposal.signals, AS_MARKDOWN, SKILL_LINE_MAX_CHARS);
  if (reason === "" && signals.length === 0) return ["No reason was given.", ""];
  const shown = ["What the session shows:", "", ...signals.map((one) => `- ${one}`), ""];
  return [...(reason === "" ? [] : [reason, ""]), ...(signals.length === 0 ? [] : shown)];
}

function evidencePart({ evidence }: Proposal): string[] {
  if (evidence.length === 0) return ["The skill names no command."];
  return [evidenceSummary(evidence), "", evidenceTable(evidence, WHOLE_EVIDENCE)];
}

/** The words of a pull request: its title and what a reviewer reads in it. */
import { markdownCode, markdownFence, markdownText } from "../core/markdown.ts";
import type { Proposal } from "../proposal/proposal.ts";
import type { Finding } from "../verify/finding.ts";

export interface PullRequestText {
  readonly title: string;
  readonly body: string;
}

/** What the text says about going on. */
export interface HandOver {
  /** Name of the branch on GitHub. */
  readonly branch: string;
  /** The label that makes skillpr leave the pull request alone. */
  readonly stopLabel: string;
}

const BEGIN = "<!-- skillpr:begin -->";
const END = "<!-- skillpr:end -->";

/**
 * @param input.template `{title}`, `{why}`, `{evidence}`, `{findings}`, `{skill}`, `{handOver}` in Markdown
 * @param input.previous the body as it stands: what people wrote outside the markers stays
 * @param input.parentSkill SKILL.md before, for updates
 */
export function pullRequestText(input: {
  readonly proposal: Proposal;
  readonly findings: readonly Finding[];
  readonly template: string;
  readonly previous?: string;
  readonly operation: "ADD" | "UPDATE";
  readonly baseRef: string;
  readonly parentSkill?: string;
  readonly handOver: HandOver;
}): PullRequestText {
  const { proposal, findings, operation, handOver } = input;
  const title = `skill: ${operation === "ADD" ? "add" : "update"} ${proposal.skill}`;
  const manifest = proposal.files.find(({ path }) => path === "SKILL.md")?.content ?? "";
  const rows = proposal.evidence.map(
    ({ command, turns, outcome }) =>
      `- ${markdownCode(command)}: ${outcome} ${turns.map(markdownText).join(", ")}`,
  );
  const said = findings.map(
    ({ rule, level, message }) => `- ${level} ${markdownText(rule)}: ${markdownText(message)}`,
  );
  const values: Readonly<Record<string, string>> = {
    title,
    why: markdownText(proposal.why),
    evidence: rows.length === 0 ? "none" : rows.join("\n"),
    findings: said.length === 0 ? "none" : said.join("\n"),
    skill: markdownFence(manifest, "markdown"),
    handOver: `Close this to decline it; the label ${markdownCode(handOver.stopLabel)} keeps skillpr away from it.`,
  };
  const text = input.template.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
  const ours = `${BEGIN}\n${text.trim()}\n${END}`;
  return { title, body: replaceOurs(input.previous ?? "", ours) };
}

function replaceOurs(previous: string, ours: string): string {
  const begin = previous.indexOf(BEGIN);
  const end = previous.indexOf(END, begin);
  if (begin === -1 || end === -1) return previous.trim() === "" ? ours : `${ours}\n\n${previous}`;
  return previous.slice(0, begin) + ours + previous.slice(end + END.length);
}

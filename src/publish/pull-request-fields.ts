/** The fields of the template: every word of session, model and repository made safe Markdown. */

import * as limits from "../core/limits.ts";
import { lineDiff } from "../core/line-diff.ts";
import { markdownCode, markdownFence, markdownText } from "../core/markdown.ts";
import { count, cut, grouped } from "../core/text.ts";
import type { Proposal } from "../proposal/proposal.ts";
import {
  AS_MARKDOWN,
  evidenceSummary,
  evidenceTable,
  otherSessionLines,
  reasonBeside,
  signalSentences,
} from "../proposal/proposal-words.ts";
import { parseSkillFile } from "../skills/skill-file.ts";
import { SKILL_FILE_NAME } from "../skills/skill-path.ts";
import type { Finding } from "../verify/finding.ts";
import { readableSkill, withoutDate } from "./pull-request-skill.ts";
import type { TemplateFields } from "./pull-request-template.ts";
import type { PullRequestInput } from "./pull-request-text.ts";

type Detail = (typeof limits.PULL_REQUEST_DETAILS)[number];

/** Of these, two runs that found the same may differ. */
export const FIGURES = ["tokens", "duration"] as const;

/** @param detail how much of each part is shown */
export function templateFields(input: PullRequestInput, detail: Detail): TemplateFields {
  const { proposal, operation, parentSkill, openSkill, handOver } = input;
  const { signals, evidence, files } = proposal;
  const now =
    files.find(({ path }) => path === SKILL_FILE_NAME)?.content ?? openSkill ?? parentSkill ?? "";
  const isUpdate = operation === "UPDATE";
  const before = isUpdate ? parentSkill : undefined;
  const wasOpen = openSkill !== undefined && openSkill !== parentSkill;
  const others = files.filter(({ path }) => path !== SKILL_FILE_NAME).map(({ path }) => path);
  return {
    verb: isUpdate ? "Updates" : "Adds",
    is_update: isUpdate ? "yes" : "",
    skill: markdownCode(proposal.skill),
    folder: markdownCode(`${proposal.skillsRoot}/${proposal.skill}/`),
    base: markdownCode(cut(input.baseRef, detail.text)),
    origin: originOf(input),
    has_session: hasSession(input) ? "yes" : "",
    from_comments: isFromComments(input) ? "yes" : "",
    purpose: markdownText(cut(skillOf(now)?.description ?? "", detail.text)),
    reason: markdownText(cut(reasonBeside(proposal), detail.text)),
    signals: bullets(signalSentences(signals, AS_MARKDOWN, limits.PULL_REQUEST_COMMAND_MAX_CHARS)),
    evidence: evidenceTable(evidence, {
      rows: detail.rows,
      commandMax: limits.PULL_REQUEST_COMMAND_MAX_CHARS,
    }),
    evidence_summary: input.isEvidenceCarried
      ? `${evidenceSummary(evidence)} These are the rows that stood here before the revision.`
      : evidenceSummary(evidence),
    other_sessions: bullets(
      otherSessionLines(proposal.alsoFrom, AS_MARKDOWN, {
        rows: detail.findings,
        commandMax: limits.PULL_REQUEST_COMMAND_MAX_CHARS,
      }),
    ),
    version: versionOf(now),
    version_before: before === undefined ? "" : versionOf(before),
    changes: before === undefined ? "" : diffOf(before, now, detail),
    latest_changes: wasOpen ? diffOf(openSkill, now, detail) : "",
    other_files: others.map(markdownCode).join(", "),
    findings: findingsList(input.findings, detail),
    skill_text: skillText(now, detail),
    skill_lines: count(now.replace(/\n$/, "").split("\n").length, "line"),
    branch: markdownCode(cut(handOver.branch, detail.text)),
    stop_label: markdownCode(handOver.stopLabel),
    revise_command: markdownCode(`skillpr revise ${proposal.skill}`),
    ...provenance(input),
  };
}

/** Null for a text that is no skill file: a pull request is opened for verified ones only. */
function skillOf(text: string) {
  const parsed = parseSkillFile(text);
  return parsed.ok ? parsed.skill : null;
}

function versionOf(text: string): string {
  return markdownCode(cut(skillOf(text)?.version ?? "none", limits.QUOTE_MAX_CHARS));
}

function bullets(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join("\n");
}

function originOf(input: PullRequestInput): string {
  if (isFromComments(input)) return "revised after comments on this pull request";
  if (!hasSession(input)) return "adopted from one that an agent had written in place";
  const session = `a session of ${agentOf(input)}`;
  return input.operation === "UPDATE" ? `as ${session} suggests` : `learned from ${session}`;
}

/** `adopt` proposes a skill whose session nobody knows; `revise` may run where nobody does. */
function hasSession(input: PullRequestInput): boolean {
  return input.proposal.session.agent !== "in-place" && !isFromComments(input);
}

function isFromComments({ proposal }: PullRequestInput): boolean {
  return isOfComments(proposal.session);
}

/** What people said stands where a session does: nobody knows which one the skill came from. */
export function isOfComments({ agent }: Proposal["session"]): boolean {
  return agent === "review-comments";
}

function agentOf({ proposal: { session } }: PullRequestInput): string {
  return markdownText([session.agent, session.agentVersion ?? ""].join(" "));
}

function provenance(input: PullRequestInput) {
  const { session, usage } = input.proposal;
  const tokens = usage.inputTokens + usage.outputTokens;
  return {
    agent: agentOf(input),
    agent_model: markdownText(session.model ?? ""),
    session: markdownCode(session.id),
    digest: markdownCode(session.digest),
    tool_calls: count(session.toolCallCount, "completed tool call"),
    reviewer: markdownText(usage.reviewer),
    model: markdownText(usage.model ?? ""),
    tokens:
      tokens === 0
        ? ""
        : `${grouped(usage.inputTokens)} tokens in, ${grouped(usage.outputTokens)} out`,
    duration: durationOf(usage.durationMs),
  };
}

/** `0.3 s`, `41 s`, `2 min 5 s` */
function durationOf(ms: number): string {
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Empty where nothing but the version and the date differ. */
function diffOf(before: string, after: string, detail: Detail): string {
  const diff = lineDiff(comparable(before), comparable(after), SKILL_FILE_NAME);
  // The first two lines name the file, twice.
  const lines = diff.replace(/\n$/, "").split("\n").slice(2);
  if (lines.length === 0) return "";
  const shown = lines
    .slice(0, detail.diff)
    .map((line) => cut(line, limits.PULL_REQUEST_DIFF_LINE_MAX_CHARS));
  const left = lines.length - shown.length;
  const more = left === 0 ? "" : `… ${count(left, "more line")} under “Files changed”.`;
  const fence = shown.length === 0 ? "" : markdownFence(shown.join("\n"), "diff");
  return [fence, more].filter((part) => part !== "").join("\n\n");
}

function comparable(text: string): string {
  return text.replace(/^---\n([\s\S]*?)\n---(?=\n|$)/, (_, frontmatter: string) => {
    return `---\n${withoutDate(frontmatter)}\n---`;
  });
}

function findingsList(findings: readonly Finding[], detail: Detail): string {
  const shown = findings
    .slice(0, detail.findings)
    .map(({ level, rule, path, line, message, hint }) => {
      const place =
        path === null ? "" : ` in ${markdownCode(line === null ? path : `${path}:${line}`)}`;
      const said = [message, hint].map((text) => markdownText(cut(text, detail.text))).join(" ");
      return `**${level}** ${markdownCode(rule)}${place}: ${said}`;
    });
  const left = findings.length - shown.length;
  return bullets(left === 0 ? shown : [...shown, `… and ${count(left, "more finding")}`]);
}

function skillText(text: string, detail: Detail): string {
  if (text.length <= detail.skill) return readableSkill(text);
  // At a line's end, so that no word and no code span is halved.
  const end = text.lastIndexOf("\n", detail.skill);
  const shown = detail.skill === 0 || end < 0 ? "" : readableSkill(text.slice(0, end));
  return `${shown}\n\n_The text is too long for this page; all of it is under “Files changed”._`.trim();
}

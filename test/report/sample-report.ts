/** A report about the demo's session, with what a repository has after some weeks. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { lineDiff } from "../../src/core/line-diff.ts";
import { collectEvidence } from "../../src/proposal/evidence.ts";
import { selectSignals } from "../../src/proposal/signals.ts";
import type { ReportData, ReportProposal } from "../../src/report/report-data.ts";
import { sessionTimeline } from "../../src/report/timeline.ts";
import { createRedactor } from "../../src/secrets/redactor.ts";
import { commandRuns } from "../../src/transcript/command-runs.ts";
import { readTranscript } from "../../src/transcript/read-transcript.ts";
import { redactSession } from "../../src/transcript/redact-session.ts";
import { sessionSignals } from "../../src/transcript/session-signals.ts";
import { sampleProposal } from "../proposal/sample-proposal.ts";

const TEMPLATES = resolve(import.meta.dirname, "../../templates");
export const PAGE_STYLE = readFileSync(resolve(TEMPLATES, "report/page.css"), "utf8");

const SKILL = `---
name: shared-counter-in-tests
description: Tests pass alone and fail together because they share a counter. Use when npm test fails and each file passes.
version: 1.0.0
metadata:
  source: auto-skill
---

# Tests that pass alone and fail together

## When to use

- \`npm test\` fails, and each file passes when it runs alone.

## Steps

1. Run the files one by one: \`node --test test/shipments.test.js\`, \`node --test test/returns.test.js\`.
2. Look for state at the top of a module, and give every caller its own:
   \`\`\`diff
   -let count = 0;
   +export function createLabels() {
   +  let count = 0;
   \`\`\`
3. Run all of them in any order:
   \`\`\`sh
   npm test
   npm test -- --seed 42
   \`\`\`

| don't | do |
|---|---|
| skip the test | find what is shared |
`;

export async function sampleReport(): Promise<ReportData> {
  const source = { kind: "file", path: resolve(TEMPLATES, "demo/session.jsonl") } as const;
  const session = await redactSession(
    await readTranscript(source),
    createRedactor({ credentials: [] }),
  );
  const skill = "shared-counter-in-tests";
  const { id, agent, agentVersion, model, digest, toolCallCount } = session;
  const sealed = sampleProposal({
    skill,
    session: { id, agent, agentVersion, model, digest, toolCallCount },
    why: "",
    signals: selectSignals(SKILL, sessionSignals(session)),
    evidence: collectEvidence(skill, SKILL, commandRuns(session)),
    usage: {
      reviewer: "auto-skill",
      model: "qwen3-coder-plus",
      turns: 6,
      inputTokens: 41_200,
      outputTokens: 2300,
      requestBytes: 164_000,
      parts: { instructions: 66_000, session: 52_000, model: 9000, tools: 37_000 },
      durationMs: 21_000,
      incomplete: false,
    },
  });
  const folder = `.qwen/skills/${skill}`;
  const proposal: ReportProposal = {
    skill,
    folder,
    operation: "ADD",
    branch: `auto-skill/${skill}`,
    commit: "6c886a9c42386c886a9c42386c886a9c42386c88",
    files: [{ path: "SKILL.md", text: SKILL }],
    diff: lineDiff(null, SKILL, `${folder}/SKILL.md`),
    findings: [
      {
        rule: "content.example",
        level: "warning",
        path: `${folder}/SKILL.md`,
        line: 17,
        message: "This step names files of one change.",
        hint: "Say what to look for, so that it helps next time too.",
      },
    ],
    sealed,
    foreignAuthor: null,
  };
  return {
    generatedAt: "2026-03-10T09:30:00.000Z",
    repository: "parcels",
    proposals: [proposal],
    leftOut: 0,
    sessions: [
      {
        id,
        agent,
        model,
        toolCallCount,
        timeline: sessionTimeline(session, [{ skill, sealed }]),
        notes: [],
      },
    ],
    skillbook: {
      strategies: 14,
      active: 12,
      months: [
        { month: "2025-11", helpful: 3, harmful: 2, neutral: 1 },
        { month: "2025-12", helpful: 6, harmful: 1, neutral: 2 },
        { month: "2026-01", helpful: 9, harmful: 3, neutral: 2 },
        { month: "2026-02", helpful: 12, harmful: 1, neutral: 4 },
        { month: "2026-03", helpful: 5, harmful: 0, neutral: 1 },
      ],
      marks: [
        {
          id: "context-00003",
          words: "Labels are counted per shipment",
          helpful: 9,
          harmful: 1,
          neutral: 2,
        },
        {
          id: "harness-00007",
          words: "Run one file before all of them",
          helpful: 7,
          harmful: 2,
          neutral: 1,
        },
      ],
    },
    queue: {
      waiting: 1,
      days: [2, 3, 4, 5, 6, 9, 10].map((day) => ({
        day: `2026-03-${String(day).padStart(2, "0")}`,
        counts: {
          proposed: day % 3,
          nothing_to_save: 1 + (day % 2),
          skipped: 2 + (day % 4),
          refused: day === 5 ? 1 : 0,
          failed: day === 4 ? 2 : 0,
        },
      })),
    },
  };
}

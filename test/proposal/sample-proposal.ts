import { PROPOSAL_VERSION, type Proposal } from "../../src/proposal/proposal.ts";

/** A well-formed proposal that no repository knows. */
export function sampleProposal(over: Partial<Proposal> = {}): Proposal {
  return {
    version: PROPOSAL_VERSION,
    skill: "release-flow",
    skillsRoot: ".qwen/skills",
    operation: "ADD",
    base: { ref: "refs/heads/main", commit: "a".repeat(40) },
    parent: "a".repeat(40),
    tree: "b".repeat(40),
    files: [{ path: "SKILL.md", content: "---\nname: release-flow\n---\n" }],
    session: {
      id: "11111111-1111-4111-8111-111111111111",
      agent: "qwen-code",
      agentVersion: "0.24.4",
      model: "some-model",
      digest: `sha256:${"c".repeat(64)}`,
      toolCallCount: 21,
    },
    why: "The check failed in t3 and succeeded in t9.",
    signals: { fixes: [], corrections: [] },
    evidence: [
      { skill: "release-flow", command: "npm test", turns: ["t3", "t9"], outcome: "success" },
    ],
    findings: [],
    usage: {
      reviewer: "offline",
      model: null,
      turns: 0,
      inputTokens: 0,
      outputTokens: 0,
      requestBytes: 0,
      durationMs: 12,
      incomplete: false,
    },
    ...over,
  };
}

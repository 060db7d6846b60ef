/** What a proposal says of its session and its review where there were none: it comes from a folder, a file or comments. */
import type { Proposal } from "./proposal/proposal.ts";
import type { Usage } from "./review/reviewer.ts";

/** @param from `agent`: what stands in an agent's place, `in-place` or `apply` */
export function withoutSession(
  from: Pick<Proposal["session"], "id" | "agent" | "digest">,
): Proposal["session"] {
  const { id, agent, digest } = from;
  return { id, agent, agentVersion: null, model: null, digest, toolCallCount: 0 };
}

/** No reviewer worked, no model was asked. @param reviewer what stands in its place */
export function withoutReview(reviewer: string): Usage {
  return {
    reviewer,
    model: null,
    turns: 0,
    inputTokens: 0,
    outputTokens: 0,
    requestBytes: 0,
    durationMs: 0,
    incomplete: false,
  };
}

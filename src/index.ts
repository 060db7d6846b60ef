/**
 * The library: `import { review, verify } from "skillpr"`. What stands here keeps its meaning;
 * everything else is inside.
 */
export { type Config, resolveConfig } from "./core/config.ts";
export { SkillprError } from "./core/errors.ts";
export { openRepository, type Repository } from "./git/repository.ts";
export type { Outcome } from "./outcome.ts";
export { review } from "./pipeline.ts";
export type { Proposal } from "./proposal/proposal.ts";
export {
  accept,
  listProposals,
  publishFolder,
  reject,
  showProposal,
  verifyRange,
} from "./proposals.ts";
export { offlineReviewer } from "./review/offline/offline-reviewer.ts";
export type { Reviewer, ReviewInput, ReviewResult, Usage } from "./review/reviewer.ts";
export type { Run } from "./run.ts";
export { readTemplate } from "./templates.ts";
export type { Session, ToolCall, Turn } from "./transcript/session.ts";
export type { Change, VerifyInput } from "./verify/change.ts";
export type { Finding } from "./verify/finding.ts";
export { verify } from "./verify/verify.ts";

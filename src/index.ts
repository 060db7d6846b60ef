/**
 * The library: `import { review, verify } from "skillpr"`. What stands here keeps its meaning;
 * everything else is inside.
 */
export { type Config, resolveConfig } from "./core/config.ts";
export { SkillprError } from "./core/errors.ts";
export { AUTO_SKILL_THRESHOLD } from "./core/limits.ts";
export type { Verdict } from "./gate/decide.ts";
export { openRepository, type Repository } from "./git/repository.ts";
export type { Workspace } from "./git/workspace.ts";
export type { Outcome } from "./outcome.ts";
export { review } from "./pipeline.ts";
export type { Proposal } from "./proposal/proposal.ts";
export {
  accept,
  listProposals,
  reject,
  showProposal,
} from "./proposals.ts";
export type { Receipt } from "./publish/publish-to-branch.ts";
export { publishFolder, publishFolder as publish } from "./publish-sealed.ts";
export { autoSkillReviewer } from "./review/auto-skill-reviewer.ts";
export { offlineReviewer } from "./review/offline/offline-reviewer.ts";
export { createSkillScopedPolicy, type SkillScopedPolicyOptions } from "./review/policy.ts";
export type { Reviewer, ReviewInput, ReviewResult, Usage } from "./review/reviewer.ts";
export {
  type SkillbookReviewer,
  skillbookReviewer,
} from "./review/skillbook/skillbook-reviewer.ts";
export type { Policy, PolicyCall } from "./review/tool.ts";
export {
  findSkillReviewTask,
  listSkillReviewTasks,
  type MemoryTaskType,
  type SkillReviewTask,
} from "./review-tasks.ts";
export type { Run } from "./run.ts";
export {
  type ScheduleSkillReviewParams,
  type SkillReviewScheduleResult,
  scheduleSkillReview,
} from "./schedule-skill-review.ts";
export { type AppliedUpdate, type ApplyOptions, applyUpdate } from "./skills/apply-update.ts";
export { type ImportResult, importSkillbook } from "./skills/import-skillbook.ts";
export type { BatchProblem, Operation, UpdateBatch } from "./skills/operation.ts";
export type { SkillFile as Skill } from "./skills/skill-file.ts";
export {
  EMPTY_SKILLBOOK,
  parseSkillbook,
  renderSkillbook,
  type Skillbook,
  type Strategy,
} from "./skills/skillbook.ts";
export { renderSkillbookFiles } from "./skills/skillbook-files.ts";
export { type ParsedUpdateBatch, parseUpdateBatch } from "./skills/update-batch.ts";
export { readTemplate } from "./templates.ts";
export type { Content } from "./transcript/from-contents.ts";
export type { Session, ToolCall, Turn } from "./transcript/session.ts";
export type { Change, VerifyInput } from "./verify/change.ts";
export type { Finding } from "./verify/finding.ts";
export { verify } from "./verify/verify.ts";
export { verifyRange } from "./verify-range.ts";

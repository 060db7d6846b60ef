/** What `skillpr apply` works with, without a process of its own. */
import { type ApplyRun, applyBatch } from "../../src/apply-batch.ts";
import { DEFAULT_RULE_LEVELS } from "../../src/core/rule-levels.ts";
import { openRepository } from "../../src/git/repository.ts";
import type { PullRequests } from "../../src/publish/pull-requests.ts";
import type { SkillbookOutcome } from "../../src/skillbook-outcome.ts";
import { readTemplate } from "../../src/templates.ts";

export interface ApplyIn {
  /** As a pull request. */
  readonly pullRequests?: PullRequests;
  /** Only sealed, there. */
  readonly outDir?: string;
  readonly onNote?: (note: string) => void;
}

/** Applies operations in a clone whose base is `main`. */
export async function applyIn(
  dir: string,
  operations: readonly object[],
  { pullRequests, outDir, onNote = () => {} }: ApplyIn = {},
): Promise<SkillbookOutcome> {
  const run: ApplyRun = {
    repository: await openRepository(dir),
    config: {
      base: "main",
      publish: outDir === undefined ? (pullRequests === undefined ? "branch" : "pr") : "none",
      rules: DEFAULT_RULE_LEVELS,
      skillsRoot: ".qwen/skills",
    },
    pullRequests,
    credentials: [],
    messageTemplate: readTemplate("skillbook-commit-message.txt"),
    dryRun: false,
    outDir: outDir ?? null,
    onStep: () => {},
    onNote,
  };
  const text = JSON.stringify({ reasoning: "Seen twice.", operations });
  return applyBatch({ name: "stdin", text }, run);
}

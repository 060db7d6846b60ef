/** From a reviewer's name to the reviewer. */
import type { ReviewerName } from "./core/choices.ts";
import { SkillprError } from "./core/errors.ts";
import { autoSkillReviewer } from "./review/auto-skill-reviewer.ts";
import { type ModelSettings, requireModel } from "./review/model-settings.ts";
import { offlineReviewer } from "./review/offline/offline-reviewer.ts";
import {
  type SkillbookReviewer,
  skillbookReviewer,
} from "./review/skillbook/skillbook-reviewer.ts";
import type { RevisingRun } from "./revise.ts";
import type { Run } from "./run.ts";
import { readTemplate } from "./templates.ts";

export interface ReviewerOptions {
  readonly model: ModelSettings;
  /** Every model request and response is written there, redacted; null: nowhere. */
  readonly modelLogDir?: string | null;
}

/** Nothing is connected yet: a session that the gate skips needs no model, and makes no request. */
export function chooseReviewer(name: ReviewerName, options: ReviewerOptions): Run["reviewer"] {
  if (name === "offline") return offlineReviewer;
  if (name === "skillbook") return skillbookReviewerOf(options);
  return autoSkillReviewer({
    model: () => requireModel(options.model),
    modelLogDir: options.modelLogDir ?? null,
    templates: {
      system: readTemplate("review/system.md"),
      task: readTemplate("review/task.md"),
      revise: readTemplate("review/revise.md"),
      texts: readTemplate("review/texts.md"),
    },
  });
}

function skillbookReviewerOf({ model, modelLogDir }: ReviewerOptions): SkillbookReviewer {
  const read = (name: string) => readTemplate(`review/skillbook/${name}.md`);
  return skillbookReviewer({
    model: () => requireModel(model),
    modelLogDir: modelLogDir ?? null,
    templates: {
      reflector: read("reflector"),
      reflectorTask: read("reflector-task"),
      manager: read("manager"),
      managerTask: read("manager-task"),
      texts: read("texts"),
    },
  });
}

/** @throws SkillprError `config` for a reviewer that can't follow words */
export function requireEditor(reviewer: Run["reviewer"]): RevisingRun["reviewer"] {
  if (!("learn" in reviewer) && reviewer.name !== "offline") return reviewer;
  throw new SkillprError(
    "config",
    `the reviewer ${reviewer.name} can't work comments in: that needs a model that edits`,
    "use --reviewer auto-skill (in a workflow: the input reviewer, or `reviewer` in .skillpr.yml)",
  );
}

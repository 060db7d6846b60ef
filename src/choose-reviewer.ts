/** From a reviewer's name to the reviewer. */
import type { ReviewerName } from "./core/config.ts";
import { SkillprError } from "./core/errors.ts";
import { autoSkillReviewer } from "./review/auto-skill-reviewer.ts";
import { type ModelSettings, requireModel } from "./review/model-settings.ts";
import { offlineReviewer } from "./review/offline/offline-reviewer.ts";
import type { Reviewer } from "./review/reviewer.ts";
import { readTemplate } from "./templates.ts";

export interface ReviewerOptions {
  readonly model: ModelSettings;
  /** Every model request and response is written there, redacted; null: nowhere. */
  readonly modelLogDir?: string | null;
}

/**
 * Nothing is connected yet: a session that the gate skips needs no model, and makes no request.
 * @throws SkillprError `usage` for a reviewer that this version doesn't have
 */
export function chooseReviewer(name: ReviewerName, options: ReviewerOptions): Reviewer {
  if (name === "offline") return offlineReviewer;
  if (name === "skillbook") {
    throw new SkillprError(
      "usage",
      `the reviewer "${name}" is not in this version`,
      "use --reviewer auto-skill or offline",
    );
  }
  return autoSkillReviewer({
    model: () => requireModel(options.model),
    modelLogDir: options.modelLogDir ?? null,
    templates: {
      system: readTemplate("review/system.md"),
      task: readTemplate("review/task.md"),
      texts: readTemplate("review/texts.md"),
    },
  });
}

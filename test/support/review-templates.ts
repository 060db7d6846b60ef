/** The texts of `templates/review/`, as a review has them. */
import { readFileSync } from "node:fs";
import type { ReviewTemplates } from "../../src/review/prompt.ts";
import { reviewTexts } from "../../src/review/review-texts.ts";

const read = (name: string) =>
  readFileSync(new URL(`../../templates/review/${name}`, import.meta.url), "utf8");

export const TEMPLATES: ReviewTemplates = {
  system: read("system.md"),
  task: read("task.md"),
  revise: read("revise.md"),
  texts: read("texts.md"),
};
export const TEXTS = reviewTexts(TEMPLATES.texts);

/** The skills that Qwen Code itself brings along: data, as its package holds them. */

/** The release that the names were taken from; `npm run test:qwen` compares them with the installed one. */
export const BUNDLED_SKILLS_VERSION = "0.24.4";

/**
 * A project's skill is loaded instead of a bundled one of the same name, without a word, so a new
 * skill must not take one of these.
 */
export const BUNDLED_SKILLS: ReadonlySet<string> = new Set([
  "batch",
  "browser-use",
  "computer-use",
  "coordinate",
  "dataviz",
  "extension-creator",
  "goal-draft",
  "loop",
  "new-app",
  "qc-helper",
  "review",
  "simplify",
  "stuck",
  "workflow-authoring",
  "workflow-creator",
  "zvec-grep-install",
]);

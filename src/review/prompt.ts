/** The two messages that a review begins with: fixed words from `templates/review/`, filled in by code. */
import { fill } from "../core/fill.ts";
import { PROMPT_DESCRIPTION_MAX_CHARS, PROMPT_SKILLS_MAX } from "../core/limits.ts";
import { count, cut, safeLine } from "../core/text.ts";
import { renderSkillFile } from "../skills/skill-file.ts";
import { render } from "../transcript/render.ts";
import { TRANSCRIPT_PATH } from "./paths.ts";
import { type ReviewTexts, reviewTexts } from "./review-texts.ts";
import type { DeclinedSkill, ExistingSkill, InPlaceSkill, ReviewInput } from "./reviewer.ts";

/** The texts of `templates/review/`, with `{name}` where something is filled in. */
export interface ReviewTemplates {
  readonly system: string;
  readonly task: string;
  /** The task where comments on a proposal are worked in. */
  readonly revise: string;
  /** See review-texts.ts. */
  readonly texts: string;
}

export interface ReviewPrompt {
  readonly system: string;
  readonly task: string;
}

/**
 * @param input of it the session, the existing and declined skills, and how skills are written here
 * @returns the same bytes for the same input
 */
export function reviewPrompt(
  templates: ReviewTemplates,
  input: Pick<
    ReviewInput,
    | "session"
    | "newFrom"
    | "existing"
    | "declined"
    | "inPlace"
    | "skillsRoot"
    | "projectRoot"
    | "extractedAt"
    | "marker"
    | "maxTurns"
    | "revising"
  >,
): ReviewPrompt {
  const { text, isWhole } = render(input.session);
  const texts = reviewTexts(templates.texts);
  const { newFrom, revising } = input;
  const common = { skillsRoot: input.skillsRoot, transcript: TRANSCRIPT_PATH };
  return {
    system: fill(templates.system, {
      ...common,
      frontmatter: exampleFrontmatter(input),
      extractedAt: input.extractedAt,
      maxTurns: String(input.maxTurns),
    }),
    task: fill(revising === undefined ? templates.task : templates.revise, {
      ...common,
      skill: revising?.skill ?? "",
      agent: cut(safeLine(input.session.agent), PROMPT_DESCRIPTION_MAX_CHARS),
      projectRoot: cut(safeLine(input.projectRoot), PROMPT_DESCRIPTION_MAX_CHARS),
      extent: texts(isWhole ? "extent.whole" : "extent.shortened", common),
      fence: fenceFor(text),
      session: text,
      // An empty one leaves no gap behind.
      grown: newFrom === null ? "" : `${texts("grown", { newFrom })}\n\n`,
      skills: [
        skillList(input.existing, input.skillsRoot, texts),
        ...inPlaceList(input.inPlace ?? [], texts),
      ].join("\n"),
      declined: declinedList(input.declined, texts),
    }),
  };
}

/** A line that doesn't occur in the text, so that nothing in the text can end it. */
export function fenceFor(text: string): string {
  const taken = new Set([...text.matchAll(/===== session data (\d+) =====/g)].map(([, n]) => n));
  let number = 1;
  while (taken.has(String(number))) number += 1;
  return `===== session data ${number} =====`;
}

function exampleFrontmatter({
  extractedAt,
  marker,
}: Pick<ReviewInput, "extractedAt" | "marker">): string {
  return renderSkillFile({
    name: "release-flow",
    description: "What it does, and when to use it.",
    version: "1.0.0",
    extractedAt,
    marker,
    body: "",
  }).trimEnd();
}

function skillList(
  existing: readonly ExistingSkill[],
  skillsRoot: string,
  texts: ReviewTexts,
): string {
  if (existing.length === 0) return texts("skills.none");
  const lines = existing.slice(0, PROMPT_SKILLS_MAX).map((skill) => {
    const owner = skill.isAutoSkill ? "auto-skill: may be updated" : "a person's: never touch it";
    const state = skill.isOpenProposal ? ", still a proposal that waits for approval" : "";
    const name = skill.name === skill.folder ? "" : ` named ${quoted(skill.name)}`;
    const said = (skill.said ?? []).map((words) => `\n  - said about it: ${quoted(words)}`);
    return `- ${safeLine(skill.folder)}${name} (${owner}${state}): ${quoted(skill.description)}${said.join("")}`;
  });
  const left = existing.length - lines.length;
  if (left > 0) lines.push(texts("skills.more", { left: String(left), skillsRoot }));
  const folders = count(existing.length, "folder");
  return [texts("skills.some", { folders, skillsRoot }), ...lines].join("\n");
}

/** Nothing where there is none: most projects have no such skill. */
function inPlaceList(inPlace: readonly InPlaceSkill[], texts: ReviewTexts): string[] {
  if (inPlace.length === 0) return [];
  const lines = inPlace.slice(0, PROMPT_SKILLS_MAX).map(({ path, folder, name, description }) => {
    const called = name === folder ? "" : ` named ${quoted(name)}`;
    return `- ${safeLine(path)}${called} (in place, not committed): ${quoted(description)}`;
  });
  return [texts("skills.in-place"), ...lines];
}

function declinedList(declined: readonly DeclinedSkill[], texts: ReviewTexts): string {
  if (declined.length === 0) return texts("declined.none");
  const lines = declined.slice(-PROMPT_SKILLS_MAX).map(({ folder, reason }) => {
    const why = reason === null ? texts("declined.no-reason") : quoted(reason);
    return `- ${safeLine(folder)}: ${why}`;
  });
  return [texts("declined.some"), ...lines].join("\n");
}

/** Foreign words as one JSON string: where they begin and end is beyond doubt. */
function quoted(text: string): string {
  return JSON.stringify(cut(safeLine(text), PROMPT_DESCRIPTION_MAX_CHARS));
}

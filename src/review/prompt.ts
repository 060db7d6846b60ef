/** The two messages that a review begins with: fixed words from `templates/review/`, filled in by code. */
import { PROMPT_DESCRIPTION_MAX_CHARS, PROMPT_SKILLS_MAX } from "../core/limits.ts";
import { count, cut, safeLine } from "../core/text.ts";
import { renderSkillFile } from "../skills/skill-file.ts";
import { render } from "../transcript/render.ts";
import { TRANSCRIPT_PATH } from "./paths.ts";
import type { DeclinedSkill, ExistingSkill, ReviewInput } from "./reviewer.ts";

/** The texts of `templates/review/`, with `{name}` where something is filled in. */
export interface ReviewTemplates {
  readonly system: string;
  readonly task: string;
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
    | "existing"
    | "declined"
    | "skillsRoot"
    | "projectRoot"
    | "extractedAt"
    | "marker"
    | "maxTurns"
  >,
): ReviewPrompt {
  const { text, isWhole } = render(input.session);
  const common = { skillsRoot: input.skillsRoot, transcript: TRANSCRIPT_PATH };
  return {
    system: fill(templates.system, {
      ...common,
      frontmatter: exampleFrontmatter(input),
      extractedAt: input.extractedAt,
      maxTurns: String(input.maxTurns),
    }),
    task: fill(templates.task, {
      ...common,
      agent: cut(safeLine(input.session.agent), PROMPT_DESCRIPTION_MAX_CHARS),
      projectRoot: cut(safeLine(input.projectRoot), PROMPT_DESCRIPTION_MAX_CHARS),
      extent: isWhole ? "It is given whole." : SHORTENED,
      fence: fenceFor(text),
      session: text,
      skills: skillList(input.existing, input.skillsRoot),
      declined: declinedList(input.declined),
    }),
  };
}

const SHORTENED = `It is shortened: long texts are cut in the middle, images and repeated results are left out, and uneventful stretches are folded into a line each (\`t12–t40: 29 turns, 31 calls, no failures [folded]\`). All of it is at ${TRANSCRIPT_PATH} (if that is too large for the shell, also in parts beside it): look there for what you need, and before you conclude that something did not happen.`;

/** One pass over the template alone: what is filled in is not looked at again. */
function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
  );
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

function skillList(existing: readonly ExistingSkill[], skillsRoot: string): string {
  if (existing.length === 0) return "The project has no skill yet.";
  const lines = existing.slice(0, PROMPT_SKILLS_MAX).map((skill) => {
    const owner = skill.isAutoSkill ? "auto-skill: may be updated" : "a person's: never touch it";
    const state = skill.isOpenProposal ? ", still a proposal that waits for approval" : "";
    const name = skill.name === skill.folder ? "" : ` named ${quoted(skill.name)}`;
    return `- ${safeLine(skill.folder)}${name} (${owner}${state}): ${quoted(skill.description)}`;
  });
  const left = existing.length - lines.length;
  if (left > 0) lines.push(`- and ${left} more: see \`ls ${skillsRoot}\``);
  return [
    `Existing skills (${count(existing.length, "folder")} in ${skillsRoot}/):`,
    ...lines,
  ].join("\n");
}

function declinedList(declined: readonly DeclinedSkill[]): string {
  if (declined.length === 0) return "No proposal was declined so far.";
  const lines = declined.slice(-PROMPT_SKILLS_MAX).map(({ folder, reason }) => {
    const why = reason === null ? "no reason given" : quoted(reason);
    return `- ${safeLine(folder)}: ${why}`;
  });
  return ["A person declined these proposals. Do not propose the same again:", ...lines].join("\n");
}

/** Foreign words as one JSON string: where they begin and end is beyond doubt. */
function quoted(text: string): string {
  return JSON.stringify(cut(safeLine(text), PROMPT_DESCRIPTION_MAX_CHARS));
}

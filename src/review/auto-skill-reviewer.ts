/**
 * The reviewer `auto-skill`: an agent with five tools, in the loop of agent-loop.ts, over any
 * OpenAI-compatible model. What it may see and touch is decided by the tools and the policy, not by
 * its prompt.
 */
import { SKILL_FILE_NAME } from "../skills/skill-path.ts";
import { sessionText } from "../transcript/session-text.ts";
import { type LoopResult, runAgentLoop } from "./agent-loop.ts";
import { connectModel, type ModelAccess } from "./connect-model.ts";
import { startDeadline } from "./deadline.ts";
import { createFileView } from "./file-view.ts";
import type { ModelClient } from "./model.ts";
import { createReviewPolicy } from "./policy.ts";
import { type ReviewTemplates, reviewPrompt } from "./prompt.ts";
import { reviewTexts } from "./review-texts.ts";
import type { Reviewer, ReviewInput, ReviewNote, ReviewResult } from "./reviewer.ts";
import { openSkillFolder, type SkillFolder } from "./skill-folder.ts";
import { createTools } from "./tools.ts";
import { whyLearned } from "./why-learned.ts";

const NAME = "auto-skill";

export interface AutoSkillOptions extends ModelAccess {
  /** The texts of `templates/review/`. */
  readonly templates: ReviewTemplates;
}

/**
 * @returns the reviewer; its review() fails with `config` (no model), `model` (the server, the time)
 *   or `interrupted`
 */
export function autoSkillReviewer(options: AutoSkillOptions): Reviewer {
  return { name: NAME, review: (input) => review(input, options) };
}

async function review(input: ReviewInput, options: AutoSkillOptions): Promise<ReviewResult> {
  using deadline = startDeadline(input.timeoutMs, input.signal);
  const client = await connectModel(options, input);
  const skillFolder = openSkillFolder(input.skillsDir);
  const { project, skillsRoot, skillsDir, history, links } = input;
  const projectRoot = (await input.locateProject?.()) ?? input.projectRoot;
  const transcript = input.transcript ?? (() => sessionText(input.session, null));
  const view = createFileView({
    project,
    projectRoot,
    skillsRoot,
    skillFolder,
    transcript,
    links,
    redact: input.redact,
  });
  const written = new Set<string>();
  const texts = reviewTexts(options.templates.texts);
  const { system, task } = reviewPrompt(options.templates, {
    ...input,
    ...(await withoutSecrets(input)),
    projectRoot,
  });
  const result = await runAgentLoop({
    model: client,
    tools: createTools({
      view,
      skillFolder,
      history,
      texts,
      check: (folder) => {
        written.add(folder);
        return input.check(folder);
      },
    }),
    policy: createReviewPolicy({ view, skillsDir, links, only: input.revising?.skill }),
    finalize: input.redact,
    system,
    messages: [{ role: "user", content: task }],
    texts,
    maxTurns: input.maxTurns,
    signal: deadline.signal,
  });
  const lastWords = await input.redact(result.finalText);
  const notes = await notesOn([...written], input, skillFolder, lastWords);
  return { notes, usage: usageOf(client, result), lastWords };
}

/** Descriptions and reasons are written by people, in files that nobody has looked through. */
async function withoutSecrets({ existing, declined, redact }: ReviewInput) {
  const cleanSkills = existing.map(async (skill) => ({
    ...skill,
    folder: await redact(skill.folder),
    name: await redact(skill.name),
    description: await redact(skill.description),
    said: await Promise.all((skill.said ?? []).map(redact)),
  }));
  const cleanDeclined = declined.map(async (one) => ({
    ...one,
    folder: await redact(one.folder),
    reason: one.reason === null ? null : await redact(one.reason),
    description: one.description === null ? null : await redact(one.description),
  }));
  return { existing: await Promise.all(cleanSkills), declined: await Promise.all(cleanDeclined) };
}

/** Why each skill was learned; the model's own words go through redaction like everything of its. */
async function notesOn(
  folders: readonly string[],
  input: ReviewInput,
  skillFolder: SkillFolder,
  lastWords: string,
): Promise<ReviewNote[]> {
  const notes: ReviewNote[] = [];
  for (const folder of folders.toSorted()) {
    const read = await skillFolder.read(`${folder}/${SKILL_FILE_NAME}`);
    const why = whyLearned(input.session, read.ok ? read.text : "", lastWords);
    notes.push({ skill: folder, why });
  }
  return notes;
}

function usageOf(client: ModelClient, result: LoopResult): ReviewResult["usage"] {
  const { turns, inputTokens, outputTokens, requestBytes, parts, end } = result;
  return {
    reviewer: NAME,
    model: client.name,
    turns,
    inputTokens,
    outputTokens,
    requestBytes,
    parts,
    incomplete: end === "max_turns",
  };
}

/** `review --reviewer skillbook` of the built program on a small project, and what a scripted model says. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Skillbook } from "../../src/skills/skillbook.ts";
import { ADD } from "../skills/skillbook-samples.ts";
import { modelEnvironment } from "./auto-skill.ts";
import { DEMO_SESSION, runCli } from "./built-cli.ts";
import type { ScriptedModel, Turn } from "./scripted-model.ts";
import { type TemporaryRepository, temporaryRepository } from "./temp-repository.ts";

export const BRANCH = "auto-skill/skillbook";
export const FILE = ".qwen/skills/skillbook/skillbook.json";
const FLAGS = ["--reviewer", "skillbook", "--json"];

export async function project(): Promise<TemporaryRepository> {
  return temporaryRepository({ files: { "README.md": "# Project\n" } });
}

export function review(
  repository: TemporaryRepository,
  model: Pick<ScriptedModel, "url">,
  transcripts: readonly string[],
  ...flags: string[]
) {
  return runCli(repository, ["review", ...transcripts, ...FLAGS, ...flags], {
    env: modelEnvironment(model),
  });
}

/** The demo's session under another id, with one more message of the agent's. */
export function sessionSaying(repository: TemporaryRepository, id: string, words: string): string {
  const lines = readFileSync(DEMO_SESSION, "utf8").trimEnd().split("\n");
  const last = JSON.parse(lines.at(-1) ?? "{}");
  const said = {
    ...last,
    uuid: `${id}-last`,
    parentUuid: last.uuid,
    type: "assistant",
    message: { role: "model", parts: [{ text: words }] },
  };
  const path = join(repository.home, `${id}.jsonl`);
  const all = [...lines, JSON.stringify(said)].map((line) => {
    return JSON.stringify({ ...JSON.parse(line), sessionId: id });
  });
  writeFileSync(path, `${all.join("\n")}\n`);
  return path;
}

export function reflected(...learnings: object[][]): Turn {
  const reflections = learnings.map((list, session) => ({
    session,
    reasoning: "A check failed, then passed.",
    worked: [],
    failed: [],
    learnings: list,
    marks: [],
  }));
  return JSON.stringify({ reflections });
}

export const LEARNING = {
  section: "context",
  issue: ADD.issue,
  insight: ADD.insight,
  evidence: "t1",
};
export const managed = (...operations: object[]): Turn =>
  JSON.stringify({ reasoning: "Seen to work.", operations });

export async function bookAt(repository: TemporaryRepository, ref: string): Promise<Skillbook> {
  return JSON.parse(await repository.git("show", `${ref}:${FILE}`));
}

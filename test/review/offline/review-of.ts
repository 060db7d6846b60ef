/** The offline reviewer at work in a temporary skills folder. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { offlineReviewer } from "../../../src/review/offline/offline-reviewer.ts";
import type { ReviewInput, ReviewResult } from "../../../src/review/reviewer.ts";
import { readMarker } from "../../../src/skills/marker.ts";
import { parseSkillFile } from "../../../src/skills/skill-file.ts";
import type { Session } from "../../../src/transcript/session.ts";
import { sessionOf, type TurnPart } from "./session-of.ts";

/** What ARC of session-of.ts is called. */
export const NAME = "npm-test-fails-src-cart";

let skillsDir = "";

/** Gives each test of a file an empty skills folder. */
export function useSkillsFolder(): void {
  beforeEach(() => {
    skillsDir = mkdtempSync(join(tmpdir(), "offline-reviewer-"));
  });
  afterEach(() => rmSync(skillsDir, { recursive: true, force: true }));
}

const unasked = (what: string) => () => {
  throw new Error(`the offline reviewer asked for ${what}`);
};

/** The session and the skills are all that it looks at. */
const UNASKED = {
  links: new Set<string>(),
  project: { list: unasked("the project"), read: unasked("the project") },
  history: { run: unasked("the history") },
  projectRoot: "/home/user/shop",
  check: unasked("the verifier"),
  redact: unasked("redaction"),
};

export function review(
  parts: readonly TurnPart[],
  over: Partial<ReviewInput> = {},
  session: Partial<Session> = {},
): Promise<ReviewResult> {
  return offlineReviewer.review({
    session: sessionOf(parts, session),
    newFrom: null,
    skillsDir,
    skillsRoot: ".qwen/skills",
    existing: [],
    declined: [],
    extractedAt: "2026-03-04T05:06:07Z",
    marker: "metadata",
    ...UNASKED,
    maxTurns: 8,
    timeoutMs: 1000,
    signal: new AbortController().signal,
    ...over,
  });
}

/** Names in the skills folder. */
export function folders(): string[] {
  return readdirSync(skillsDir);
}

export function removeSkill(folder: string): void {
  rmSync(join(skillsDir, folder), { recursive: true });
}

export function textOf(folder = NAME): string {
  return readFileSync(join(skillsDir, folder, "SKILL.md"), "utf8");
}

export function bodyOf(folder = NAME): string {
  const parsed = parseSkillFile(textOf(folder));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.skill.body;
}

/** Puts a skill into the workspace and lists it as the pipeline would. */
export function place(folder: string, text: string): ReviewInput["existing"][number] {
  mkdirSync(join(skillsDir, folder), { recursive: true });
  writeFileSync(join(skillsDir, folder, "SKILL.md"), text);
  const { isAutoSkill } = readMarker(text);
  return { folder, name: folder, description: "", isAutoSkill, isOpenProposal: false };
}

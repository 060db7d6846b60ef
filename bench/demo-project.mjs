// The project of the demo as a repository, and a skill that a scripted model writes about it.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./support.mjs";

/** A session of an agent that worked in the project. */
export const DEMO_SESSION = join(ROOT, "templates/demo/session.jsonl");

/**
 * The project in `home`, committed as it was before the session.
 *
 * @param {string} home
 * @param {NodeJS.ProcessEnv} env for git
 * @returns {{ dir: string, git: (...args: string[]) => Buffer }}
 */
export function demoRepository(home, env) {
  const dir = join(home, "parcels");
  mkdirSync(dir);
  cpSync(join(ROOT, "templates/demo/repository"), dir, { recursive: true });
  const git = (...args) => execFileSync("git", args, { cwd: dir, env });
  git("init", "--quiet", "--initial-branch=main");
  git("add", "--all");
  git("commit", "--quiet", "--message", "before the session");
  return { dir, git };
}

/** What `write_file` is called with for a skill of this name. */
export function labelSkill(name) {
  return { file_path: `.qwen/skills/${name}/SKILL.md`, content: textOf(name) };
}

const textOf = (name) => `---
name: ${name}
description: How to test the labels of shipments in case ${name}. Use when a test of the labels fails.
version: 1.0.0
metadata:
  source: auto-skill
  extracted_at: '2026-03-09T14:03:12.000Z'
---

# Labels

1. Run \`npm test\`.
2. Run \`npm test -- --seed 7\`.
`;

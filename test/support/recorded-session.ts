/**
 * The terminal session that the README holds, played again: the agent and skillpr's reviewer are one
 * scripted model. The agent does what the demo's session did, in the project as it was before.
 */
import { cpSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { PROJECT } from "./auto-skill.ts";
import { DEMO_SESSION, runCli } from "./built-cli.ts";
import { calls, completion, type ScriptedRequest } from "./scripted-model.ts";
import type { TemporaryRepository } from "./temp-repository.ts";

const ROOT = resolve(import.meta.dirname, "../..");

/** One line that was typed behind a `$`, and what stands below it. */
export interface Typed {
  readonly command: string;
  readonly shown: readonly string[];
}

/** What the README's block of a language under a heading says. */
export function recordedSession(heading = "## Without thinking of it"): readonly Typed[] {
  const readme = readFileSync(resolve(ROOT, "README.md"), "utf8");
  const section = readme.slice(readme.indexOf(`\n${heading}\n`));
  const [, block = ""] = /\n```console\n([\s\S]*?)\n```\n/.exec(section) ?? [];
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((text) => {
      const [command = "", ...shown] = text.trimEnd().split("\n");
      return { command, shown };
    });
}

/** What differs from run to run; columns are as wide as what stands in them. */
function settled(line: string): string {
  return line
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}\b|\b[0-9a-f]{8}-[0-9a-f]{2}…/g, "<session>")
    .replace(/\b[0-9a-f]{16}\b/g, "<job>")
    .replace(/\b[0-9a-f]{12}\b/g, "<commit>")
    .replace(/\b[0-9a-f]{7}\b/g, "<blob>")
    .replace(/ (?:now|\d+ min) /, " <age> ")
    .replace(/\S*\/parcels\b/g, "<parcels>")
    .replace(/ +/g, " ")
    .trimEnd();
}

/** The printed lines as the README shows them: what an `…` stands for is left out. */
export function asShown({ shown }: Typed, printed: string): { shown: string[]; printed: string[] } {
  const lines = printed.trimEnd().split("\n").map(settled);
  const wanted = shown.map(settled);
  const kept: string[] = [];
  let at = 0;
  for (const [index, line] of wanted.entries()) {
    if (line === "…") {
      const next = lines.indexOf(wanted[index + 1] ?? "", at);
      // At least one line, or the mark would stand for nothing.
      const end = index + 1 === wanted.length ? lines.length : next;
      kept.push(end > at ? "…" : "(nothing was left out here)");
      at = Math.max(at, end);
    } else {
      kept.push(lines[at] ?? "(no more lines)");
      at += 1;
    }
  }
  return { shown: wanted, printed: [...kept, ...lines.slice(at)] };
}

/** Runs `skillpr …` as it was typed; both streams, as a terminal shows them. */
export async function typed(
  repository: TemporaryRepository,
  command: string,
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  const [program, ...args] = command.split(" ");
  if (program !== "skillpr") throw new Error(`not skillpr: ${command}`);
  const { stdout, stderr } = await runCli(repository, args, { env });
  return stdout + stderr;
}

/** The project of the demo, in a repository whose folder is `parcels`. */
export async function putProject(repository: TemporaryRepository): Promise<void> {
  cpSync(resolve(ROOT, "templates/demo/repository"), repository.dir, { recursive: true });
  await repository.commit("before the session");
}

interface Part {
  readonly text?: string;
  readonly functionCall?: { id: string; name: string; args: Record<string, unknown> };
}

/** What the demo's agent said and did, in order. */
export function agentTurn(request: ScriptedRequest, dir: string) {
  const records = readFileSync(DEMO_SESSION, "utf8").replaceAll(PROJECT, dir).trim().split("\n");
  const turns = records
    .map((line) => JSON.parse(line) as { type: string; message?: { parts: Part[] } })
    .filter(({ type }) => type === "assistant")
    .map(({ message }) => message?.parts ?? []);
  const said = request.body.messages.filter(({ role }) => role === "assistant").length;
  const parts = turns[said] ?? [{ text: "Done." }];
  const toolCalls = parts.flatMap(({ functionCall: call }) =>
    call === undefined ? [] : [[call.name, call.args, call.id] as const],
  );
  const text = parts.map((part) => part.text ?? "").join("");
  return completion({ text: text === "" ? null : text, toolCalls });
}

/** The reviewer writes the skill and is done. */
export function reviewerTurn(request: ScriptedRequest) {
  if (request.body.messages.some(({ role }) => role === "tool")) return "Saved.";
  const file_path = ".qwen/skills/shared-test-state/SKILL.md";
  return calls(["write_file", { file_path, content: SKILL }]);
}

const SKILL = `---
name: shared-test-state
description: Finds state that test files share. Use when npm test fails although each test file passes on its own.
version: 1.0.0
metadata:
  source: auto-skill
  extracted_at: '2026-03-09T14:03:12.000Z'
---

# Test files that fail only together

\`npm test\` runs all files of \`test/\` in one process: they share what stands at the top of a module of \`src/\`.

1. Run each file alone: \`node --test test/shipments.test.js\`. When all pass, they share state.
2. Look for \`let\` at the top level of what they import, and make it a value of the caller.

## How to check

- \`npm test -- --seed 7\` and \`npm test -- --seed 42\` succeed: the order of the files doesn't matter.
`;

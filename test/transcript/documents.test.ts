/** Whoever looks for an agent finds it in the tables, with where it keeps its sessions. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { AGENT_STORES } from "../../src/transcript/agent-stores.ts";
import { FORMATS, TEXT_FORMATS } from "../../src/transcript/formats.ts";

const ROOT = join(import.meta.dirname, "../..");
const TABLES = ["README.md", "docs/transcripts.md"].map((name) => [name, rowsOf(name)] as const);

/** The agents of each row of the document's table of formats. */
function rowsOf(name: string): string {
  const lines = readFileSync(join(ROOT, name), "utf8").split("\n");
  const start = lines.findIndex((line) =>
    /^\| agent \| (?:format|what is read) \|.*where it keeps/.test(line),
  );
  expect(start).toBeGreaterThan(0);
  const length = lines.slice(start).findIndex((line) => !line.startsWith("|"));
  return lines
    .slice(start + 2, start + length)
    .map((line) => line.split("|")[1] ?? "")
    .join("\n");
}

const NAMES: Readonly<Record<string, RegExp>> = {
  "qwen-chat": /Qwen Code/,
  "qwen-headless": /Qwen Code/,
  "claude-code": /Claude Code/,
  "claude-headless": /Claude Code/,
  codex: /Codex CLI/,
  gemini: /Gemini CLI/,
  opencode: /OpenCode/,
  copilot: /GitHub Copilot CLI/,
  pi: /\bpi\b/,
  openclaw: /OpenClaw/,
  cline: /Cline/,
  "anthropic-messages": /Anthropic|others/,
  "openai-messages": /OpenAI|others/,
  atif: /Harbor/,
  "swe-agent": /SWE-agent/,
  openhands: /OpenHands/,
  hermes: /Hermes/,
  aider: /Aider/,
  specstory: /SpecStory/,
};

it.each(TABLES)("%s has a row for every format", (_, agents) => {
  const missing = [...FORMATS, ...TEXT_FORMATS].filter(
    ({ name }) => NAMES[name]?.test(agents) !== true,
  );
  expect(missing.map(({ name }) => name)).toEqual([]);
});

it.each(TABLES)("%s has a row for every store that is searched", (_, agents) => {
  expect(AGENT_STORES.map(({ agent }) => agent).filter((agent) => !agents.includes(agent))).toEqual(
    [],
  );
});

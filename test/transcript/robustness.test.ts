import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { SkillprError } from "../../src/core/errors.ts";
import { readTranscript } from "../../src/transcript/read-transcript.ts";
import type { Session } from "../../src/transcript/session.ts";
import { FIXTURES } from "./fixtures.ts";

const FILES = [
  "qwen-chat/arc.jsonl",
  "qwen-headless/run.json",
  "qwen-headless/stream.jsonl",
  "claude-code/session.jsonl",
  "openai-messages/list.json",
  "openai-messages/responses.json",
  "codex/rollout.jsonl",
  "codex/flat.jsonl",
  "gemini/session.json",
  "gemini/session.jsonl",
  "opencode/export.json",
  "opencode/run.jsonl",
  "copilot/events.jsonl",
  "pi/session.jsonl",
  "openclaw/session.jsonl",
  "anthropic-messages/list.json",
  "cline/api_conversation_history.json",
  "cline/xml.json",
];
/** One object that is the whole file: when its braces don't close, nothing of it is left. */
const DOCUMENTS = new Set(["gemini/session.json", "opencode/export.json"]);
const MUTATIONS_A_FILE = 120;

/** A small generator of pseudo-random numbers (mulberry32): the same seed gives the same mutations. */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

const VALUES = [
  "null",
  "[]",
  "{}",
  '""',
  "-1",
  "1e999",
  "true",
  '"\\ud800"',
  '"__proto__"',
  "[[[[{}]]]]",
];

function mutated(text: string, random: (below: number) => number): Buffer {
  let result = text;
  for (let round = random(3); round >= 0; round -= 1) {
    const at = random(result.length);
    const length = random(40);
    const tokens = [...result.matchAll(/"(?:\\.|[^"\\])*"|\d+|true|false|null/g)];
    const token = tokens[random(tokens.length)];
    const kind = random(6);
    if (kind === 0) result = result.slice(0, at);
    else if (kind === 1) result = result.slice(0, at) + result.slice(at + length);
    else if (kind === 2) result = result.slice(0, at) + result.slice(at - length);
    else if (kind === 3)
      result = result.slice(0, at) + '{}[]",:\\\n\0'[random(9)] + result.slice(at);
    else if (token !== undefined) {
      const value = VALUES[random(VALUES.length)] ?? "null";
      result = result.slice(0, token.index) + value + result.slice(token.index + token[0].length);
    }
  }
  const bytes = Buffer.from(result);
  if (random(4) === 0 && bytes.length > 0) bytes[random(bytes.length)] = random(256);
  return bytes;
}

function expectSound(session: Session): void {
  const calls = session.turns.flatMap((turn) => turn.toolCalls);
  expect(session.issuedToolCallCount).toBeLessThanOrEqual(calls.length);
  expect(session.toolCallCount + session.subagentToolCallCount).toBeLessThanOrEqual(calls.length);
  expect(session.turns.map((turn) => turn.id)).toEqual(session.turns.map((_, n) => `t${n + 1}`));
  for (const call of calls) {
    expect(typeof call.name).toBe("string");
    if (call.result !== null) expect(call.outcome).not.toBe("unknown");
  }
}

describe("damaged transcripts", () => {
  it.each(FILES)("become a Session or an input error: %s", async (name) => {
    const text = readFileSync(FIXTURES + name, "utf8");
    const random = generator(20260302);
    let read = 0;
    for (let n = 0; n < MUTATIONS_A_FILE; n += 1) {
      try {
        expectSound(await readTranscript({ kind: "bytes", name, bytes: mutated(text, random) }));
        read += 1;
      } catch (error) {
        if (!(error instanceof SkillprError) || error.code !== "input") throw error;
      }
    }
    // Most damage is small: a reader that refuses it all would be of no use.
    expect(read).toBeGreaterThan(MUTATIONS_A_FILE / (DOCUMENTS.has(name) ? 10 : 3));
  });
});

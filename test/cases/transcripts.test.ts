/** The transcripts of real agents beside the repository; without them this suite is skipped. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { SkillprError } from "../../src/core/errors.ts";
import { readTranscript } from "../../src/transcript/read-transcript.ts";
import { skillWrites } from "../../src/transcript/skill-writes.ts";

const CASES = fileURLToPath(new URL("../../../shared/cases/", import.meta.url));
const READ =
  /^(?:qwen|qwen-headless|claude-code|claude-headless|codex|gemini|gemini-jsonl|opencode|pi|openclaw|openai-messages|hermes|atif|swe-agent|openhands|aider|specstory)\/|^copilot\/cli-/;
/** What went wrong where it isn't what the format flags, and why. */
const WRONG: Readonly<Record<string, number>> = {
  // Its only flagged result belongs to a call that the file doesn't hold.
  "claude-code/fixture-jazzy-small.jsonl": 0,
  // Two results, each written twice.
  "claude-code/parent-with-subagents.agent-a07a9762b84dff5e9.jsonl": 2,
  // Gemini CLI calls a command that ended with an exit code a success.
  "gemini/chimdi-session-2026-04-03T14-52-e4aa4213.json": 7,
  "gemini/brexp-session-2025-11-05T09-29-8ab8a7c4.json": 2,
  // Telemetry flags the failures of sub-agents.
  "qwen/agents-only-500k.jsonl": 17,
  // Hermes and OpenClaw flag nothing: their tools answer `error` or `success: false`.
  "hermes/20260424_091841_a56cdb.jsonl": 20,
  "hermes/request_dump_20260424_010459.json": 9,
  "openclaw/example-16k.jsonl": 3,
  // A command's exit code, which Qwen Code 0.14 doesn't flag.
  "qwen/aborted-calls-500k.jsonl": 2,
};
/** Empty files stand among the agents' own. */
const EMPTY = /empty-0-bytes/;

const rows = existsSync(`${CASES}transcripts/EXPECTED.tsv`)
  ? readFileSync(`${CASES}transcripts/EXPECTED.tsv`, "utf8")
      .split("\n")
      .slice(1)
      .filter((line) => line !== "")
      .map((line) => line.split("\t"))
      .map(([file = "", agent = "", , calls = "", , failed = ""]) => ({
        file,
        agent,
        calls: Number(calls),
        failed: Number(failed),
      }))
  : [];

function read(file: string) {
  return readTranscript({ kind: "file", path: CASES + file });
}

describe.skipIf(rows.length === 0)("collected transcripts", () => {
  const own = rows.filter((row) => READ.test(row.file) && !EMPTY.test(row.file));
  const others = rows.filter((row) => !READ.test(row.file) || EMPTY.test(row.file));

  it.each(own)("counts the $calls calls of $file", async ({ file, agent, calls }) => {
    const session = await read(`transcripts/${file}`);
    expect([session.agent, session.issuedToolCallCount]).toEqual([agent, calls]);
  });

  it.each(own)("names $agent and finds what went wrong in $file", async (row) => {
    const session = await read(`transcripts/${row.file}`);
    // The dump of a request says nothing of who made it.
    if (row.agent !== "hermes") expect(session.agent).toBe(row.agent);
    const calls = session.turns.flatMap((turn) => turn.toolCalls);
    const wrong = calls.filter(
      (call) => call.outcome === "failure" || call.outcome === "cancelled",
    );
    expect(wrong.length).toBe(WRONG[row.file] ?? row.failed);
  });

  it.each(others)("refuses $file", async ({ file }) => {
    const reading = read(`transcripts/${file}`);
    await expect(reading).rejects.toBeInstanceOf(SkillprError);
    await expect(reading).rejects.toMatchObject({ code: "input" });
  });

  it("names what is no transcript", async () => {
    const reading = read("transcripts/negative/trajectory-json-not-a-transcript.json");
    await expect(reading).rejects.toThrow(
      "looks like a record of a search's or benchmark's iterations",
    );
  });

  it("finds the calls of sub-agents that only telemetry tells of", async () => {
    const session = await read("transcripts/qwen/agents-only-500k.jsonl");
    // 243 events, 13 of them repeat the main thread's own calls.
    expect(session.subagentToolCallCount).toBe(230);
  });
});

describe.skipIf(!existsSync(`${CASES}qwen-real`))("sessions recorded by Qwen Code", () => {
  const writes = { skillsRoot: ".qwen/skills", projectRoots: [] };

  it.each([
    ["arc.jsonl", 21, 3],
    ["arc-headless.json", 21, 3],
    ["low.jsonl", 2, 0],
    ["manual.jsonl", 21, 3],
  ])("counts %s", async (file, calls, failed) => {
    expect(await read(`qwen-real/${file}`)).toMatchObject({
      toolCallCount: calls,
      issuedToolCallCount: calls,
      failedToolCallCount: failed,
      notes: [],
    });
  });

  it("finds the skill that the agent itself wrote", async () => {
    expect(skillWrites(await read("qwen-real/manual.jsonl"), writes)).toEqual([
      { turn: expect.stringMatching(/^t\d+$/), path: ".qwen/skills/dates-in-utc/SKILL.md" },
    ]);
    expect(skillWrites(await read("qwen-real/arc.jsonl"), writes)).toEqual([]);
  });
});

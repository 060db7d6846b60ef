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
/** Here the flagged results repeat others, or belong to calls that the file doesn't hold. */
const STRAY_RESULTS = /^claude-code\/(?:fixture-jazzy|parent-with-subagents)/;
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
    // The column counts what the format flags; exit codes in texts tell of more.
    if (!STRAY_RESULTS.test(row.file)) expect(wrong.length).toBeGreaterThanOrEqual(row.failed);
  });

  it.each(others)("refuses $file", async ({ file }) => {
    const reading = read(`transcripts/${file}`);
    await expect(reading).rejects.toBeInstanceOf(SkillprError);
    await expect(reading).rejects.toMatchObject({ code: "input" });
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

import { expect, it } from "vitest";
import { commandRuns } from "../../src/transcript/command-runs.ts";
import { readFixture } from "./fixtures.ts";

it("lists the shell commands with turn and outcome", async () => {
  expect([...commandRuns(await readFixture("qwen-chat/arc.jsonl"))]).toEqual([
    { turn: "t2", command: "npm test", outcome: "failure", parts: [] },
    { turn: "t6", command: "npm test", outcome: "success", parts: [] },
  ]);
});

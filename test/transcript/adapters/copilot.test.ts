import { describe, expect, it } from "vitest";
import { callList, conversation, readFixture } from "../fixtures.ts";

const EVENTS = "copilot/events.jsonl";

describe("GitHub Copilot CLI sessions", () => {
  it("reads what was typed, not what the model was given of it", async () => {
    expect(conversation(await readFixture(EVENTS))).toEqual([
      "user: Sort the parcels.",
      "agent: I look at the code.",
      "user: Leave the test alone.",
      "agent: ",
      "explore: Looking.",
      "user: Keep it short.",
      "agent: ",
      "agent: Done.",
    ]);
  });

  it("counts a call once, whether a message asked for it or it just started", async () => {
    const session = await readFixture(EVENTS);
    expect(callList(session)).toEqual([
      "t1 bash failure",
      "t2 edit success",
      "t3 create cancelled",
      "t4 task success",
      "t5 bash unknown",
      "t6 view failure",
      "t8 bash success",
    ]);
    expect(session).toMatchObject({
      toolCallCount: 4,
      issuedToolCallCount: 7,
      subagentToolCallCount: 1,
      failedToolCallCount: 1,
    });
  });

  it("leaves out the commands that the user ran", async () => {
    const session = await readFixture(EVENTS);
    const commands = session.turns.flatMap((turn) => turn.toolCalls).map((call) => call.command);
    expect(commands).not.toContain("git status");
    expect(session.notes).toEqual([]);
  });

  it("reads exit codes, paths and steering", async () => {
    const { turns } = await readFixture(EVENTS);
    const calls = turns.flatMap((turn) => turn.toolCalls);
    expect(calls.map((call) => call.exitCode)).toEqual([1, null, null, null, null, null, 0]);
    expect(calls.flatMap((call) => call.writePaths)).toEqual(["src/parcels.js", "notes.md"]);
    expect(turns.filter((turn) => turn.midTurn).map((turn) => turn.text)).toEqual([
      "Leave the test alone.",
      "Keep it short.",
    ]);
  });

  it("names version, folder, branch and the last model", async () => {
    expect(await readFixture(EVENTS)).toMatchObject({
      id: "copilot-1",
      agent: "copilot",
      agentVersion: "1.0.64",
      cwd: "/home/user/parcels",
      branch: "main",
      model: "model-two",
    });
  });
});

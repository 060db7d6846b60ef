import { describe, expect, it } from "vitest";
import { callList, conversation, readFixture, readText } from "../fixtures.ts";

describe("OpenCode sessions", () => {
  it("reads an export without thoughts, synthetic text and summaries", async () => {
    expect(conversation(await readFixture("opencode/export.json"))).toEqual([
      "user: Sort the parcels.",
      "agent: I look at the code.",
      "agent: Done.",
      "user: Wrong way.",
      "agent: ",
    ]);
  });

  it("counts a call a part, also where ids were replaced by one word", async () => {
    const session = await readFixture("opencode/export.json");
    expect(callList(session)).toEqual([
      "prt_1 bash failure",
      "prt_2 bash success",
      "call_3 write cancelled",
      "call_4 edit failure",
      "call_5 apply_patch success",
      "call_6 bash unknown",
      "call_7 write success",
    ]);
    expect(session).toMatchObject({
      toolCallCount: 5,
      issuedToolCallCount: 7,
      failedToolCallCount: 2,
    });
  });

  it("names folder, version, model and times", async () => {
    expect(await readFixture("opencode/export.json")).toMatchObject({
      id: "ses_1",
      agent: "opencode",
      agentVersion: "1.2.24",
      cwd: "/home/user/parcels",
      model: "model-one",
      startedAt: expect.stringMatching(/^2026-03-02T10:/),
    });
  });

  it("reads exit codes and paths", async () => {
    const session = await readFixture("opencode/export.json");
    const calls = session.turns.flatMap((turn) => turn.toolCalls);
    expect(calls.map((call) => call.exitCode)).toEqual([1, 0, null, null, null, null, null]);
    expect(calls.flatMap((call) => call.writePaths)).toEqual([
      "notes.md",
      "none.js",
      "src/parcels.js",
      "wrong.md",
    ]);
  });

  it("marks what the user reverted", async () => {
    const { turns } = await readFixture("opencode/export.json");
    expect(turns.map((turn) => turn.rewound)).toEqual([false, false, false, true, true]);
  });

  it("knows a sub-agent's session by its parent", async () => {
    expect(await readFixture("opencode/sub-agent.json")).toMatchObject({
      toolCallCount: 0,
      subagentToolCallCount: 1,
      turns: [{ subagent: "explore" }, { subagent: "explore" }],
    });
  });

  it("takes a command that the user ran for the user's", async () => {
    const note = {
      type: "text",
      text: "The following tool was executed by the user",
      synthetic: true,
    };
    const run = {
      type: "tool",
      id: "p",
      callID: "c",
      tool: "bash",
      state: { status: "completed", input: { command: "git status" }, output: "clean" },
    };
    const messages = [
      { info: { role: "user" }, parts: [note] },
      { info: { role: "assistant" }, parts: [run] },
      { info: { role: "assistant" }, parts: [{ ...run, id: "q", callID: "d" }] },
    ];
    const session = await readText(JSON.stringify({ info: { id: "ses_9" }, messages }, null, 1));
    expect(conversation(session)).toEqual(["user: ! git status", "agent: "]);
    expect(session.toolCallCount).toBe(1);
  });

  it("reads the lines of a run", async () => {
    const session = await readFixture("opencode/run.jsonl");
    expect(session).toMatchObject({ id: "ses_3", toolCallCount: 1 });
    expect(conversation(session)).toEqual(["agent: I look at the code.", "agent: Done."]);
    expect(callList(session)).toEqual(["call_1 bash success"]);
  });
});

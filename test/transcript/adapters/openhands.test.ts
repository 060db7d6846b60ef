import { describe, expect, it } from "vitest";
import { callList, conversation, readFixture } from "../fixtures.ts";

describe("OpenHands sessions", () => {
  it("reads a list of events", async () => {
    const session = await readFixture("openhands/events.json");
    expect(session).toMatchObject({
      agent: "openhands",
      model: "model-eight",
      toolCallCount: 4,
      issuedToolCallCount: 6,
      failedToolCallCount: 1,
      startedAt: "2026-03-02T10:00:00.000Z",
    });
    expect(callList(session)).toEqual([
      "o1 execute_bash failure",
      "o2 str_replace_editor success",
      "o3 str_replace_editor success",
      "o4 execute_bash success",
      "o5 execute_bash cancelled",
      "o6 finish unknown",
    ]);
  });

  it("tells what the editor reads from what it writes", async () => {
    const session = await readFixture("openhands/events.json");
    const calls = session.turns.flatMap((turn) => turn.toolCalls);
    expect(calls.map((call) => call.kind)).toEqual([
      "shell",
      "read",
      "write",
      "shell",
      "shell",
      "other",
    ]);
    expect(calls[2]?.writePaths).toEqual(["/workspace/new.ts"]);
  });

  it("marks what the user said while a command ran", async () => {
    const session = await readFixture("openhands/events.json");
    expect(session.turns.filter((turn) => turn.midTurn).map((turn) => turn.text)).toEqual([
      "Use the port 8080.",
    ]);
  });

  it("reads evaluation output: events without ids, one after the other or in pairs", async () => {
    const session = await readFixture("openhands/output.jsonl");
    expect(session).toMatchObject({ toolCallCount: 3, issuedToolCallCount: 4 });
    expect(conversation(session)).toEqual([
      "user: Add a license.",
      "agent: I create it.",
      "agent: ",
      "agent: Done.",
      "user: Add a badge.",
      "agent: I look.",
    ]);
    expect(callList(session)).toEqual([
      "- run success",
      "- run_ipython success",
      "- finish unknown",
      "- run failure",
    ]);
    const calls = session.turns.flatMap((turn) => turn.toolCalls);
    expect(calls.map((call) => call.writePaths)).toEqual([
      ["LICENSE"],
      ["/workspace/README.md"],
      [],
      [],
    ]);
  });
});

describe("events of OpenHands' version 1", () => {
  it("pairs calls with their results, and tells how they ended", async () => {
    const session = await readFixture("openhands/events-v1.json");
    expect(callList(session)).toEqual([
      "call_1 terminal failure",
      "call_2 file_editor success",
      "call_3 file_editor success",
      "call_4 file_editor cancelled",
      "call_5 terminal success",
      "call_6 no_such_tool failure",
      "call_7 terminal success",
      "call_8 finish unknown",
    ]);
    expect(session).toMatchObject({
      agent: "openhands",
      toolCallCount: 6,
      issuedToolCallCount: 8,
      failedToolCallCount: 2,
      startedAt: "2026-03-02T10:00:00.000Z",
    });
  });

  it("tells kinds, exit codes and what was written", async () => {
    const session = await readFixture("openhands/events-v1.json");
    const calls = session.turns.flatMap((turn) => turn.toolCalls);
    expect(calls.map(({ kind }) => kind)).toEqual([
      "shell",
      "read",
      "edit",
      "write",
      "shell",
      "other",
      "shell",
      "other",
    ]);
    expect(calls.map(({ exitCode }) => exitCode)).toEqual([
      1,
      null,
      null,
      null,
      0,
      null,
      null,
      null,
    ]);
    expect(calls[2]?.writePaths).toEqual(["/home/user/parcels/src/parcels.js"]);
  });

  it("leaves out the system's prompt and the program's reminders", async () => {
    expect(conversation(await readFixture("openhands/events-v1.json"))).toEqual([
      "user: Sort the parcels.",
      "agent: I run the tests.",
      "agent: The order is wrong.",
      "agent: ",
      "agent: ",
      "agent: ",
      "agent: Sorted.",
      "agent: ",
      "agent: ",
    ]);
  });
});

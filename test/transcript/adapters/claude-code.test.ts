import { describe, expect, it } from "vitest";
import { callList, conversation, readFixture } from "../fixtures.ts";

describe("Claude Code sessions", () => {
  it("reads the user's words without what the program adds", async () => {
    const session = await readFixture("claude-code/session.jsonl");
    expect(conversation(session)).toEqual([
      "user: Sort the parcels.",
      "agent: I look at the code.",
      "agent: ",
      "user: Leave the test alone.",
      "agent: ",
      "agent: ",
      "user: And add a note.",
      "agent: ",
      "writer1: note",
      "writer1: ",
      "writer2: ",
      "user: Keep it short.",
      "agent: Done.",
    ]);
  });

  it("keeps every block of a message, each call once", async () => {
    const session = await readFixture("claude-code/session.jsonl");
    expect(session.turns[1]?.toolCalls.map((call) => call.id)).toEqual(["k1", "k2"]);
    expect(callList(session)).toEqual([
      "k1 Read success",
      "k2 Bash failure",
      "k3 Edit cancelled",
      "k4 Edit success",
      "k5 Bash success",
      "k6 Task unknown",
      "k7 Write cancelled",
      "k8 Write success",
      "k9 Read success",
    ]);
    expect(session).toMatchObject({
      toolCallCount: 4,
      issuedToolCallCount: 8,
      subagentToolCallCount: 2,
      failedToolCallCount: 1,
    });
  });

  it("knows steering: queued messages, and what follows an interruption", async () => {
    const session = await readFixture("claude-code/session.jsonl");
    expect(session.turns.filter((turn) => turn.midTurn).map((turn) => turn.text)).toEqual([
      "Leave the test alone.",
      "And add a note.",
      "Keep it short.",
    ]);
  });

  it("reads results, exit codes and the folder of a call", async () => {
    const session = await readFixture("claude-code/session.jsonl");
    const calls = new Map(
      session.turns.flatMap((turn) => turn.toolCalls).map((call) => [call.id, call]),
    );
    expect(calls.get("k1")?.result).toBe("line one");
    expect(calls.get("k2")?.exitCode).toBe(1);
    expect(calls.get("k5")).toMatchObject({ exitCode: 0, cwd: "/home/user/parcels/src" });
  });

  it("names the model and leaves out what is none", async () => {
    const session = await readFixture("claude-code/session.jsonl");
    expect(session).toMatchObject({ model: "model-two", branch: "main", agentVersion: "2.1.4" });
  });

  it("reads the web's log lines, with an id made from the bytes", async () => {
    const session = await readFixture("claude-code/web.json");
    expect(callList(session)).toEqual(["k1 Write success"]);
    expect(session.id).toBe(`claude-code-${session.digest.slice(7, 19)}`);
  });
});

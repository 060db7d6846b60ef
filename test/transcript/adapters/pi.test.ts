import { describe, expect, it } from "vitest";
import { callList, conversation, readFixture } from "../fixtures.ts";

describe("pi sessions", () => {
  it("reads every branch, without thoughts and summaries", async () => {
    expect(conversation(await readFixture("pi/session.jsonl"))).toEqual([
      "user: Sort the parcels.",
      "agent: I look at the code.",
      "user: Leave the test alone.",
      "agent: ",
      "agent: …",
      "user: Wrong way.",
      "agent: ",
      "user: Right way.",
      "user: ! git status",
      "agent: ",
      "agent: Done.",
    ]);
  });

  it("marks the branch that the user left, across a compaction", async () => {
    const { turns } = await readFixture("pi/session.jsonl");
    expect(turns.filter((turn) => turn.rewound).map((turn) => turn.id)).toEqual(["t6", "t7"]);
  });

  it("reads how calls ended", async () => {
    const session = await readFixture("pi/session.jsonl");
    expect(callList(session)).toEqual([
      "c1 bash failure",
      "c2 edit success",
      "c3 bash cancelled",
      "c4 write success",
      "c5 read failure",
    ]);
    expect(session).toMatchObject({
      id: "pi-1",
      agent: "pi",
      cwd: "/home/user/parcels",
      model: "model-one",
      toolCallCount: 4,
      failedToolCallCount: 2,
    });
    expect(session.turns[1]?.toolCalls[0]?.exitCode).toBe(1);
  });

  it("knows steering and what follows an interruption, and that going back is neither", async () => {
    const { turns } = await readFixture("pi/session.jsonl");
    expect(turns.filter((turn) => turn.midTurn).map((turn) => turn.text)).toEqual([
      "Leave the test alone.",
      "Wrong way.",
    ]);
  });

  it("reads files of old, without ids and without a version", async () => {
    const session = await readFixture("pi/old.jsonl");
    expect(conversation(session)).toEqual(["user: Sort the parcels.", "agent: "]);
    expect(callList(session)).toEqual(["c1 bash success"]);
  });
});

describe("OpenClaw sessions", () => {
  it("leaves out what the program says itself, and believes the details of a result", async () => {
    const session = await readFixture("openclaw/session.jsonl");
    expect(session).toMatchObject({ id: "claw-1", agent: "openclaw", failedToolCallCount: 2 });
    expect(conversation(session)).toEqual(["user: Sort the parcels.", "agent: "]);
    expect(session.turns[1]?.toolCalls.map((call) => call.exitCode)).toEqual([2, null]);
  });
});

import { describe, expect, it } from "vitest";
import { callList, conversation, readFixture, readText } from "../fixtures.ts";

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

  describe("going back", () => {
    const line = (uuid: string, parentUuid: string | null, more: object) =>
      JSON.stringify({ uuid, parentUuid, sessionId: "s1", ...more });
    const user = (uuid: string, parent: string | null, content: unknown, more = {}) =>
      line(uuid, parent, { type: "user", message: { role: "user", content }, ...more });
    const agent = (uuid: string, parent: string, id: string, block: object) =>
      line(uuid, parent, {
        type: "assistant",
        message: { id, role: "assistant", content: [block] },
      });
    const text = (words: string) => ({ type: "text", text: words });
    const call = (id: string) => ({ type: "tool_use", id, name: "Bash", input: { command: id } });
    const result = (id: string) => [{ type: "tool_result", tool_use_id: id, content: "ok" }];
    const rewound = async (...lines: string[]) =>
      (await readText(lines.join("\n"))).turns.map((turn) => turn.rewound);

    it("marks what came since the record that the user's next message follows", async () => {
      expect(
        await rewound(
          user("u1", null, "Sort the parcels."),
          agent("a1", "u1", "m1", text("I sort.")),
          user("u2", "a1", "Wrong way."),
          agent("a2", "u2", "m2", call("k1")),
          user("r1", "a2", result("k1")),
          agent("a3", "r1", "m3", text("Done wrong.")),
          user("u3", "a1", "Right way."),
          agent("a4", "u3", "m4", text("Done.")),
        ),
      ).toEqual([false, false, true, true, true, false, false]);
    });

    it("isn't what parallel calls, a compaction and a resumed session look like", async () => {
      expect(
        await rewound(
          user("u1", null, "Sort the parcels."),
          agent("a1", "u1", "m1", call("k1")),
          agent("a2", "a1", "m1", call("k2")),
          user("r1", "a1", result("k1")),
          user("r2", "a2", result("k2")),
          agent("a3", "r1", "m2", text("Both are done.")),
          line("b1", null, {
            type: "system",
            subtype: "compact_boundary",
            logicalParentUuid: "a3",
          }),
          user("c1", "b1", "A summary.", { isCompactSummary: true }),
          user("u2", "c1", "Go on."),
          agent("a4", "u2", "m3", text("I go on.")),
          user("u3", null, "Once more."),
          user("u4", "lost", "And again."),
        ),
      ).toEqual([false, false, false, false, false, false, false]);
    });

    it("leaves out the agent that sums up for a compaction", async () => {
      const session = await readText(
        [
          user("u1", null, "Sort the parcels."),
          user("u2", null, "Sum it up.", { isSidechain: true, agentId: "acompact-1" }),
        ].join("\n"),
      );
      expect(conversation(session)).toEqual(["user: Sort the parcels."]);
    });
  });
});

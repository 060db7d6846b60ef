import { describe, expect, it } from "vitest";
import { callList, conversation, readFixture } from "../fixtures.ts";

describe("Anthropic-style messages", () => {
  it.each(["list.json", "lines.jsonl", "request.json"])("reads %s", async (name) => {
    const session = await readFixture(`anthropic-messages/${name}`);
    expect(session).toMatchObject({
      agent: "anthropic-messages",
      format: "anthropic-messages",
      toolCallCount: 2,
      issuedToolCallCount: 3,
      failedToolCallCount: 1,
    });
    expect(conversation(session)).toEqual([
      "user: Sort the parcels.",
      "agent: I look at the code.",
      "user: Leave the test alone.",
      "agent: Done.",
    ]);
    expect(callList(session)).toEqual([
      "k1 bash failure",
      "k2 str_replace_based_edit_tool success",
      "k3 str_replace_based_edit_tool cancelled",
    ]);
  });

  it("tells creating from viewing in the text editor tool", async () => {
    const session = await readFixture("anthropic-messages/list.json");
    const calls = session.turns.flatMap((turn) => turn.toolCalls);
    expect(calls.map((call) => call.kind)).toEqual(["shell", "write", "read"]);
    expect(calls.flatMap((call) => call.writePaths)).toEqual(["notes.md"]);
  });

  it("takes model and time from the dump of a request", async () => {
    expect(await readFixture("anthropic-messages/request.json")).toMatchObject({
      model: "model-one",
      startedAt: expect.stringMatching(/^2026-03-02T/),
    });
  });
});

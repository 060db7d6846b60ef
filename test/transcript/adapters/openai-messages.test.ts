import { describe, expect, it } from "vitest";
import { UNNAMED_CALLS_WAITING_MAX } from "../../../src/core/limits.ts";
import { callList, conversation, readFixture, readText } from "../fixtures.ts";

describe("OpenAI-style messages", () => {
  it.each(["list.json", "document.json", "lines.jsonl"])("reads %s", async (name) => {
    const session = await readFixture(`openai-messages/${name}`);
    expect(session).toMatchObject({
      format: "openai-messages",
      toolCallCount: 6,
      failedToolCallCount: 3,
    });
    expect(callList(session)).toEqual([
      "o1 bash failure",
      "o2 write_file failure",
      "- bash success",
      "- read_file success",
      "o3 bash failure",
      "- bash success",
    ]);
  });

  it("keeps arguments that are no JSON, and takes objects as they are", async () => {
    const session = await readFixture("openai-messages/list.json");
    const calls = session.turns.flatMap((turn) => turn.toolCalls);
    expect(calls[1]?.args).toEqual({ _raw: '{"path": broken' });
    expect(calls[2]?.command).toBe("npm test");
  });

  it("leaves out system messages", async () => {
    const session = await readFixture("openai-messages/list.json");
    expect(conversation(session)[0]).toBe("user: Sort the parcels.");
  });

  it("takes session and model from a document", async () => {
    expect(await readFixture("openai-messages/document.json")).toMatchObject({
      id: "run-7",
      model: "model-three",
    });
  });

  it("counts every call where the format records no results", async () => {
    const session = await readFixture("openai-messages/no-results.jsonl");
    expect(session.toolCallCount).toBe(2);
    expect(callList(session)).toEqual(["o1 bash unknown", "o2 write_file unknown"]);
  });

  it.each(["request-dump.json", "logged-request.json"])(
    "reads the conversation in %s, with the answer where it was dumped too",
    async (name) => {
      const session = await readFixture(`openai-messages/${name}`);
      expect(session).toMatchObject({
        model: "model-one",
        toolCallCount: 1,
        startedAt: "2026-03-02T10:00:00.000Z",
      });
      const isAnswered = name === "request-dump.json";
      expect(conversation(session)).toEqual([
        "user: Sort the parcels.",
        "agent: I look.",
        ...(isAnswered ? ["agent: Done."] : []),
      ]);
    },
  );

  it.each(["responses.json", "responses-request.json"])(
    "reads items of the Responses API: %s",
    async (name) => {
      const session = await readFixture(`openai-messages/${name}`);
      expect(conversation(session)).toEqual(["user: Sort the parcels.", "agent: I look."]);
      expect(session.turns[1]?.toolCalls).toMatchObject([
        { id: "o1", outcome: "failure", exitCode: 1, result: "boom" },
      ]);
    },
  );

  it("refuses several requests in one file: each repeats the conversation before it", async () => {
    const dump = JSON.stringify({ messages: [{ role: "user", content: "Sort the parcels." }] });
    await expect(readText(`${dump}\n${dump}\n`)).rejects.toThrow(/data set of conversations/);
  });

  it("gives a result without an id to one of the last calls only, so that the time stays in bounds", async () => {
    const calls = Array.from({ length: UNNAMED_CALLS_WAITING_MAX + 1 }, () => ({
      role: "assistant",
      tool_calls: [{ function: { name: "bash", arguments: "{}" } }],
    }));
    const messages = [...calls, { role: "tool", name: "bash", content: "ok" }];
    const session = await readText(JSON.stringify(messages));
    const outcomes = session.turns.flatMap((turn) => turn.toolCalls).map((call) => call.outcome);
    expect(outcomes.slice(0, 3)).toEqual(["unknown", "success", "unknown"]);
  });
});

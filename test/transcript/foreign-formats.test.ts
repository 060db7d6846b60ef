import { describe, expect, it } from "vitest";
import { readText } from "./fixtures.ts";

const lines = (...records: object[]) => records.map((record) => JSON.stringify(record)).join("\n");
const text = (words: string) => [{ type: "text", text: words }];

describe("what is recognised and not read is named", () => {
  it.each([
    [
      "a Cursor session",
      lines(
        { role: "user", message: { content: text("<user_query>Sort.</user_query>") } },
        { role: "assistant", message: { content: text("Sorted.") } },
      ),
    ],
    [
      "a Cursor stream",
      lines({ type: "tool_call", subtype: "started", call_id: "c1", tool_call: {} }),
    ],
    [
      "a VS Code Copilot chat",
      lines({ requesterUsername: "user", responderUsername: "Copilot", requests: [] }),
    ],
    [
      "a Factory Droid session",
      lines(
        { type: "session_start", id: "s", version: 2, cwd: "/home/user/parcels" },
        { type: "message", id: "m", message: { role: "user", content: text("Sort.") } },
      ),
    ],
    ["a Kiro conversation", lines({ conversation_id: "", history: [{ user: {}, assistant: {} }] })],
    [
      "a Kimi session",
      lines({ type: "metadata", protocol_version: "1.4" }, { type: "config.update" }),
    ],
    [
      "a Grok session",
      lines({ type: "system", content: "You help." }, { type: "user", content: text("Sort.") }),
    ],
    [
      "a DeepSeek harness session",
      lines({ type: "session", version: 0, id: "s", createdAt: 1772445600000, cwd: "/parcels" }),
    ],
    [
      "a data set of conversations, not one session",
      JSON.stringify([{ conversations: [{ from: "human", value: "Sort." }], tools: "[]" }]),
    ],
    [
      "a data set of conversations, not one session",
      lines({ messages: [{ role: "user", content: "Sort." }] }, { messages: [] }),
    ],
    [
      "a session of Qwen Code's managed engine",
      lines({ type: "system", subtype: "managed_session_header_v1", sessionId: "s", uuid: "u" }),
    ],
  ])("%s", async (label, given) => {
    const reading = readText(given);
    await expect(reading).rejects.toThrow(`given.jsonl looks like ${label}, which skillpr does`);
    await expect(reading).rejects.toMatchObject({ code: "input" });
  });
});

describe("what stands beside transcripts is told apart", () => {
  it.each([
    ["a prompt history", lines({ display: "Sort.", pastedContents: {}, timestamp: 1 })],
    ["a prompt history", lines({ session_id: "s", ts: 1, text: "Sort." })],
    ["a log of hooks", lines({ ts: "x", hook: "check", tool: "Write", status: "ok" })],
    [
      "Qwen Code's or Gemini CLI's log of prompts",
      JSON.stringify([{ sessionId: "s", messageId: 0, type: "user", message: "Sort." }]),
    ],
    [
      "an agent's state about a running session",
      lines({ sessionId: "s", pid: 7, hostname: "machine" }),
    ],
    ["an agent's settings file", JSON.stringify({ hooks: {}, model: { name: "m" } }, null, 2)],
  ])("%s", async (label, given) => {
    await expect(readText(given)).rejects.toThrow(`looks like ${label}`);
  });

  it("also a document that is only named like a trajectory", async () => {
    const given = JSON.stringify({ iterations: [{ iter: 0, label: "first", outcome: {} }] });
    await expect(readText(given, "trajectory.json")).rejects.toThrow(
      "trajectory.json looks like a record of a search's or benchmark's iterations, not a session",
    );
  });
});

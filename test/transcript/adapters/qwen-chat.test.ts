import { describe, expect, it } from "vitest";
import { callList, conversation, readFixture, readText } from "../fixtures.ts";

const record = (fields: object) =>
  JSON.stringify({
    sessionId: "s",
    timestamp: "2026-03-02T10:00:00Z",
    cwd: "/p",
    version: "1",
    ...fields,
  });
const says = (uuid: string, parentUuid: string | null, text: string, more: object = {}) =>
  record({ uuid, parentUuid, type: "user", message: { role: "user", parts: [{ text }] }, ...more });

describe("Qwen Code chat records", () => {
  it("reads what stands about the session", async () => {
    const session = await readFixture("qwen-chat/arc.jsonl");
    expect(session).toMatchObject({
      id: "11111111-2222-4333-8444-555555555555",
      agent: "qwen-code",
      format: "qwen-chat",
      agentVersion: "0.24.4",
      cwd: "/home/user/parcels",
      branch: "main",
      model: "model-one",
      startedAt: "2026-03-02T10:00:01.000Z",
    });
    expect(session.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it("keeps the conversation without thoughts, control messages and unknown records", async () => {
    expect(conversation(await readFixture("qwen-chat/arc.jsonl"))).toEqual([
      "user: Sort the parcels by weight.",
      "agent: I read the code.",
      "agent: I change the test.",
      "user: Do not touch the test.",
      "agent: I fix the comparison.",
      "agent: ",
      "helper: ",
      "helper: ",
      "agent: Done.",
    ]);
  });

  it("tells failed, declined, unanswered and sub-agent calls apart", async () => {
    const session = await readFixture("qwen-chat/arc.jsonl");
    expect(callList(session)).toEqual([
      "c1 read_file success",
      "c2 run_shell_command failure",
      "c3 edit success",
      "c4 edit success",
      "c5 write_file cancelled",
      "c6 run_shell_command success",
      "c7 agent success",
      "- write_file success",
      "- read_file failure",
      "c8 read_file unknown",
    ]);
    expect(session).toMatchObject({
      toolCallCount: 6,
      issuedToolCallCount: 8,
      subagentToolCallCount: 2,
      failedToolCallCount: 1,
    });
  });

  it("reads exit codes", async () => {
    const { turns } = await readFixture("qwen-chat/arc.jsonl");
    const codes = turns.flatMap((turn) => turn.toolCalls).filter((call) => call.kind === "shell");
    expect(codes.map((call) => [call.command, call.exitCode])).toEqual([
      ["npm test", 1],
      ["npm test", 0],
    ]);
  });

  it("marks what the user went back over, and steering", async () => {
    const { turns } = await readFixture("qwen-chat/arc.jsonl");
    expect(turns.filter((turn) => turn.rewound).map((turn) => turn.text)).toEqual([
      "I change the test.",
    ]);
    expect(turns.filter((turn) => turn.midTurn).map((turn) => turn.text)).toEqual([
      "Do not touch the test.",
    ]);
  });

  it("merges lines that share a uuid into one turn", async () => {
    const { turns } = await readFixture("qwen-chat/arc.jsonl");
    const merged = turns.find((turn) => turn.text === "I fix the comparison.");
    expect(merged?.toolCalls.map((call) => call.id)).toEqual(["c4", "c5"]);
  });

  it("notes what it had to skip", async () => {
    const { notes } = await readFixture("qwen-chat/arc.jsonl");
    expect(notes).toEqual([
      "1 line is not JSON and skipped",
      "the last record is cut off and skipped",
    ]);
  });

  it("takes a failing exit code for a failure where an old version says success", async () => {
    const session = await readFixture("qwen-chat/old-version.jsonl");
    expect(callList(session)).toEqual([
      "c1 run_shell_command failure",
      "c2 run_shell_command success",
    ]);
    expect(session.notes).toEqual(["1 result belongs to calls that the file doesn't hold"]);
  });

  it("does not take a gap in the file for going back", async () => {
    const text = [says("a", null, "one"), says("c", "lost", "three"), says("d", "c", "four")].join(
      "\n",
    );
    expect((await readText(text)).turns.map((turn) => turn.rewound)).toEqual([false, false, false]);
  });

  it("does not let a repeated record move the end of the conversation", async () => {
    const first = says("a", null, "one");
    const text = [first, says("b", "a", "two"), says("c", "b", "three"), first].join("\n");
    const session = await readText(text);
    expect(session.turns.map((turn) => [turn.text, turn.rewound])).toEqual([
      ["one", false],
      ["two", false],
      ["three", false],
    ]);
  });

  it("reads a circle of parents to its end", async () => {
    const session = await readText([says("a", "b", "one"), says("b", "a", "two")].join("\n"));
    expect(session.turns).toHaveLength(2);
  });

  it("leaves out what hooks and mentioned files add to a prompt", async () => {
    const parts = [
      { text: "look at @a.md" },
      { text: "<qwen:user-prompt-submit-context>be kind</qwen:user-prompt-submit-context>" },
      { text: "\n--- Content from referenced files ---" },
      { text: "content of a.md" },
    ];
    const hooked = says("b", "a", "prompt and hook", {
      systemPayload: { displayText: "only this", hookContext: "added" },
    });
    const text = `${record({ uuid: "a", type: "user", message: { parts } })}\n${hooked}`;
    expect(conversation(await readText(text))).toEqual(["user: look at @a.md", "user: only this"]);
  });

  it("does not count the telemetry of a sub-agent that has records of its own", async () => {
    const call = { functionCall: { id: "x1", name: "read_file", args: { file_path: "a" } } };
    const own = record({
      uuid: "b",
      parentUuid: "a",
      type: "assistant",
      isSidechain: true,
      agentName: "helper",
      message: { parts: [call] },
    });
    const uiEvent = {
      "event.name": "qwen-code.tool_call",
      function_name: "read_file",
      function_args: { file_path: "a" },
      success: true,
      prompt_id: "s#helper-x1y2z3#0",
    };
    const logged = record({
      uuid: "c",
      type: "system",
      subtype: "ui_telemetry",
      systemPayload: { uiEvent },
    });
    const session = await readText([says("a", null, "go"), own, logged].join("\n"));
    expect(callList(session)).toEqual(["x1 read_file unknown"]);
  });

  it("refuses a session of the managed engine by name", async () => {
    const header = record({
      uuid: "a",
      type: "system",
      subtype: "managed_session_header_v1",
      systemPayload: {},
    });
    await expect(readText(header)).rejects.toThrow(/managed engine/);
  });
});

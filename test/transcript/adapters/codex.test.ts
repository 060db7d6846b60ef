import { describe, expect, it } from "vitest";
import { callList, conversation, readFixture, readText } from "../fixtures.ts";

const ROLLOUT = "codex/rollout.jsonl";

describe("Codex CLI rollouts", () => {
  it("reads what was said, each message once, without what the program adds", async () => {
    expect(conversation(await readFixture(ROLLOUT)).filter((line) => line !== "agent: ")).toEqual([
      "user: Sort the parcels.",
      "agent: I look at the code.",
      "user: Leave the test alone.",
      "user: Keep it short.",
      "agent: Done.",
      "user: Now something else.",
      "agent: I try.",
      "user: Thank you.",
    ]);
  });

  it("counts the items and not the events that mirror them", async () => {
    const session = await readFixture(ROLLOUT);
    expect(callList(session)).toEqual([
      "c1 exec_command success",
      "c2 shell failure",
      "c3 apply_patch success",
      "c4 apply_patch failure",
      "c5 exec_command cancelled",
      "c6 mcp__wiki__ask_question failure",
      "ws1 web_search success",
      "c7 exec_command success",
      "c8 exec_command cancelled",
      "c9 shell_command success",
      "c10 exec_command unknown",
    ]);
    expect(session).toMatchObject({
      toolCallCount: 8,
      issuedToolCallCount: 11,
      failedToolCallCount: 3,
      subagentToolCallCount: 0,
    });
  });

  it("takes the exit code from the header, never from the output below it", async () => {
    const session = await readFixture(ROLLOUT);
    const calls = new Map(session.turns.flatMap((t) => t.toolCalls).map((call) => [call.id, call]));
    expect(calls.get("c1")).toMatchObject({ exitCode: 0, result: "line one\nExit code: 7\n" });
    expect(calls.get("c2")).toMatchObject({ exitCode: 1, result: "boom" });
    expect(calls.get("c7")).toMatchObject({ exitCode: 1, outcome: "success" });
  });

  it("names paths that patches and commands write, and each call's folder", async () => {
    const session = await readFixture(ROLLOUT);
    const calls = session.turns.flatMap((turn) => turn.toolCalls);
    expect(calls.flatMap((call) => call.writePaths)).toEqual([
      "out.txt",
      "src/parcels.js",
      "notes.md",
      "build/**",
    ]);
    expect(calls.find((call) => call.id === "c9")?.cwd).toBe("/home/user/parcels/src");
  });

  it("knows steering, and what the user took back", async () => {
    const { turns } = await readFixture(ROLLOUT);
    const texts = (picked: typeof turns) => picked.map((turn) => turn.text);
    expect(texts(turns.filter((turn) => turn.midTurn))).toEqual([
      "Leave the test alone.",
      "Keep it short.",
    ]);
    expect(texts(turns.filter((turn) => turn.rewound))).toEqual(["Now something else.", "I try."]);
  });

  it("names version, folder, branch and the last model", async () => {
    expect(await readFixture(ROLLOUT)).toMatchObject({
      id: "0195-codex-1",
      agent: "codex",
      agentVersion: "0.140.0",
      cwd: "/home/user/parcels",
      branch: "main",
      model: "model-two",
    });
  });

  it("reads the flat files of old, with the folder from the environment's note", async () => {
    const session = await readFixture("codex/flat.jsonl");
    expect(session).toMatchObject({
      id: "0195-codex-2",
      cwd: "/home/user/parcels",
      branch: "main",
    });
    expect(conversation(session)).toEqual([
      "user: Sort the parcels.",
      "agent: I patch it.",
      "agent: ",
    ]);
    const [patch, test] = session.turns.flatMap((turn) => turn.toolCalls);
    expect(patch).toMatchObject({ outcome: "success", writePaths: ["notes.md"] });
    expect(test).toMatchObject({ outcome: "failure", cwd: "/home/user/parcels/sub" });
  });

  it("knows a sub-agent's file by its own head, whatever head it was forked from", async () => {
    expect(await readFixture("codex/sub-agent.jsonl")).toMatchObject({
      id: "0195-codex-3",
      cwd: "/home/user/parcels",
      toolCallCount: 0,
      subagentToolCallCount: 1,
      turns: [{ subagent: "explorer" }, { subagent: "explorer" }],
    });
  });

  it("drops a call of which neither id nor name is left", async () => {
    const item = {
      type: "function_call",
      name: "[trimmed]",
      call_id: "[trimmed]",
      arguments: null,
    };
    const named = { ...item, name: "exec_command" };
    const records = [item, named].map((payload) => ({ type: "response_item", payload }));
    const session = await readText(records.map((record) => JSON.stringify(record)).join("\n"));
    expect(callList(session)).toEqual(["- exec_command unknown"]);
  });

  it("reads what the user wrote in an editor, and the commands that they ran", async () => {
    const context =
      "# Context from my IDE setup:\n\n## Open tabs:\n- a.js\n\n## My request for Codex:\n";
    const item = (text: string) => ({
      type: "response_item",
      payload: { type: "message", role: "user", content: [{ type: "input_text", text }] },
    });
    const lines = [
      item(`${context}Sort them.`),
      { type: "event_msg", payload: { type: "user_message", message: `${context}Sort them.` } },
      item(
        "<user_shell_command>\n<command>\ngit status\n</command>\n<result>clean</result>\n</user_shell_command>",
      ),
    ];
    const session = await readText(lines.map((line) => JSON.stringify(line)).join("\n"));
    expect(conversation(session)).toEqual(["user: Sort them.", "user: ! git status"]);
  });

  it("believes an event that comes after the output", async () => {
    const lines = [
      {
        type: "response_item",
        payload: {
          type: "function_call",
          name: "exec_command",
          call_id: "c1",
          arguments: '{"cmd":"npm test"}',
        },
      },
      {
        type: "response_item",
        payload: {
          type: "function_call_output",
          call_id: "c1",
          output: "Process running with session ID 7",
        },
      },
      { type: "event_msg", payload: { type: "exec_command_end", call_id: "c1", exit_code: 2 } },
    ];
    const session = await readText(lines.map((line) => JSON.stringify(line)).join("\n"));
    expect(session.turns[0]?.toolCalls[0]).toMatchObject({ outcome: "failure", exitCode: 2 });
  });
});

import { describe, expect, it } from "vitest";
import { callList, conversation, readFixture, readText } from "../fixtures.ts";

describe("Gemini CLI chats", () => {
  it("reads a document: the user's words without the program's and without mentioned files", async () => {
    expect(conversation(await readFixture("gemini/session.json"))).toEqual([
      "user: Sort the parcels.",
      "agent: I look at the code.",
      "agent: ",
      "user: Keep it short @notes.md",
      "agent: Done.",
    ]);
  });

  it("reads how calls ended: a cancelled one and one that is still running aren't completed", async () => {
    const session = await readFixture("gemini/session.json");
    expect(callList(session)).toEqual([
      "g1 read_file success",
      "g2 run_shell_command failure",
      "g3 replace success",
      "g4 write_file cancelled",
      "g5 edit failure",
      "g6 run_shell_command unknown",
    ]);
    expect(session).toMatchObject({
      id: "gemini-1",
      agent: "gemini-cli",
      model: "model-two",
      toolCallCount: 4,
      issuedToolCallCount: 6,
      failedToolCallCount: 2,
      startedAt: "2026-03-02T10:00:00.000Z",
      endedAt: "2026-03-02T11:00:00.000Z",
    });
    expect(session.turns[1]?.toolCalls[1]).toMatchObject({ exitCode: 1, cwd: "sub" });
  });

  it("knows that the user interrupted", async () => {
    const { turns } = await readFixture("gemini/session.json");
    expect(turns.filter((turn) => turn.midTurn).map((turn) => turn.text)).toEqual([
      "Keep it short @notes.md",
    ]);
  });

  it("folds the lines: a message's last record counts, and its calls once", async () => {
    const session = await readFixture("gemini/session.jsonl");
    expect(conversation(session)).toEqual([
      "user: Sort the parcels.",
      "agent: I look at the code.",
      "user: Wrong way.",
      "agent: I go wrong.",
      "user: Right way.",
      "agent: Done, all of it.",
    ]);
    expect(callList(session)).toEqual(["g1 run_shell_command success", "g2 write_file success"]);
    expect(session.turns[1]?.toolCalls[0]?.result).toBe("parcels.js");
  });

  it("marks what `$rewindTo` takes back, and counts it once", async () => {
    const session = await readFixture("gemini/session.jsonl");
    expect(session.turns.filter((turn) => turn.rewound).map((turn) => turn.text)).toEqual([
      "Wrong way.",
      "I go wrong.",
    ]);
    expect(session.toolCallCount).toBe(2);
  });

  it("takes back everything when `$rewindTo` names a message that isn't there", async () => {
    const message = (id: string) => ({ id, type: "user", content: id });
    const lines = [
      { sessionId: "s", projectHash: "0" },
      message("one"),
      { $rewindTo: "none" },
      message("two"),
      message("three"),
      { $rewindTo: "three" },
      message("four"),
      { $rewindTo: "three" },
    ];
    const session = await readText(lines.map((line) => JSON.stringify(line)).join("\n"));
    expect(session.turns.map((turn) => turn.rewound)).toEqual([true, true, true, true]);
  });

  it("takes a sub-agent's chat for one", async () => {
    const chat = {
      sessionId: "s",
      projectHash: "0",
      kind: "subagent",
      messages: [
        {
          id: "a",
          type: "gemini",
          content: "",
          toolCalls: [{ id: "1", name: "glob", args: {}, status: "success" }],
        },
      ],
    };
    const session = await readText(JSON.stringify(chat, null, 1));
    expect(session).toMatchObject({ toolCallCount: 0, subagentToolCallCount: 1 });
  });
});

import { describe, expect, it } from "vitest";
import { callList, conversation, readFixture, readText } from "../fixtures.ts";

const HEADER = "# aider chat started at 2026-03-02 10:00:00\n\n";

describe("Aider chat histories", () => {
  it("reads what was said in the chats of a file", async () => {
    const session = await readFixture("aider/history.md");
    expect(session).toMatchObject({
      agent: "aider",
      format: "aider",
      agentVersion: "0.85.2",
      model: "openai/model-nine",
    });
    expect(conversation(session)).toEqual([
      "user: Sort the parcels\n\nby weight.",
      expect.stringContaining("I'll change the comparison:"),
      "user: /run npm test",
      expect.stringContaining("> 1 failing\n\nI see a"),
      "user: Stop. Use kilograms.",
      "user: second thoughts stay apart",
      "agent: Fine.",
      "user: Anything else?",
      "agent: No.",
    ]);
  });

  it("takes each applied edit for a call, but not one that an answer quotes", async () => {
    const session = await readFixture("aider/history.md");
    expect(session).toMatchObject({ toolCallCount: 2, issuedToolCallCount: 2 });
    expect(callList(session)).toEqual(["- edit success", "- edit success"]);
    const calls = session.turns.flatMap((turn) => turn.toolCalls);
    expect(calls.flatMap((call) => call.writePaths)).toEqual([
      "src/sort.ts",
      ".qwen/skills/sorting/SKILL.md",
    ]);
  });

  it("marks what the user said after an interruption", async () => {
    const { turns } = await readFixture("aider/history.md");
    expect(turns.filter((turn) => turn.midTurn).map((turn) => turn.text)).toEqual([
      "Stop. Use kilograms.",
    ]);
  });

  it("leaves out what the program tells before the first message", async () => {
    const session = await readText(`${HEADER}> Aider v0.1  \n\n#### Hello.  \n\nHi.\n`);
    expect(conversation(session)).toEqual(["user: Hello.", "agent: Hi."]);
  });

  it("is told by its first line, not by a line that a text quotes", async () => {
    await expect(readText(`Notes\n${HEADER}`)).rejects.toThrow("is not a transcript");
  });
});

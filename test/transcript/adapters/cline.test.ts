import { describe, expect, it } from "vitest";
import { splitXmlCalls } from "../../../src/transcript/adapters/cline-xml.ts";
import { conversation, readFixture, readText } from "../fixtures.ts";

const HISTORY = "cline/api_conversation_history.json";

describe("Cline conversations", () => {
  it("reads the user's words out of tasks and feedback, without the editor's notes", async () => {
    expect(conversation(await readFixture(HISTORY))).toEqual([
      "user: Sort the parcels.",
      "agent: I look at the code.",
      "agent: Now the change.",
      "user: No notes, please.",
      "agent: I ask.",
      "agent: Done.",
    ]);
  });

  it("finds the results in the user's text, and the folder", async () => {
    const session = await readFixture(HISTORY);
    expect(session).toMatchObject({ agent: "cline", cwd: "/home/user/parcels", toolCallCount: 3 });
    const calls = session.turns.flatMap((turn) => turn.toolCalls);
    expect(calls.map((call) => `${call.name} ${call.outcome}`)).toEqual([
      "execute_command failure",
      "replace_in_file success",
      "write_to_file cancelled",
      "read_file failure",
      "attempt_completion unknown",
    ]);
    expect(calls[0]?.exitCode).toBe(1);
    expect(session.turns.filter((turn) => turn.midTurn).map((turn) => turn.id)).toEqual(["t4"]);
  });

  it("reads results that are blocks", async () => {
    const messages = [
      {
        role: "user",
        content: [
          {
            type: "text",
            text: "<task>Sort.</task>\n<environment_details>x</environment_details>",
          },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "tool_use", id: "k1", name: "execute_command", input: { command: "ls" } },
        ],
      },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "k1",
            content: "[execute_command for 'ls'] Result:\nparcels.js\n<feedback>Go on.</feedback>",
          },
        ],
      },
    ];
    const session = await readText(JSON.stringify(messages));
    expect(session.turns[1]?.toolCalls[0]).toMatchObject({ outcome: "success" });
    expect(conversation(session)).toEqual(["user: Sort.", "agent: ", "user: Go on."]);
  });

  it("reads calls that the model wrote as XML", async () => {
    const session = await readFixture("cline/xml.json");
    const calls = session.turns.flatMap((turn) => turn.toolCalls);
    expect(calls).toMatchObject([
      {
        name: "write_to_file",
        outcome: "success",
        writePaths: ["src/parcels.js"],
        args: { content: "const a = '</content>';" },
      },
      { name: "execute_command", outcome: "failure", command: "npm test", exitCode: 1 },
    ]);
    expect(conversation(session)).toEqual([
      "user: Sort the parcels.",
      "agent: I write it.",
      "agent: ",
      "agent: A tag that is no call: <execute_command>",
    ]);
  });

  it("takes time in proportion to a text full of tags that are never closed", () => {
    const text = "<execute_command><read_file>".repeat(200_000);
    expect(splitXmlCalls(text)).toEqual({ calls: [], rest: text });
  });
});

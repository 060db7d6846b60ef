import { describe, expect, it } from "vitest";
import { callList, conversation, readFixture } from "../fixtures.ts";

describe("Harbor trajectories", () => {
  it("reads steps with their calls and results", async () => {
    const session = await readFixture("atif/trajectory.json");
    expect(session).toMatchObject({
      id: "atif-1",
      agent: "atif",
      agentVersion: "2.0.0",
      model: "model-seven",
      toolCallCount: 4,
      issuedToolCallCount: 5,
      failedToolCallCount: 1,
    });
    expect(conversation(session)).toEqual([
      "user: Sort the parcels.",
      "agent: I run the tests.",
      "agent: Two keystrokes, one screen.",
      "agent: Done.",
    ]);
    expect(callList(session)).toEqual([
      "a1 bash failure",
      "a2 write_file success",
      "a3 bash_command success",
      "a4 bash_command success",
      "a5 mark_task_complete unknown",
    ]);
  });

  it("takes keystrokes for commands, and the screen for the last one's result", async () => {
    const session = await readFixture("atif/trajectory.json");
    const calls = session.turns[2]?.toolCalls ?? [];
    expect(calls.map((call) => [call.command, call.result])).toEqual([
      ["cd src\n", null],
      ["ls\n", "sort.ts"],
    ]);
  });

  it("reads the variant with other names, and calls whose ids were redacted", async () => {
    const session = await readFixture("atif/variant.json");
    expect(session).toMatchObject({ id: "atif-2", toolCallCount: 2, notes: [] });
    expect(conversation(session)).toEqual(["user: Look at the sorting.", "agent: I look."]);
    expect(callList(session)).toEqual(["- grep_code success", "- read_file success"]);
  });
});

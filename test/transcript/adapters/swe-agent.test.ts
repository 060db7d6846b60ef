import { describe, expect, it } from "vitest";
import { sweAction } from "../../../src/transcript/adapters/swe-action.ts";
import { callList, conversation, readFixture } from "../fixtures.ts";

describe("SWE-agent trajectories", () => {
  it("reads steps, and the task from the history without demonstrations", async () => {
    const session = await readFixture("swe-agent/steps.traj");
    expect(session).toMatchObject({
      agent: "swe-agent",
      toolCallCount: 5,
      issuedToolCallCount: 6,
      failedToolCallCount: 2,
    });
    expect(conversation(session).slice(0, 2)).toEqual([
      "user: Sorting fails.",
      "agent: I reproduce it.",
    ]);
    expect(callList(session)).toEqual([
      "- bash failure",
      "- open success",
      "- edit failure",
      "- str_replace_editor success",
      "- create success",
      "- submit unknown",
    ]);
  });

  it("knows the file that an edit changes, and the folder", async () => {
    const session = await readFixture("swe-agent/steps.traj");
    const calls = session.turns.flatMap((turn) => turn.toolCalls);
    expect(calls.map((call) => call.writePaths)).toEqual([
      [],
      [],
      ["/parcels/src/sort.py"],
      ["/parcels/src/new.py"],
      ["notes.md"],
      [],
    ]);
    expect(calls[4]?.cwd).toBe("/parcels");
  });

  it("reads the history where there are no steps, results by their place", async () => {
    const session = await readFixture("swe-agent/history.traj");
    expect(session).toMatchObject({ toolCallCount: 2, issuedToolCallCount: 3, notes: [] });
    expect(conversation(session)[0]).toBe("user: Sorting fails.");
    expect(callList(session)).toEqual([
      "s1 find_file success",
      "s2 bash success",
      "s3 submit unknown",
    ]);
  });

  it.each([
    ["str_replace_editor view /a.py", { command: "view", path: "/a.py" }],
    ["create 'a b.py'", { path: "a b.py", content: "" }],
    ['create "a.py"', { path: "a.py", content: "" }],
    ["edit 1:2\nx\ny\nend_of_edit", { path: "/open.py", lines: "1:2", content: "x\ny" }],
    ["python a.py", { command: "python a.py" }],
  ])("takes %j apart", (action, args) => {
    expect(sweAction(action, "/open.py").args).toMatchObject(args);
  });
});

import { describe, expect, it } from "vitest";
import { callList, conversation, readFixture } from "../fixtures.ts";

describe("headless output", () => {
  it.each(["run.json", "stream.jsonl"])("reads Qwen Code's %s", async (name) => {
    const session = await readFixture(`qwen-headless/${name}`);
    expect(session).toMatchObject({
      id: "s-1",
      agent: "qwen-code",
      format: "qwen-headless",
      agentVersion: "0.24.4",
      cwd: "/home/user/parcels",
      model: "model-one",
      toolCallCount: 2,
      issuedToolCallCount: 4,
      subagentToolCallCount: 1,
      failedToolCallCount: 1,
    });
    expect(callList(session)).toEqual([
      "t1 run_shell_command failure",
      "t2 agent success",
      "t3 write_file success",
      "t4 edit cancelled",
    ]);
  });

  it("joins the records of one message, and names the sub-agent", async () => {
    const session = await readFixture("qwen-headless/run.json");
    expect(conversation(session)).toEqual([
      "agent: I run the tests.",
      "agent: ",
      "helper: ",
      "agent: ",
      "agent: All done.",
    ]);
    expect(session.turns[0]?.toolCalls[0]).toMatchObject({
      exitCode: 1,
      cwd: "/home/user/parcels",
    });
  });

  it("tells Claude Code's by the version that it lacks", async () => {
    const session = await readFixture("claude-headless/run.json");
    expect(session).toMatchObject({ agent: "claude-code", format: "claude-headless", id: "s-2" });
    expect(callList(session)).toEqual(["t1 Bash success"]);
  });
});

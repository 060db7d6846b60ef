import { describe, expect, it } from "vitest";
import { callList, conversation, readFixture, readText } from "../fixtures.ts";

describe("Hermes sessions", () => {
  it("reads the gateway's messages, without summaries and repeated words", async () => {
    const session = await readFixture("hermes/gateway.jsonl");
    expect(session).toMatchObject({
      agent: "hermes",
      format: "hermes",
      model: "model-six",
      toolCallCount: 4,
      issuedToolCallCount: 5,
      failedToolCallCount: 1,
      startedAt: "2026-03-02T10:00:00.000Z",
      endedAt: "2026-03-02T10:00:30.000Z",
    });
    expect(conversation(session)).toEqual([
      "user: Sort the parcels by weight.",
      "agent: I look at the code.",
      "agent: ",
      "user: By grams, please.",
      "agent: Done.",
    ]);
  });

  it("tells a command that was not approved from one that failed", async () => {
    expect(callList(await readFixture("hermes/gateway.jsonl"))).toEqual([
      "h1 terminal failure",
      "h2 read_file success",
      "h3 patch success",
      "h4 terminal cancelled",
      "h5 skill_manage success",
    ]);
  });

  it("takes a managed skill for the file that it writes", async () => {
    const session = await readFixture("hermes/gateway.jsonl");
    const calls = session.turns.flatMap((turn) => turn.toolCalls);
    expect(calls.map((call) => call.writePaths)).toEqual([
      [],
      [],
      ["src/sort.ts"],
      ["build/**"],
      ["skills/parcel-sorting/SKILL.md"],
    ]);
    expect(calls[0]?.cwd).toBe("/home/user/parcels");
  });

  it("reads a saved session", async () => {
    const session = await readFixture("hermes/session.json");
    expect(session).toMatchObject({ id: "hermes-session-1", cwd: "/home/user/parcels" });
    expect(callList(session)).toEqual(["h1 shell success"]);
  });

  it("reads an export, with what the user went back over", async () => {
    const session = await readFixture("hermes/export.json");
    expect(session).toMatchObject({
      id: "hermes-session-2",
      branch: "fix-sort",
      cwd: "/home/user/parcels",
    });
    expect(session.turns.map((turn) => turn.rewound)).toEqual([false, false, true, false]);
    expect(callList(session)).toEqual(["a1 read_file success", "a2 terminal failure"]);
  });

  it("reads the messages of a request dump once", async () => {
    const session = await readFixture("hermes/request-dump.json");
    expect(session).toMatchObject({ id: "hermes-session-3", model: "model-six", toolCallCount: 1 });
  });

  it("leaves messages that name no agent to the plain format", async () => {
    const session = await readText('{"role":"user","content":"Hello."}\n');
    expect(session.format).toBe("openai-messages");
  });
});

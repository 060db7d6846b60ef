import { describe, expect, it } from "vitest";
import type { Redactor } from "../../src/secrets/redactor.ts";
import { createRedactor } from "../../src/secrets/redactor.ts";
import { redactSession } from "../../src/transcript/redact-session.ts";
import { makeCall, makeSession, makeTurn, readFixture } from "./fixtures.ts";

/** Marks every text that passes through it. */
const marker: Redactor = {
  redact: async (texts) => texts.map((text) => `<${text}>`),
  redactUnique: async ({ unique }) => {
    for (const [at, text] of unique.entries()) unique[at] = `<${text}>`;
  },
  counts: () => ({}),
};

it("passes every text through the redactor, and no id of a turn, time or count", async () => {
  const call = makeCall({
    id: "c1",
    name: "tool",
    args: { key: { list: ["deep", 7, null, { __proto__x: "deeper" }] } },
    command: "run",
    result: "out",
    writePaths: ["a"],
    cwd: "/p",
    at: "2026-03-02T10:00:00.000Z",
  });
  const turn = makeTurn({
    id: "t1",
    text: "said",
    toolCalls: [call],
    subagent: "helper",
    at: call.at,
  });
  const session = makeSession({
    turns: [turn],
    branch: "main",
    model: "m",
    agentVersion: "1",
    notes: ["note"],
    startedAt: call.at,
  });
  expect(await redactSession(session, marker)).toEqual({
    ...session,
    id: "qwen-chat-000000000000",
    cwd: "</home/user/parcels>",
    branch: "<main>",
    model: "<m>",
    agentVersion: "<1>",
    notes: ["<note>"],
    turns: [
      {
        ...turn,
        text: "<said>",
        subagent: "<helper>",
        toolCalls: [
          {
            ...call,
            id: "<c1>",
            name: "<tool>",
            args: { "<key>": { "<list>": ["<deep>", 7, null, { "<__proto__x>": "<deeper>" }] } },
            command: "<run>",
            result: "<out>",
            writePaths: ["<a>"],
            cwd: "</p>",
          },
        ],
      },
    ],
  });
});

it("keeps nulls, and the session that it was given", async () => {
  const session = makeSession({
    cwd: null,
    turns: [makeTurn({ toolCalls: [makeCall({ result: null })] })],
  });
  const before = structuredClone(session);
  const redacted = await redactSession(session, marker);
  expect(redacted.cwd).toBeNull();
  expect(redacted.turns[0]?.toolCalls[0]).toMatchObject({ result: null, command: null });
  expect(session).toEqual(before);
});

it("leaves a session without secrets as it is", async () => {
  const session = await readFixture("qwen-chat/arc.jsonl");
  expect(await redactSession(session, createRedactor({ credentials: [] }))).toEqual(session);
});

it("gives one secret one placeholder wherever it stands", async () => {
  const token = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
  const call = makeCall({
    command: `curl -H 'x: ${token}'`,
    result: token,
    args: { command: token },
  });
  const session = makeSession({ turns: [makeTurn({ text: `use ${token}`, toolCalls: [call] })] });
  const redacted = await redactSession(session, createRedactor({ credentials: [] }));
  expect(JSON.stringify(redacted)).not.toContain(token);
  expect(redacted.turns[0]?.text).toBe("use [redacted:github-token:1]");
  expect(redacted.turns[0]?.toolCalls[0]?.result).toBe("[redacted:github-token:1]");
});

describe("the session's id", () => {
  const credential = "Zx9-Qw7_plmOKN8ijb";
  const digest = `sha256:${"ab".repeat(32)}` as const;
  const idOf = async (id: string) => {
    const session = makeSession({ id, digest });
    return (await redactSession(session, createRedactor({ credentials: [credential] }))).id;
  };

  it.each(["7e51b316-ce51-4195-a78e-12f649285bf5", "s1", "session_1.2:3"])(
    "stays when it is plain: %s",
    async (id) => {
      expect(await idOf(id)).toBe(id);
    },
  );

  it.each([
    credential,
    `run-${credential}`,
    `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`,
    "two words",
    "../../etc/passwd",
    "a".repeat(129),
    "",
  ])("is made of the digest when it holds a secret or is no plain id: %s", async (id) => {
    expect(await idOf(id)).toBe("qwen-chat-abababababab");
  });

  it("is not the only field: version, model, branch, folder and notes are redacted", async () => {
    const session = makeSession({
      agentVersion: credential,
      model: credential,
      branch: credential,
      cwd: `/home/${credential}`,
      notes: [credential],
      turns: [makeTurn({ toolCalls: [makeCall({ id: credential })] })],
    });
    const redacted = await redactSession(session, createRedactor({ credentials: [credential] }));
    expect(JSON.stringify(redacted)).not.toContain(credential);
  });
});

/** Histories that are no straight line: compacted, gone back over, branched, resumed, delegated. */
import { describe, expect, it } from "vitest";
import { callList, conversation, readText } from "./fixtures.ts";

type Fields = Readonly<Record<string, unknown>>;

const base = { sessionId: "s", timestamp: "2026-03-02T10:00:00Z", cwd: "/home/user/parcels" };
const lines = (...records: Fields[]) => records.map((record) => JSON.stringify(record)).join("\n");

/** A record of Qwen Code behind another one. */
const qwen = (uuid: string, parentUuid: string | null, fields: Fields) => ({
  ...base,
  version: "0.24.4",
  uuid,
  parentUuid,
  ...fields,
});
const asks = (text: string) => ({ type: "user", message: { role: "user", parts: [{ text }] } });
const call = (id: string) => ({ functionCall: { id, name: "read_file", args: { path: id } } });
const calls = (...ids: string[]) => ({
  type: "assistant",
  message: { role: "model", parts: ids.map(call) },
});
const answers = (id: string) => ({
  type: "tool_result",
  message: {
    role: "user",
    parts: [{ functionResponse: { id, name: "read_file", response: { output: "text" } } }],
  },
  toolCallResult: { callId: id, status: "success" },
});

/** A record of Claude Code behind another one. */
const claude = (uuid: string, parentUuid: string | null, fields: Fields) => ({
  ...base,
  version: "2.1.7",
  isSidechain: false,
  uuid,
  parentUuid,
  ...fields,
});
const said = (content: unknown) => ({ type: "user", message: { role: "user", content } });
const uses = (messageId: string, id: string) => ({
  type: "assistant",
  message: {
    id: messageId,
    role: "assistant",
    content: [{ type: "tool_use", id, name: "Read", input: { file_path: id } }],
  },
});
const used = (id: string) => said([{ type: "tool_result", tool_use_id: id, content: "text" }]);

describe("compaction", () => {
  it("of Qwen Code: what came before counts, and the compressed copy doesn't", async () => {
    const compressedHistory = [
      { role: "user", parts: [{ text: "a summary" }] },
      { role: "model", parts: [call("c1")] },
    ];
    const session = await readText(
      lines(
        qwen("1", null, asks("Sort.")),
        qwen("2", "1", calls("c1")),
        qwen("3", "2", answers("c1")),
        qwen("4", "3", {
          type: "system",
          subtype: "chat_compression",
          systemPayload: { info: {}, compressedHistory },
        }),
        qwen("5", "4", calls("c2")),
        qwen("6", "5", answers("c2")),
      ),
    );
    expect(session).toMatchObject({ toolCallCount: 2, issuedToolCallCount: 2, notes: [] });
    expect(session.turns.map((turn) => turn.rewound)).toEqual([false, false, false]);
  });

  it("of Claude Code: what came before counts, and the summary is nobody's words", async () => {
    const session = await readText(
      lines(
        claude("1", null, said("Sort.")),
        claude("2", "1", uses("m1", "c1")),
        claude("3", "2", used("c1")),
        claude("4", null, { type: "system", subtype: "compact_boundary", logicalParentUuid: "3" }),
        claude("5", "4", { ...said("This session is being continued."), isCompactSummary: true }),
        claude("6", "5", uses("m2", "c2")),
        claude("7", "6", used("c2")),
      ),
    );
    expect(session).toMatchObject({ toolCallCount: 2, issuedToolCallCount: 2 });
    expect(conversation(session)).toEqual(["user: Sort.", "agent: ", "agent: "]);
  });
});

describe("going back", () => {
  it("in Qwen Code keeps what happened, and marks it", async () => {
    const session = await readText(
      lines(
        qwen("1", null, asks("Sort.")),
        qwen("2", "1", calls("c1")),
        qwen("3", "2", answers("c1")),
        qwen("4", "1", { type: "system", subtype: "rewind", systemPayload: {} }),
        qwen("5", "4", asks("By weight.")),
        qwen("6", "5", calls("c2")),
        qwen("7", "6", answers("c2")),
      ),
    );
    expect(session).toMatchObject({ toolCallCount: 2, issuedToolCallCount: 2 });
    expect(session.turns.map((turn) => turn.rewound)).toEqual([false, true, false, false]);
  });
});

describe("going back in Claude Code", () => {
  const rewound = async (...records: Fields[]) =>
    (await readText(lines(...records))).turns.map((turn) => turn.rewound);

  it("keeps what happened, and marks it", async () => {
    const records = [
      claude("1", null, said("Sort.")),
      claude("2", "1", uses("m1", "c1")),
      claude("3", "2", used("c1")),
      claude("4", "3", said("By size.")),
      claude("5", "4", uses("m2", "c2")),
      claude("6", "5", used("c2")),
      claude("7", "3", said("By weight.")),
      claude("8", "7", uses("m3", "c3")),
      claude("9", "8", used("c3")),
    ];
    expect(await rewound(...records)).toEqual([false, false, true, true, false, false]);
    expect(await readText(lines(...records))).toMatchObject({ toolCallCount: 3 });
  });

  it("is not what calls side by side are", async () => {
    const both = [uses("m1", "c1"), uses("m1", "c2")];
    expect(
      await rewound(
        claude("1", null, said("Sort.")),
        claude("2", "1", both[0] ?? {}),
        claude("3", "2", both[1] ?? {}),
        claude("4", "3", used("c2")),
        claude("5", "2", used("c1")),
        claude("6", "5", uses("m2", "c3")),
        claude("7", "6", used("c3")),
        claude("8", "7", said("By weight.")),
      ),
    ).toEqual([false, false, false, false]);
  });

  it("is told of repeated records by their first place", async () => {
    const records = [
      claude("1", null, said("Sort.")),
      claude("2", "1", uses("m1", "c1")),
      claude("3", "2", used("c1")),
      claude("4", "3", said("By size.")),
    ];
    expect(await rewound(...records, ...records, claude("5", "3", said("By weight.")))).toEqual([
      false,
      false,
      true,
      false,
    ]);
  });

  it("is not what a record that is missing is", async () => {
    expect(
      await rewound(
        claude("1", null, said("Sort.")),
        claude("2", "1", uses("m1", "c1")),
        claude("9", "8", said("By weight.")),
      ),
    ).toEqual([false, false, false]);
  });
});

describe("a branch", () => {
  it("of Qwen Code holds copies of the records before it, which count once", async () => {
    const forkedFrom = { sessionId: "other", uuid: "x" };
    const session = await readText(
      lines(
        qwen("1", null, { ...asks("Sort."), forkedFrom }),
        qwen("2", "1", { ...calls("c1"), forkedFrom }),
        qwen("3", "2", { ...answers("c1"), forkedFrom }),
        qwen("4", "3", asks("By weight.")),
      ),
    );
    expect(session).toMatchObject({ toolCallCount: 1, turns: { length: 3 } });
  });
});

describe("a session that was resumed", () => {
  it("into a second file, which begins in the middle", async () => {
    const session = await readText(
      lines(
        qwen("8", "7", answers("c1")),
        qwen("9", "8", calls("c2")),
        qwen("10", "9", answers("c2")),
        qwen("11", "10", asks("By weight.")),
      ),
    );
    expect(session).toMatchObject({
      toolCallCount: 1,
      notes: ["1 result belongs to calls that the file doesn't hold"],
    });
    expect(session.turns.every((turn) => !turn.rewound)).toBe(true);
  });

  it("into a second file, which repeats the first under a new id", async () => {
    const first = [
      claude("1", null, said("Sort.")),
      claude("2", "1", uses("m1", "c1")),
      claude("3", "2", used("c1")),
    ];
    const again = first.map((record) => ({ ...record, sessionId: "t" }));
    const session = await readText(
      lines(...first, ...again, { ...claude("4", "3", said("By weight.")), sessionId: "t" }),
    );
    expect(session).toMatchObject({ id: "t", toolCallCount: 1, issuedToolCallCount: 1 });
    expect(conversation(session)).toEqual(["user: Sort.", "agent: ", "user: By weight."]);
  });
});

describe("an aborted session", () => {
  it("of Qwen Code leaves calls without results, which are neither done nor failed", async () => {
    const session = await readText(
      lines(qwen("1", null, asks("Sort.")), qwen("2", "1", calls("c1", "c2"))),
    );
    expect(callList(session)).toEqual(["c1 read_file unknown", "c2 read_file unknown"]);
    expect(session).toMatchObject({
      toolCallCount: 0,
      issuedToolCallCount: 2,
      failedToolCallCount: 0,
    });
  });

  it("of Claude Code leaves calls that were never run", async () => {
    const session = await readText(
      lines(
        claude("1", null, uses("m1", "c1")),
        claude(
          "2",
          "1",
          said([
            {
              type: "tool_result",
              tool_use_id: "c1",
              is_error: true,
              content: "[Request interrupted by user for tool use]",
            },
          ]),
        ),
      ),
    );
    expect(callList(session)).toEqual(["c1 Read cancelled"]);
    expect(session).toMatchObject({ toolCallCount: 0, failedToolCallCount: 0 });
  });
});

describe("sub-agents", () => {
  it("of Qwen Code in a file of their own don't count for the main thread", async () => {
    const own = { isSidechain: true, agentId: "helper-1", agentName: "helper" };
    const session = await readText(
      lines(
        qwen("1", null, { ...asks("Look around."), ...own }),
        qwen("2", "1", { ...calls("c1"), ...own }),
        qwen("3", "2", { ...answers("c1"), ...own }),
        qwen("4", "3", {
          ...own,
          type: "system",
          subtype: "agent_bootstrap",
          systemPayload: { history: [{ role: "model", parts: [call("c0")] }] },
        }),
      ),
    );
    expect(session).toMatchObject({ toolCallCount: 0, subagentToolCallCount: 1 });
    expect(session.turns.map((turn) => turn.subagent)).toEqual(["helper", "helper"]);
  });

  it("of Claude Code count once, also where two records tell of one call", async () => {
    const mirrored = (message: Fields) => ({
      type: "progress",
      data: { type: "agent_progress", agentId: "a1", message },
    });
    const session = await readText(
      lines(
        claude("1", null, uses("m1", "task")),
        claude("2", "1", mirrored({ uuid: "x", ...uses("m2", "c1") })),
        claude("3", "2", mirrored({ uuid: "y", ...used("c1") })),
        claude("4", "3", mirrored({ uuid: "x", ...uses("m2", "c1") })),
        claude("5", "1", used("task")),
      ),
    );
    expect(session).toMatchObject({ toolCallCount: 1, subagentToolCallCount: 1 });
  });
});

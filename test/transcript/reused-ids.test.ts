/** Ids that start anew in each answer: the same id, tool and arguments, and another call. */
import { expect, it } from "vitest";
import { callList, readText } from "./fixtures.ts";

interface Call {
  readonly id: string;
  readonly command: string;
  readonly result: string;
}

const FAILS = "Exit code: 1\n1 failed";
const callsWith = (ids: readonly string[]): Call[] =>
  ["npm test", "sed -i s/a/b/ parcels.ts", "npm test"].map((command, n) => ({
    id: ids[n % ids.length] ?? "",
    command,
    result: [FAILS, "done", "1 passed"][n] ?? "",
  }));

function messagesOf(calls: readonly Call[]): object[] {
  const steps = calls.flatMap(({ id, command, result }) => [
    {
      role: "assistant",
      content: "",
      tool_calls: [
        {
          id,
          type: "function",
          function: { name: "bash", arguments: JSON.stringify({ command }) },
        },
      ],
    },
    { role: "tool", tool_call_id: id, content: result },
  ]);
  return [{ role: "user", content: "Mend the test." }, ...steps];
}

const openai = (calls: readonly Call[]) => JSON.stringify(messagesOf(calls));

const claude = (calls: readonly Call[]) =>
  [
    { type: "user", message: { role: "user", content: "Mend the test." } },
    ...calls.flatMap(({ id, command, result }, n) => [
      {
        type: "assistant",
        message: {
          id: `msg_${n}`,
          role: "assistant",
          content: [{ type: "tool_use", id, name: "Bash", input: { command } }],
        },
      },
      {
        type: "user",
        message: {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: id, content: result }],
        },
      },
    ]),
  ]
    .map((record, n) =>
      JSON.stringify({
        uuid: `r${n}`,
        parentUuid: n === 0 ? null : `r${n - 1}`,
        sessionId: "s",
        timestamp: "2026-03-02T10:00:00.000Z",
        version: "2.1.7",
        isSidechain: false,
        ...record,
      }),
    )
    .join("\n");

const WRITERS = { openai, claude };
const IDS = [["call_0"], ["functions.sh:0"], ["call_1", "call_2", "call_1"], [" "], ["toolu_01"]];
const cases = Object.entries(WRITERS).flatMap(([format, write]) =>
  IDS.map((ids) => ({ format, write, ids })),
);

it.each(cases)("keeps the later call of $ids: $format", async ({ write, ids }) => {
  const session = await readText(write(callsWith(ids)));
  expect(session).toMatchObject({ toolCallCount: 3, issuedToolCallCount: 3 });
  const results = session.turns.flatMap((turn) => turn.toolCalls).map((call) => call.result);
  expect(results).toEqual([FAILS, "done", "1 passed"]);
  expect(session.notes).toEqual([]);
});

it.each(Object.entries(WRITERS))("gives each of 300 calls its result: %s", async (_, write) => {
  const calls = Array.from({ length: 300 }, (__, n) => ({
    id: "call_0",
    command: n % 2 === 0 ? "npm test" : `ls parcels/${n}`,
    result: `result ${n}`,
  }));
  const session = await readText(write(calls));
  const found = session.turns.flatMap((turn) => turn.toolCalls);
  expect(found.map((call) => call.result)).toEqual(calls.map(({ result }) => result));
  expect(callList(session)).toHaveLength(300);
});

it("keeps the place of a call beside others of its message", async () => {
  const message = (...commands: string[]) => ({
    role: "assistant",
    content: "",
    tool_calls: commands.map((command, n) => ({
      id: `call_${n}`,
      type: "function",
      function: { name: "bash", arguments: JSON.stringify({ command }) },
    })),
  });
  const result = (id: string, content: string) => ({ role: "tool", tool_call_id: id, content });
  const session = await readText(
    JSON.stringify([
      { role: "user", content: "Mend the test." },
      message("npm test"),
      result("call_0", "1 failed"),
      message("npm test", "npm run lint"),
      result("call_0", "1 passed"),
      result("call_1", "clean"),
    ]),
  );
  const calls = session.turns.flatMap((turn) => turn.toolCalls);
  expect(calls.map((call) => [call.command, call.result])).toEqual([
    ["npm test", "1 failed"],
    ["npm test", "1 passed"],
    ["npm run lint", "clean"],
  ]);
});

it("takes an id that no counter makes for the same call's", async () => {
  const session = await readText(openai(callsWith(["call_x7Gq2LmN0pRs4TvW"])));
  expect(session.issuedToolCallCount).toBe(2);
});

it("counts a session once whose records are repeated", async () => {
  const records = messagesOf(callsWith(["call_0"])).map((record) => JSON.stringify(record));
  const twice = await readText([...records, ...records].join("\n"));
  expect(twice.issuedToolCallCount).toBe(3);
});

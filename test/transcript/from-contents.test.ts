import { expect, test } from "vitest";
import { type Content, transcriptOf } from "../../src/transcript/from-contents.ts";
import { readTranscript } from "../../src/transcript/read-transcript.ts";
import { callList, conversation } from "./fixtures.ts";

const of = { sessionId: "s-1", cwd: "/home/user/parcels" };
const read = (history: readonly Content[]) => readTranscript(transcriptOf(history, of));

const HISTORY: readonly Content[] = [
  { role: "user", parts: [{ text: "Sort the parcels." }] },
  {
    role: "model",
    parts: [
      { text: "Hm.", thought: true },
      { text: "I look." },
      { functionCall: { id: "c1", name: "run_shell_command", args: { command: "npm test" } } },
      { functionCall: { id: "c2", name: "read_file", args: { file_path: "a.js" } } },
    ],
  },
  {
    role: "user",
    parts: [
      {
        functionResponse: { id: "c1", name: "run_shell_command", response: { error: "1 failed" } },
      },
      { functionResponse: { id: "c2", name: "read_file", response: { output: "text" } } },
      { text: "Not that one!" },
    ],
  },
  { role: "model", parts: [{ functionCall: { name: "ls", args: {} } }] },
  { role: "user", parts: [{ functionResponse: { name: "ls", response: { output: "a.js" } } }] },
  { role: "model", parts: [{ text: "Done." }] },
];

test("a host's history is read like a file of Qwen Code", async () => {
  const session = await read(HISTORY);
  expect(session).toMatchObject({
    id: "s-1",
    agent: "qwen-code",
    cwd: "/home/user/parcels",
    toolCallCount: 3,
    failedToolCallCount: 1,
  });
  expect(conversation(session)).toEqual([
    "user: Sort the parcels.",
    "agent: I look.",
    "user: Not that one!",
    "agent: ",
    "agent: Done.",
  ]);
  expect(callList(session)).toEqual([
    "c1 run_shell_command failure",
    "c2 read_file success",
    "- ls success",
  ]);
  expect(session.turns.every((turn) => !turn.rewound)).toBe(true);
});

test("the same history has the same digest, another one another", async () => {
  const { digest } = await read(HISTORY);
  expect((await read(structuredClone([...HISTORY]))).digest).toBe(digest);
  expect((await read(HISTORY.slice(0, 5))).digest).not.toBe(digest);
});

test("the history is read at once: what the host changes later is not seen", async () => {
  const history = [...HISTORY];
  const source = transcriptOf(history, of);
  history.length = 0;
  expect((await readTranscript(source)).turns).toHaveLength(5);
});

test("contents without parts, without role, and with unknown parts are no obstacle", async () => {
  const session = await read([
    {},
    { role: "user", parts: [{ text: "One." }] },
    { role: "model" },
    { parts: [{ text: "Two." }] },
    { role: "model", parts: [{ inlineData: { data: "AAAA" } } as object, { text: "Three." }] },
  ]);
  expect(conversation(session)).toEqual(["user: One.", "user: Two.", "agent: Three."]);
});

test("an empty history is an error that names the session", async () => {
  await expect(read([])).rejects.toMatchObject({
    code: "input",
    message: "the history of session s-1 is empty",
  });
});

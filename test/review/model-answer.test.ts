import { expect, test } from "vitest";
import { readAnswer } from "../../src/review/model-answer.ts";

function answer(message: Readonly<Record<string, unknown>>, finish: unknown = "stop") {
  const read = readAnswer({ choices: [{ message, finish_reason: finish }] }, new Set(["taken"]));
  if (!("message" in read)) throw new Error("no answer");
  return read;
}

test("text in parts is read as one text", () => {
  const content = [
    { type: "thinking", thinking: [{ type: "text", text: "hm" }] },
    { type: "text", text: "Nothing " },
    { type: "text", text: "to save." },
  ];
  expect(answer({ content })).toMatchObject({
    text: "Nothing to save.",
    message: { content: "Nothing to save." },
  });
});

test.each([
  ["<think>a</think>Done.", "Done."],
  ["a, the tag is in the template</think>\nDone.", "Done."],
  ["<think>never closed", ""],
  ["Done. I <think> so.", "Done. I <think> so."],
])("thoughts are left out of the text: %j", (content, text) => {
  const read = answer({ content });
  expect(read.text).toBe(text);
  expect(read.message.content).toBe(content);
});

test("arguments that are nested without end are refused, and the call goes back without them", () => {
  const deep = `{"path":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
  const call = { id: "x", type: "function", function: { name: "ls", arguments: deep } };
  const { calls, message } = answer({ content: null, tool_calls: [call] });
  expect(calls[0]!.arguments).toMatchObject({
    ok: false,
    reason: expect.stringContaining("deeply"),
  });
  expect(message.tool_calls![0]!.function.arguments).toBe("{}");
});

test("an id that another call of the review has is replaced", () => {
  const call = { id: "taken", type: "function", function: { name: "ls", arguments: "{}" } };
  const { calls, message } = answer({ content: null, tool_calls: [call] });
  expect(calls[0]!.id).toMatch(/^call\d{5}$/);
  expect(message.tool_calls![0]!.id).toBe(calls[0]!.id);
});

test("fields that a provider added to a call come along", () => {
  const extra_content = { example: { thought_signature: "abc" } };
  const call = {
    id: "x",
    type: "function",
    function: { name: "ls", arguments: "{}" },
    extra_content,
  };
  expect(answer({ tool_calls: [call] }).message.tool_calls![0]).toEqual(call);
});

test("a legacy call beside the same call in today's shape is one call", () => {
  const call = { name: "ls", arguments: "{}" };
  const tool_calls = [{ id: "x", type: "function", function: call }];
  const read = answer({ content: "", tool_calls, function_call: call });
  expect(read.calls).toHaveLength(1);
  expect(read.message.function_call).toBeUndefined();
});

test.each([
  ["no function", {}],
  ["a function that is a text", { function: "ls" }],
  ["a name that is none", { function: { name: 7, arguments: "{}" } }],
])("a call with %s has an empty name", (_, call) => {
  expect(answer({ tool_calls: [call, null, "x"] }).calls).toEqual([
    { id: expect.any(String), name: "", arguments: { ok: true, value: {} } },
  ]);
});

test.each([
  null,
  undefined,
  3,
  "text",
  [],
  {},
  { choices: 1 },
  { choices: [null] },
  { choices: [{ message: 3 }] },
])("%j is no answer", (body) => expect(readAnswer(body, new Set())).toEqual({ error: null }));

test("__proto__ in arguments is a key like others", () => {
  const call = { id: "x", function: { name: "ls", arguments: '{"__proto__":{"a":1}}' } };
  const { calls } = answer({ tool_calls: [call] });
  expect(({} as Record<string, unknown>)["a"]).toBeUndefined();
  expect(calls[0]!.arguments.ok).toBe(true);
});

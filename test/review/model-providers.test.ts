/** A whole review over each server's own shape: a call, its result, the end. Values are ours, fields are theirs. */
import { expect, test } from "vitest";
import { loopOver } from "../support/loop-over.ts";
import { scriptedModel } from "../support/scripted-model.ts";
import { scriptedTool } from "../support/scripted-tool.ts";

interface Provider {
  readonly name: string;
  /** The message with the call, as the server sends it. */
  readonly call: Readonly<Record<string, unknown>>;
  /** The last message. */
  readonly text: Readonly<Record<string, unknown>>;
  readonly callFields: Readonly<Record<string, unknown>>;
  readonly callFinish: string | null;
  readonly bodyFields: Readonly<Record<string, unknown>>;
  readonly tokens: readonly [input: number, output: number];
}

const ARGUMENTS = '{"path": "a.md"}';
const FUNCTION = { name: "read_file", arguments: ARGUMENTS };

const PROVIDERS: readonly Provider[] = [
  {
    name: "OpenAI",
    call: {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "call_Ab12", type: "function", function: FUNCTION }],
      refusal: null,
      annotations: [],
    },
    text: { role: "assistant", content: "Nothing to save.", refusal: null, annotations: [] },
    callFields: { index: 0, logprobs: null },
    callFinish: "tool_calls",
    bodyFields: {
      service_tier: "default",
      system_fingerprint: "fp_1",
      usage: {
        prompt_tokens: 80,
        completion_tokens: 17,
        total_tokens: 97,
        prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 0 },
      },
    },
    tokens: [160, 34],
  },
  {
    name: "DashScope",
    call: {
      content: "",
      reasoning_content: "I should read the file.",
      role: "assistant",
      tool_calls: [{ index: 0, id: "call_12ab", type: "function", function: FUNCTION }],
    },
    text: { content: "Nothing to save.", reasoning_content: "", role: "assistant" },
    callFields: { index: 0, logprobs: null },
    callFinish: "tool_calls",
    bodyFields: {
      system_fingerprint: null,
      usage: {
        prompt_tokens: 80,
        completion_tokens: 17,
        total_tokens: 97,
        prompt_tokens_details: { cached_tokens: 0 },
      },
    },
    tokens: [160, 34],
  },
  {
    name: "OpenRouter",
    call: {
      role: "assistant",
      content: "",
      refusal: null,
      reasoning: "I should read the file.",
      reasoning_details: [{ type: "reasoning.text", text: "I should read the file.", index: 0 }],
      tool_calls: [{ index: 0, id: "tool_0_read_file", type: "function", function: FUNCTION }],
    },
    text: { role: "assistant", content: "Nothing to save.", refusal: null, reasoning: null },
    callFields: { index: 0, logprobs: null, native_finish_reason: "STOP" },
    callFinish: "tool_calls",
    bodyFields: {
      provider: "Example",
      usage: { prompt_tokens: 80, completion_tokens: 17, total_tokens: 97, cost: 0.0001 },
    },
    tokens: [160, 34],
  },
  {
    name: "Ollama",
    call: {
      role: "assistant",
      content: "",
      reasoning: "I should read the file.",
      // Its own interface gives arguments as an object and no id; older versions let both through.
      tool_calls: [{ function: { index: 0, name: "read_file", arguments: { path: "a.md" } } }],
    },
    text: { role: "assistant", content: "<think>\nDone.\n</think>\n\nNothing to save." },
    callFields: { index: 0 },
    callFinish: "stop",
    bodyFields: {
      system_fingerprint: "fp_ollama",
      usage: { prompt_tokens: 80, completion_tokens: 17, total_tokens: 97 },
    },
    tokens: [160, 34],
  },
  {
    name: "vLLM",
    call: {
      role: "assistant",
      content: null,
      refusal: null,
      annotations: null,
      audio: null,
      function_call: null,
      tool_calls: [{ id: "chatcmpl-tool-12ab", type: "function", function: FUNCTION }],
      reasoning_content: null,
    },
    text: {
      role: "assistant",
      content: "Nothing to save.",
      refusal: null,
      audio: null,
      function_call: null,
      tool_calls: [],
      reasoning_content: null,
    },
    callFields: { index: 0, logprobs: null, stop_reason: null },
    callFinish: "tool_calls",
    bodyFields: {
      service_tier: null,
      usage: { prompt_tokens: 80, total_tokens: 97, prompt_tokens_details: null },
      prompt_logprobs: null,
      kv_transfer_params: null,
    },
    tokens: [160, 34],
  },
  {
    name: "llama.cpp",
    call: {
      role: "assistant",
      content: null,
      tool_calls: [{ type: "function", function: FUNCTION, id: "" }],
    },
    text: { role: "assistant", content: "Nothing to save." },
    callFields: { index: 0 },
    callFinish: "tool",
    bodyFields: {
      system_fingerprint: "b5000",
      timings: { prompt_n: 80, prompt_ms: 12.5, predicted_n: 17, predicted_ms: 340.1 },
    },
    tokens: [160, 34],
  },
];

test.each(PROVIDERS)("$name", async (provider) => {
  const turn = (message: unknown, finish_reason: string | null) => ({
    body: {
      id: "chatcmpl-1",
      object: "chat.completion",
      created: 1750000000,
      model: "example-model",
      choices: [{ ...provider.callFields, message, finish_reason }],
      ...provider.bodyFields,
    },
  });
  await using model = await scriptedModel([
    turn(provider.call, provider.callFinish),
    turn(provider.text, "stop"),
  ]);
  const tool = scriptedTool("read_file");
  const result = await loopOver(model, { tools: [tool] });

  expect(tool.received).toEqual([{ path: "a.md" }]);
  expect(result).toMatchObject({ end: "finished", turns: 2, finalText: "Nothing to save." });
  expect([result.inputTokens, result.outputTokens]).toEqual(provider.tokens);
  const [, , call, answer] = model.requests[1]!.body.messages;
  const wire = call!.tool_calls![0]! as unknown as Record<string, unknown>;
  expect(answer).toEqual({ role: "tool", tool_call_id: wire["id"], content: "read_file a.md" });
  expect(wire).toMatchObject({ id: expect.stringMatching(/./), type: "function" });
  const { arguments: text } = wire["function"] as { arguments: string };
  expect(JSON.parse(text)).toEqual({ path: "a.md" });
  // What a server adds for its clients' eyes would be refused by another's strict reader.
  const known = ["role", "content", "tool_calls", "reasoning_content", "reasoning_details"];
  expect(Object.keys(call!).filter((field) => !known.includes(field))).toEqual([]);
  expect(Object.values(call!).filter((value) => value === undefined)).toEqual([]);
});

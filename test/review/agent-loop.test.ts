import { describe, expect, test } from "vitest";
import { SkillprError } from "../../src/core/errors.ts";
import type { LoopOptions } from "../../src/review/agent-loop.ts";
import { startDeadline } from "../../src/review/deadline.ts";
import { loopOver, resultsIn } from "../support/loop-over.ts";
import { calls, completion, delayed, scriptedModel, type Turn } from "../support/scripted-model.ts";
import { scriptedTool } from "../support/scripted-tool.ts";

async function errorOf(script: readonly Turn[], options: Partial<LoopOptions> = {}) {
  await using model = await scriptedModel(script);
  const error = await loopOver(model, options).then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(SkillprError);
  return error as SkillprError;
}

describe("a review", () => {
  test("calls a tool, reads its result, and finishes with a text", async () => {
    await using model = await scriptedModel([calls(["read_file", { path: "a.md" }]), "Done."]);
    const tool = scriptedTool("read_file");
    const result = await loopOver(model, { tools: [tool] });
    expect(tool.received).toEqual([{ path: "a.md" }]);
    expect(result).toMatchObject({ end: "finished", turns: 2, toolCalls: 1, finalText: "Done." });
    expect(resultsIn(model, 1)).toEqual(["read_file a.md"]);
  });

  test("sends each request as the previous one's messages and more, byte for byte", async () => {
    await using model = await scriptedModel([
      calls(["read_file", { path: "ä.md" }], ["read_file", '{ "path" :  "b.md" }']),
      completion({ text: "One more look.", toolCalls: [["read_file", { path: "c.md" }, "id-3"]] }),
      calls(["read_file", "{not json"]),
      "Nothing to save.",
    ]);
    await loopOver(model);
    const texts = model.requests.map(({ text }) => text);
    expect(texts).toHaveLength(4);
    for (const [index, text] of texts.slice(1).entries()) {
      const end = texts[index]!.indexOf('],"tools":');
      expect(end).toBeGreaterThan(0);
      expect(text.startsWith(texts[index]!.slice(0, end))).toBe(true);
    }
    // The arguments' own spacing too.
    expect(texts[1]).toContain(JSON.stringify('{ "path" :  "b.md" }'));
  });

  test("offers exactly the tools, and nothing that some servers refuse", async () => {
    await using model = await scriptedModel(["Nothing to save."]);
    await loopOver(model, { tools: [scriptedTool("read_file"), scriptedTool("ls")] });
    const { body } = model.requests[0]!;
    expect(Object.keys(body).sort()).toEqual(["messages", "model", "tools"]);
    expect(body.tools!.map((tool) => tool.function.name)).toEqual(["read_file", "ls"]);
  });

  test("adds up tokens and the bytes that were sent", async () => {
    await using model = await scriptedModel([calls(["read_file", { path: "ü" }]), "Done."]);
    const result = await loopOver(model);
    const bytes = model.requests.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
    expect(result).toMatchObject({ inputTokens: 200, outputTokens: 20, requestBytes: bytes });
  });

  test("ends at the round limit when the model never stops calling, its last calls run", async () => {
    const tool = scriptedTool("read_file");
    await using model = await scriptedModel(
      [1, 2, 3].map((n) => calls(["read_file", { path: `${n}` }])),
    );
    const result = await loopOver(model, { tools: [tool], maxTurns: 3 });
    expect(result).toMatchObject({ end: "max_turns", turns: 3, toolCalls: 3 });
    expect(tool.received).toHaveLength(3);
  });
});

describe("answers that are no work", () => {
  test("an empty answer at the beginning is asked about once, then it is an error", async () => {
    await using model = await scriptedModel(["", "Nothing to save."]);
    expect(await loopOver(model)).toMatchObject({
      end: "finished",
      turns: 2,
      finalText: "Nothing to save.",
    });
    expect(model.requests[1]!.body.messages.slice(2)).toMatchObject([
      { role: "assistant", content: "(no answer)" },
      { role: "user", content: expect.stringContaining("Your answer was empty") },
    ]);
    const error = await errorOf(["", completion({ text: null })]);
    expect(error.code).toBe("model");
    expect(error.message).toContain("answered with nothing, twice");
  });

  test("an empty answer after some work means done", async () => {
    await using model = await scriptedModel([calls(["read_file", { path: "a" }]), ""]);
    expect(await loopOver(model)).toMatchObject({ end: "finished", turns: 2 });
  });

  test.each([
    [
      "refusal",
      completion({ finish: "stop", extra: { refusal: "I can't help with that." } }),
      "I can't help with that.",
    ],
    ["content filter", completion({ text: "", finish: "content_filter" }), "a content filter"],
  ])("a %s is an error that says so", async (_, turn, words) => {
    const error = await errorOf([turn]);
    expect(error.code).toBe("model");
    expect(error.message).toBe(`the model example-model refused the review: ${words}`);
  });

  test("finish_reason length with calls: the last one is not run, the others are", async () => {
    const tool = scriptedTool("read_file");
    await using model = await scriptedModel([
      completion({
        finish: "length",
        toolCalls: [
          ["read_file", { path: "a" }],
          ["read_file", { path: "half" }],
        ],
      }),
      "Done.",
    ]);
    await loopOver(model, { tools: [tool] });
    expect(tool.received).toEqual([{ path: "a" }]);
    expect(resultsIn(model, 1)[1]).toMatch(/^Error: not run: the answer was cut off/);
  });

  test("finish_reason length without calls: the model is asked to go on", async () => {
    await using model = await scriptedModel([
      completion({ text: "I would now", finish: "length" }),
      "Nothing to save.",
    ]);
    expect(await loopOver(model)).toMatchObject({ end: "finished", turns: 2 });
    expect(resultsIn(model, 1)[0]).toMatch(/^Your answer was cut off/);
  });

  test.each([
    [
      "Qwen's markup",
      '<tool_call>\n{"name": "read_file", "arguments": {"path": "a"}}\n</tool_call>',
    ],
    ["bare JSON", '{"name": "read_file", "parameters": {"path": "a"}}'],
    ["a skill", "Here it is:\n---\nname: a\nmetadata:\n  source: auto-skill\n---\n# A"],
  ])("a model without tool support is an error: %s as text", async (_, text) => {
    const error = await errorOf([text]);
    expect(error.code).toBe("model");
    expect(error.message).toMatch(/wrote (its tool calls as plain text|a skill into its answer)/);
    expect(error.hint).toContain("OPENAI_MODEL or --model");
  });

  test("the same text is fine once a call has come through", async () => {
    await using model = await scriptedModel([
      calls(["read_file", { path: "a" }]),
      "I wrote `<tool_call>{` about read_file.",
    ]);
    expect((await loopOver(model)).end).toBe("finished");
  });

  test("thoughts are no words of the model, but go back to it beside its calls", async () => {
    const extra = { reasoning_content: "Let me think." };
    await using model = await scriptedModel([
      completion({ toolCalls: [["read_file", { path: "a" }]], extra }),
      "<think>All done?</think>\n\nNothing to save.",
    ]);
    expect((await loopOver(model)).finalText).toBe("Nothing to save.");
    expect(model.requests[1]!.body.messages[2]).toMatchObject(extra);
  });
});

describe("the end of time", () => {
  test("the deadline aborts the running request", async () => {
    await using model = await scriptedModel([delayed(20_000, "too late")]);
    using deadline = startDeadline(100, new AbortController().signal);
    const startedAt = performance.now();
    const error = await loopOver(model, { signal: deadline.signal }).catch((reason) => reason);
    expect(performance.now() - startedAt).toBeLessThan(5000);
    expect(error).toMatchObject({ code: "model" });
    expect(error.message).toContain("did not finish within 0.1 seconds");
  });

  test("the deadline ends a tool that hangs", async () => {
    await using model = await scriptedModel([calls(["read_file", { path: "a" }])]);
    using deadline = startDeadline(300, new AbortController().signal);
    const tools = [scriptedTool("read_file", () => new Promise(() => undefined))];
    await expect(loopOver(model, { tools, signal: deadline.signal })).rejects.toMatchObject({
      code: "model",
      message: expect.stringContaining("did not finish within 0.3 seconds"),
    });
  });

  test("the deadline ends a redaction that hangs", async () => {
    await using model = await scriptedModel([calls(["read_file", { path: "a" }])]);
    using deadline = startDeadline(300, new AbortController().signal);
    const finalize = () => new Promise<string>(() => undefined);
    await expect(loopOver(model, { finalize, signal: deadline.signal })).rejects.toMatchObject({
      code: "model",
    });
  });

  test("Ctrl-C while the model answers is `interrupted`", async () => {
    await using model = await scriptedModel([delayed(20_000, "too late")]);
    const user = new AbortController();
    using deadline = startDeadline(20_000, user.signal);
    setTimeout(() => user.abort("SIGINT"), 50);
    await expect(loopOver(model, { signal: deadline.signal })).rejects.toMatchObject({
      code: "interrupted",
      message: "the review was stopped by SIGINT",
    });
  });

  test("a signal that is aborted already makes no request", async () => {
    await using model = await scriptedModel([]);
    await expect(loopOver(model, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: "interrupted",
    });
    expect(model.requests).toEqual([]);
  });
});

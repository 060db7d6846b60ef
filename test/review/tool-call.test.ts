import { describe, expect, test } from "vitest";
import { MODEL_CALLS_PER_ANSWER_MAX } from "../../src/core/limits.ts";
import type { LoopOptions } from "../../src/review/agent-loop.ts";
import { loopOver, resultsIn } from "../support/loop-over.ts";
import { calls, completion, scriptedModel } from "../support/scripted-model.ts";
import { scriptedTool } from "../support/scripted-tool.ts";

describe("tool calls", () => {
  test("parallel ones of one answer run in order, each with its own result", async () => {
    await using model = await scriptedModel([
      calls(
        ["read_file", { path: "a" }, "x1"],
        ["nope", {}, "x2"],
        ["read_file", { path: "b" }, "x3"],
      ),
      "Done.",
    ]);
    await loopOver(model);
    const results = model.requests[1]!.body.messages.filter(({ role }) => role === "tool");
    expect(results.map(({ tool_call_id }) => tool_call_id)).toEqual(["x1", "x2", "x3"]);
    expect(results[0]!.content).toBe("read_file a");
    expect(results[1]!.content).toBe('Error: there is no tool "nope"; the tools are read_file');
    expect(results[2]!.content).toBe("read_file b");
  });

  test("between two of them the clock can speak: the next one is not run", async () => {
    const list = Array.from({ length: 20 }, () => ["read_file", { path: "a" }] as const);
    await using model = await scriptedModel([calls(...list), "Done."]);
    const clock = new AbortController();
    const tool = scriptedTool("read_file", () => {
      setImmediate(() => clock.abort("the clock"));
      return "";
    });
    await expect(loopOver(model, { tools: [tool], signal: clock.signal })).rejects.toMatchObject({
      code: "interrupted",
    });
    expect(tool.received).toHaveLength(1);
  });

  test("several answers with text and calls: the last text is the final one", async () => {
    await using model = await scriptedModel([
      completion({ text: "First I look.", toolCalls: [["read_file", { path: "a" }]] }),
      completion({ text: "Now again.", toolCalls: [["read_file", { path: "b" }]] }),
      "I am done.",
    ]);
    expect(await loopOver(model)).toMatchObject({ turns: 3, finalText: "I am done." });
    expect(model.requests[1]!.body.messages[2]!.content).toBe("First I look.");
  });

  test("a legacy function_call is answered in its own shape", async () => {
    const function_call = { name: "read_file", arguments: '{"path":"a"}' };
    await using model = await scriptedModel([
      completion({ finish: "function_call", extra: { function_call } }),
      "Done.",
    ]);
    const tool = scriptedTool("read_file");
    await loopOver(model, { tools: [tool] });
    expect(tool.received).toEqual([{ path: "a" }]);
    expect(model.requests[1]!.body.messages.slice(2)).toEqual([
      { role: "assistant", content: null, function_call },
      { role: "function", name: "read_file", content: "read_file a" },
    ]);
  });

  test.each([
    [
      "not JSON",
      "{path: a",
      /^Error: the arguments are not valid JSON \(they begin with \{path: a\)/,
    ],
    ["a list", "[1]", /^Error: the arguments must be one JSON object, not \[1\]/],
    ["a number", "7", /^Error: the arguments must be one JSON object, not 7/],
    ["against the schema", '{"path":3}', /^Error: read_file needs "path"/],
    ["nothing", "", /^Error: read_file needs "path"/],
  ])("arguments that are %s come back as an error", async (_, text, expected) => {
    const tool = scriptedTool("read_file");
    await using model = await scriptedModel([calls(["read_file", text]), "Done."]);
    await loopOver(model, { tools: [tool] });
    expect(tool.received).toEqual([]);
    expect(resultsIn(model, 1)[0]).toMatch(expected);
    // Servers with chat templates parse what is sent back.
    const sent = model.requests[1]!.body.messages[2]!.tool_calls as unknown as {
      function: { arguments: string };
    }[];
    expect(() => JSON.parse(sent[0]!.function.arguments)).not.toThrow();
  });

  test.each([
    ["an object already", { path: "a" }],
    ["JSON text of JSON text", JSON.stringify(JSON.stringify({ path: "a" }))],
  ])("arguments that are %s are understood", async (_, args) => {
    const tool = scriptedTool("read_file");
    const raw = { id: "x", type: "function", function: { name: "read_file", arguments: args } };
    await using model = await scriptedModel([
      completion({ finish: "tool_calls", extra: { tool_calls: [raw] } }),
      "Done.",
    ]);
    await loopOver(model, { tools: [tool] });
    expect(tool.received).toEqual([{ path: "a" }]);
    expect(model.requests[1]!.text).toContain(JSON.stringify('{"path":"a"}'));
  });

  test("missing and repeated ids become ids of their own, also across answers", async () => {
    const raw = (id: unknown) => ({
      id,
      type: "function",
      function: { name: "read_file", arguments: '{"path":"a"}' },
    });
    const answer = (...ids: unknown[]) =>
      completion({ finish: "tool_calls", extra: { tool_calls: ids.map(raw) } });
    await using model = await scriptedModel([
      answer("call_0", "call_0", undefined, "", null, 5),
      answer("call_0"),
      "Done.",
    ]);
    await loopOver(model);
    const { messages } = model.requests[2]!.body;
    const asked = messages.flatMap((message) => message.tool_calls ?? []).map(({ id }) => id);
    const answered = messages.flatMap(({ tool_call_id }) => tool_call_id ?? []);
    expect(asked).toHaveLength(7);
    expect(new Set(asked).size).toBe(7);
    expect(answered).toEqual(asked);
    expect(asked[0]).toBe("call_0");
  });

  test("more calls than one answer may hold are answered, not run", async () => {
    const tool = scriptedTool("read_file");
    const many = Array.from(
      { length: MODEL_CALLS_PER_ANSWER_MAX + 2 },
      (_, n) => ["read_file", { path: `${n}` }] as const,
    );
    await using model = await scriptedModel([calls(...many), "Done."]);
    await loopOver(model, { tools: [tool] });
    expect(tool.received).toHaveLength(MODEL_CALLS_PER_ANSWER_MAX);
    expect(resultsIn(model, 1)).toHaveLength(many.length);
    expect(resultsIn(model, 1).at(-1)).toMatch(/^Error: not run: one answer may hold/);
  });

  test("the policy is asked after the arguments are checked, and its sentence goes to the model", async () => {
    const tool = scriptedTool("edit");
    const asked: unknown[] = [];
    await using model = await scriptedModel([
      calls(["edit", { path: 1 }, "x1"], ["edit", { path: "secret.txt" }, "x2"]),
      "Done.",
    ]);
    const policy: LoopOptions["policy"] = async (call) => {
      asked.push(call);
      return "only .qwen/skills may be changed";
    };
    await loopOver(model, { tools: [tool], policy });
    expect(asked).toEqual([{ name: "edit", args: { path: "secret.txt" } }]);
    expect(tool.received).toEqual([]);
    expect(resultsIn(model, 1)[1]).toBe("Error: only .qwen/skills may be changed");
  });

  test("every result passes finalize, refusals too, and is withheld when that fails", async () => {
    await using model = await scriptedModel([
      calls(["read_file", { path: "hunter2" }, "x1"], ["hunter2", {}, "x2"]),
      calls(["read_file", { path: "BOOM" }]),
      "Done.",
    ]);
    const finalize = async (text: string) => {
      if (text.includes("BOOM")) throw new Error("scanner failed");
      return text.replaceAll("hunter2", "[redacted]");
    };
    await loopOver(model, { finalize });
    expect(resultsIn(model, 1)).toEqual([
      "read_file [redacted]",
      'Error: there is no tool "[redacted]"; the tools are read_file',
    ]);
    expect(resultsIn(model, 2)[0]).toMatch(/could not be checked for secrets and is withheld$/);
    expect(resultsIn(model, 2)[0]).not.toContain("BOOM");
  });

  test.each([
    [
      "a tool",
      {
        tools: [
          scriptedTool("read_file", () => {
            throw new TypeError("broken");
          }),
        ],
      },
    ],
    [
      "a policy",
      {
        policy: async () => {
          throw new TypeError("broken");
        },
      },
    ],
  ])("%s that throws is an error result", async (_, options) => {
    await using model = await scriptedModel([calls(["read_file", { path: "a" }]), "Done."]);
    expect((await loopOver(model, options)).end).toBe("finished");
    expect(resultsIn(model, 1)).toEqual(["Error: read_file failed: broken"]);
  });
});

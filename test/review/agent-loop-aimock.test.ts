/** The loop against a server that somebody else wrote. */
import { LLMock } from "@copilotkit/aimock";
import { expect, test } from "vitest";
import { runAgentLoop } from "../../src/review/agent-loop.ts";
import { createModelClient } from "../../src/review/model.ts";
import { TEXTS } from "../support/review-templates.ts";
import { scriptedTool } from "../support/scripted-tool.ts";

test("a review over another implementation of the interface", async () => {
  const server = new LLMock({ port: 0 });
  server.on(
    { userMessage: "The session", turnIndex: 0 },
    {
      content: "First I look.",
      toolCalls: [
        { name: "read_file", arguments: '{"path":"a.md"}' },
        { name: "read_file", arguments: '{"path":"b.md"}' },
      ],
    },
  );
  server.on({ userMessage: "The session", turnIndex: 1 }, { content: "Nothing to save." });
  await server.start();
  try {
    const model = await createModelClient({
      model: "gpt-4o",
      baseUrl: `${server.url}/v1`,
      apiKey: "key-for-tests",
      log: null,
    });
    const tool = scriptedTool("read_file");
    const result = await runAgentLoop({
      model,
      tools: [tool],
      policy: async () => null,
      finalize: async (text) => text,
      system: "You review sessions.",
      messages: [{ role: "user", content: "The session: …" }],
      texts: TEXTS,
      maxTurns: 8,
      signal: new AbortController().signal,
    });
    expect(tool.received).toEqual([{ path: "a.md" }, { path: "b.md" }]);
    expect(result).toMatchObject({
      end: "finished",
      turns: 2,
      toolCalls: 2,
      finalText: "Nothing to save.",
    });
    expect(result.inputTokens).toBeGreaterThan(0);
  } finally {
    await server.stop();
  }
});

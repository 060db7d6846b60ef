import { type LoopOptions, runAgentLoop } from "../../src/review/agent-loop.ts";
import { createModelClient } from "../../src/review/model.ts";
import { TEXTS } from "./review-templates.ts";
import type { ScriptedModel } from "./scripted-model.ts";
import { scriptedTool } from "./scripted-tool.ts";

/** Runs a review against a scripted model, with the tool `read_file` unless told otherwise. */
export async function loopOver(model: ScriptedModel, options: Partial<LoopOptions> = {}) {
  const client = await createModelClient({
    model: "example-model",
    baseUrl: model.url,
    apiKey: "key-for-tests-0001",
    log: null,
    timing: { pauseMs: 5 },
  });
  return runAgentLoop({
    model: client,
    tools: [scriptedTool("read_file")],
    policy: async () => null,
    finalize: async (text) => text,
    system: "You review sessions.",
    texts: TEXTS,
    messages: [{ role: "user", content: "The session: …" }],
    maxTurns: 8,
    signal: new AbortController().signal,
    ...options,
  });
}

/** The results that the model saw in a request, the newest answer's. */
export function resultsIn(model: ScriptedModel, request: number): (string | null)[] {
  const { messages } = model.requests[request]!.body;
  const last = messages.findLastIndex(({ role }) => role === "assistant");
  return messages.slice(last + 1).map(({ content }) => content);
}

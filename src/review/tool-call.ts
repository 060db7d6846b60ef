import { setImmediate } from "node:timers/promises";
import { MODEL_CALLS_PER_ANSWER_MAX } from "../core/limits.ts";
import { count, safeLine } from "../core/text.ts";
import type { ChatMessage } from "./chat-message.ts";
import { stopError, unlessStopped } from "./deadline.ts";
import type { Answer, RequestedCall } from "./model-answer.ts";
import type { Policy, Tool, ToolOutput } from "./tool.ts";

/** What the calls of a review run with. */
export interface ToolRun {
  readonly tools: readonly Tool[];
  readonly policy: Policy;
  /** Redaction: every result passes it before the model sees it. */
  readonly finalize: (text: string) => Promise<string>;
  readonly signal: AbortSignal;
}

/**
 * Runs the calls of one answer in their order, one after the other: a later one may build on what
 * an earlier one wrote. Each gets its result, whatever happens to it.
 *
 * @throws only what stopError() says, when the time is up or the user stops
 */
export async function runCalls(answer: Answer, run: ToolRun): Promise<ChatMessage[]> {
  const results: ChatMessage[] = [];
  for (const [index, call] of answer.calls.entries()) {
    // A model may send calls by the hundred thousand, and promises alone never let the clock speak.
    await setImmediate();
    if (run.signal.aborted) throw stopError(run.signal);
    const isHalf = answer.isCut && index === answer.calls.length - 1;
    const refusal = index >= MODEL_CALLS_PER_ANSWER_MAX ? TOO_MANY : isHalf ? HALF : null;
    // Our own words hold no secret.
    const text =
      refusal === null ? await finalized(await runCall(call, run), run) : `Error: ${refusal}`;
    results.push(resultMessage(call, text));
  }
  return results;
}

const TOO_MANY = `not run: one answer may hold ${MODEL_CALLS_PER_ANSWER_MAX} calls. Call again with the rest`;
const HALF =
  "not run: the answer was cut off at the output limit, so this call may be incomplete. Send it again, shorter or in smaller pieces";

/** Prepare, ask the policy, execute: the first that says no answers. */
async function runCall(call: RequestedCall, run: ToolRun): Promise<ToolOutput> {
  const tool = run.tools.find(({ name }) => name === call.name);
  if (tool === undefined) {
    const names = run.tools.map(({ name }) => name).join(", ");
    return failure(`there is no tool "${safeLine(call.name)}"; the tools are ${names}`);
  }
  if (!call.arguments.ok) return failure(call.arguments.reason);
  const given = call.arguments.value;
  try {
    return await unlessStopped(preparedCall(tool, given, run), run.signal);
  } catch (error) {
    // Stopped: nothing more is run. Everything else is for the model to react to.
    if (run.signal.aborted) throw error;
    const what = error instanceof Error ? error.message : String(error);
    return failure(`${tool.name} failed: ${safeLine(what)}`);
  }
}

async function preparedCall(
  tool: Tool,
  given: Readonly<Record<string, unknown>>,
  run: ToolRun,
): Promise<ToolOutput> {
  const prepared = tool.prepare(given);
  if (!prepared.ok) return failure(prepared.reason);
  const { args } = prepared;
  const refusal = await run.policy({ name: tool.name, args });
  if (refusal !== null) return failure(refusal);
  return tool.execute(args, run.signal);
}

function failure(text: string): ToolOutput {
  return { text, isError: true };
}

/** The wire has no flag for a failed call: the text says so. What could not be redacted is not shown. */
async function finalized(output: ToolOutput, run: ToolRun): Promise<string> {
  const text = output.isError ? `Error: ${output.text}` : output.text;
  try {
    return await unlessStopped(run.finalize(text), run.signal);
  } catch (error) {
    if (run.signal.aborted) throw error;
    return `Error: the result (${count(text.length, "character")}) could not be checked for secrets and is withheld`;
  }
}

function resultMessage(call: RequestedCall, content: string): ChatMessage {
  if (call.id === null) return { role: "function", name: call.name, content };
  return { role: "tool", tool_call_id: call.id, content };
}

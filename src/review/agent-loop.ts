/**
 * The loop of the review agent: ask the model, run what it calls, append the results, ask again.
 *
 * What a tool, its arguments or a policy refuse becomes a result that the model can react to.
 * Out of the loop come only a SkillprError `model` (the server, the deadline, a model that refuses
 * or can't call tools) or `interrupted`.
 */
import { SkillprError } from "../core/errors.ts";
import { QUOTE_MAX_CHARS } from "../core/limits.ts";
import { cut, safeLine } from "../core/text.ts";
import { type AssistantMessage, type ChatMessage, NO_WORDS } from "./chat-message.ts";
import { stopError } from "./deadline.ts";
import type { ModelAnswer, ModelClient } from "./model.ts";
import { toolSupportHint } from "./model-errors.ts";
import type { ReviewTexts } from "./review-texts.ts";
import { SentCounter, type SentParts } from "./sent-parts.ts";
import { NOTHING_SPENT, type Spent, spentWith } from "./spent.ts";
import { runCalls, type ToolRun } from "./tool-call.ts";
import { missingToolSupport } from "./tool-support.ts";

export interface LoopOptions extends ToolRun {
  readonly model: ModelClient;
  readonly system: string;
  /** What the model is asked, after the system prompt. */
  readonly messages: readonly ChatMessage[];
  /** What is said to a model that goes astray. */
  readonly texts: ReviewTexts;
  /** Rounds at most; the calls of the last one are still run. */
  readonly maxTurns: number;
}

export interface LoopResult extends Spent {
  /** `finished`: the model said that it is done. `max_turns`: it still called tools in the last round. */
  readonly end: "finished" | "max_turns";
  /** Calls that the model made, refused ones too. */
  readonly toolCalls: number;
  readonly parts: SentParts;
  /** The model's last words, without its thoughts; not redacted. */
  readonly finalText: string;
}

/**
 * @param options `signal`: the deadline and the user's Ctrl-C (see startDeadline); it aborts the running request
 * @throws SkillprError code `model` or `interrupted`
 */
export async function runAgentLoop(options: LoopOptions): Promise<LoopResult> {
  const { model, tools, signal, maxTurns } = options;
  const messages: ChatMessage[] = [
    { role: "system", content: options.system },
    ...options.messages,
  ];
  let sum = { ...NOTHING_SPENT, toolCalls: 0 };
  const sent = new SentCounter(
    tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
    messages.length,
  );
  let finalText = "";
  while (sum.turns < maxTurns) {
    if (signal.aborted) throw stopError(signal);
    sent.count(messages);
    const answer = await model.complete({ messages, tools, signal });
    const isFirst = sum.toolCalls === 0;
    sum = { ...spentWith(sum, answer), toolCalls: sum.toolCalls + answer.calls.length };
    finalText = answer.text || finalText;
    if (answer.refusal !== null) throw refusalError(model, answer.refusal);
    if (answer.calls.length > 0) {
      messages.push(answer.message, ...(await runCalls(answer, options)));
      continue;
    }
    if (isFirst) throwWithoutToolSupport(answer, options);
    const request = requestToGoOn(answer, messages, isFirst, options);
    if (request === null) return { ...sum, parts: sent.parts, end: "finished", finalText };
    messages.push(spoken(answer.message), { role: "user", content: request });
  }
  return { ...sum, parts: sent.parts, end: "max_turns", finalText };
}

/** What to tell a model that neither called a tool nor is done; null when it is done. */
function requestToGoOn(
  answer: ModelAnswer,
  messages: readonly ChatMessage[],
  isFirst: boolean,
  { model, texts }: LoopOptions,
): string | null {
  if (answer.isCut) return texts("loop.cut-off");
  // Silence after some work is how many models say that they are done.
  if (answer.text !== "" || !isFirst) return null;
  const last = messages.at(-1);
  const goOn = texts("loop.empty");
  if (last?.role !== "user" || last.content !== goOn) return goOn;
  throw new SkillprError(
    "model",
    `the model ${safeLine(model.name)} answered with nothing, twice`,
    "look at OPENAI_MODEL or --model; --model-log DIR shows what it sent",
  );
}

function spoken(message: AssistantMessage): AssistantMessage {
  return message.content?.trim() ? message : { ...message, content: NO_WORDS };
}

function throwWithoutToolSupport(answer: ModelAnswer, { model, tools }: LoopOptions): void {
  const names = tools.map(({ name }) => name);
  const why = missingToolSupport(answer.message.content ?? "", names);
  if (why === null) return;
  const name = safeLine(model.name);
  throw new SkillprError("model", `the model ${name} ${why}`, toolSupportHint(name));
}

function refusalError(model: ModelClient, words: string): SkillprError {
  return new SkillprError(
    "model",
    `the model ${safeLine(model.name)} refused the review: ${safeLine(cut(words, QUOTE_MAX_CHARS))}`,
    "try another model with OPENAI_MODEL or --model; --model-log DIR shows what was asked",
  );
}

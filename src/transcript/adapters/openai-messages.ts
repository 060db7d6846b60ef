/**
 * OpenAI-style messages: a list, `{"messages": […]}`, the dump of a request, or a message a line;
 * also the items of the Responses API in each of these.
 *
 * The shape names no agent, folder or time, and no outcome: a result that tells of an error in a
 * way that tools commonly do is a failure, anything else a success.
 */
import type { TranscriptAdapter, TranscriptFormat } from "../adapter.ts";
import { userWords } from "../injected-text.ts";
import { asId, asList, asRecord, asRecords, asText, type JsonRecord } from "../json-values.ts";
import type { SessionBuilder } from "../session-builder.ts";
import type { TurnDraft } from "../session-drafts.ts";
import { textOfBlocks } from "./content-blocks.ts";
import { conversationOf, messagesOf, readConversationFacts } from "./message-envelope.ts";
import { plainResult } from "./plain-result.ts";
import { ResponseItems } from "./response-items.ts";

const ROLES = new Set(["system", "developer", "user", "assistant", "tool", "function"]);

export const openaiMessages: TranscriptFormat = {
  name: "openai-messages",
  agent: "openai-messages",
  label: "OpenAI-style messages (a JSON list, an object with `messages`, or a message a line)",
  isGeneric: true,
  mayOmitResults: true,
  matches: ({ records, isWhole }) => {
    const messages = messagesOf(records, isWhole);
    const isConversation = messages.every((message) => isMessage(message) || isItem(message));
    return messages.length > 0 && isConversation && messages.some(isSpoken);
  },
  open: (builder) => new OpenaiMessagesAdapter(builder),
};

function isMessage(record: JsonRecord): boolean {
  if (!ROLES.has(asText(record["role"]) ?? "") || record["type"] === "session") return false;
  const { content } = record;
  if (Array.isArray(content)) return !content.some(isAnthropicBlock);
  const isEmpty = content === null || content === undefined;
  return typeof content === "string" || (isEmpty && hasCall(record));
}

/** An item of the Responses API that is no message: a call, an output, a thought. */
function isItem(record: JsonRecord): boolean {
  return /^(?:reasoning|[a-z_]+_call(?:_output)?|item_reference)$/.test(
    asText(record["type"]) ?? "",
  );
}

function isAnthropicBlock(block: unknown): boolean {
  const type = asRecord(block)?.["type"];
  return type === "tool_use" || type === "tool_result";
}

function hasCall(record: JsonRecord): boolean {
  return Array.isArray(record["tool_calls"]) || asRecord(record["function_call"]) !== null;
}

function isSpoken(record: JsonRecord): boolean {
  return record["role"] === "user" || record["role"] === "assistant";
}

class OpenaiMessagesAdapter implements TranscriptAdapter {
  readonly #builder: SessionBuilder;
  readonly #items: ResponseItems;

  constructor(builder: SessionBuilder) {
    this.#builder = builder;
    this.#items = new ResponseItems(builder);
  }

  record(record: JsonRecord): void {
    const isMessageItself = record["role"] !== undefined || isItem(record);
    const conversation = isMessageItself ? null : conversationOf(record);
    if (conversation === null) {
      this.#message(record);
      return;
    }
    readConversationFacts(this.#builder, conversation);
    for (const message of conversation.messages) this.#message(message);
  }

  end(): void {}

  #message(message: JsonRecord): void {
    const at = message["timestamp"] ?? message["created_at"];
    const isOfResponse = isItem(message) || message["type"] === "message";
    if (isOfResponse && message["role"] !== "user") {
      this.#items.add(message, { at, cwd: null, subagent: null });
      return;
    }
    this.#items.close();
    if (message["role"] === "assistant") this.#agentMessage(message, at);
    else if (message["role"] === "user") {
      const words = userWords(textOfBlocks(message["content"]) ?? "");
      if (words !== "") this.#builder.say(this.#builder.turn(null, { role: "user", at }), words);
    } else if (message["role"] === "tool" || message["role"] === "function") this.#result(message);
  }

  #agentMessage(message: JsonRecord, at: unknown): void {
    this.#builder.facts.model ??= asId(message["model"]);
    const turn = this.#builder.turn(null, { role: "agent", at });
    this.#builder.say(turn, textOfBlocks(message["content"]) ?? "");
    for (const call of callsOf(message)) this.#call(turn, call, at);
  }

  #call(turn: TurnDraft, call: JsonRecord, at: unknown): void {
    const called = asRecord(call["function"]) ?? call;
    const args = called["arguments"] ?? called["args"] ?? called["input"];
    this.#builder.call(turn, { id: call["id"], name: called["name"], args, at });
  }

  #result(message: JsonRecord): void {
    const text = textOfBlocks(message["content"]);
    this.#builder.answer(
      message["tool_call_id"],
      (call) => plainResult(message, text, call),
      asText(message["name"]),
    );
  }
}

/** Some converters repeat the calls as content blocks; they count only when nothing else is there. */
function callsOf(message: JsonRecord): JsonRecord[] {
  const calls = asList(message["tool_calls"]);
  const old = asRecord(message["function_call"]);
  const blocks = asList(message["content"]).filter(
    (block) => asRecord(block)?.["type"] === "tool_call",
  );
  const found = calls.length > 0 ? calls : old !== null ? [old] : blocks;
  return asRecords(found);
}

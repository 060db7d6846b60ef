/**
 * Messages of Anthropic's API: a list, `{"messages": […]}`, the dump of a request, or a message a
 * line. The shape names no agent, folder or time.
 */
import type { TranscriptAdapter, TranscriptFormat } from "../adapter.ts";
import { userWords } from "../injected-text.ts";
import { asId, asList, asRecord, type JsonRecord } from "../json-values.ts";
import type { SessionBuilder } from "../session-builder.ts";
import { headlessResult } from "./claude-result.ts";
import { addAgentBlocks, addResultBlocks, userTexts } from "./content-blocks.ts";
import { conversationOf, messagesOf, readConversationFacts } from "./message-envelope.ts";

export const anthropicMessages: TranscriptFormat = {
  name: "anthropic-messages",
  agent: "anthropic-messages",
  label: "Anthropic-style messages (a JSON list, an object with `messages`, or a message a line)",
  isGeneric: true,
  mayOmitResults: true,
  matches: ({ records, isWhole }) => {
    const messages = messagesOf(records, isWhole);
    return messages.some(holdsToolBlock) && messages.every(isAnthropicMessage);
  },
  open: (builder) => new AnthropicMessagesAdapter(builder),
};

/** True for a message as the API takes it; a system message may stand in front. */
export function isAnthropicMessage(message: JsonRecord): boolean {
  const { role, content } = message;
  if (role !== "user" && role !== "assistant" && role !== "system") return false;
  return typeof content === "string" || Array.isArray(content);
}

/** True when a call or a result is a block of the message. */
function holdsToolBlock(message: JsonRecord): boolean {
  return asList(message["content"]).some((block) => {
    const type = asRecord(block)?.["type"];
    return type === "tool_use" || type === "tool_result";
  });
}

class AnthropicMessagesAdapter implements TranscriptAdapter {
  readonly #builder: SessionBuilder;

  constructor(builder: SessionBuilder) {
    this.#builder = builder;
  }

  record(record: JsonRecord): void {
    const conversation = record["role"] === undefined ? conversationOf(record) : null;
    if (conversation === null) {
      this.#message(record);
      return;
    }
    readConversationFacts(this.#builder, conversation);
    for (const message of conversation.messages) this.#message(message);
  }

  end(): void {}

  #message(message: JsonRecord): void {
    const at = message["timestamp"] ?? message["ts"] ?? message["created_at"];
    if (message["role"] === "assistant") {
      this.#builder.facts.model ??= asId(message["model"]);
      const turn = this.#builder.turn(null, { role: "agent", at });
      addAgentBlocks(this.#builder, turn, message, { at });
    } else if (message["role"] === "user") {
      addResultBlocks(this.#builder, message, headlessResult);
      const words = userTexts(message).map(userWords).join("\n").trim();
      if (words !== "") this.#builder.say(this.#builder.turn(null, { role: "user", at }), words);
    }
  }
}

/** What the requests of a review carried, by what it is: where its input tokens go. */
import type { ChatMessage } from "./chat-message.ts";

/** Bytes over all requests. What stays in the conversation is sent again with each round, and counts each time. */
export interface SentParts {
  /** The system prompt, the tools' descriptions, what is said to a model that goes astray. */
  readonly instructions: number;
  /** The session and what stands beside it; of a SkillManager what the Reflector found in it. */
  readonly session: number;
  /** What the model itself said and called, given back to it. */
  readonly model: number;
  /** What its tools answered. */
  readonly tools: number;
}

export class SentCounter {
  readonly #sizes = { instructions: 0, session: 0, model: 0, tools: 0 };
  readonly #sums = { instructions: 0, session: 0, model: 0, tools: 0 };
  readonly #asked: number;
  #counted = 0;

  /**
   * @param tools as they are described to the model; where there are none, nothing is sent of them
   * @param asked how many messages, the system prompt among them, the conversation begins with
   */
  constructor(tools: readonly unknown[], asked: number) {
    this.#asked = asked;
    if (tools.length > 0) this.#sizes.instructions = Buffer.byteLength(JSON.stringify(tools));
  }

  /** One request that carries all of these; they are only ever appended to. */
  count(messages: readonly ChatMessage[]): void {
    for (; this.#counted < messages.length; this.#counted += 1) {
      const message = messages[this.#counted];
      if (message === undefined) continue;
      const size = Buffer.byteLength(JSON.stringify(message));
      this.#sizes[partOf(message, this.#counted < this.#asked)] += size;
    }
    for (const part of PARTS) this.#sums[part] += this.#sizes[part];
  }

  get parts(): SentParts {
    return { ...this.#sums };
  }
}

/** Of several conversations. */
export function sumOfParts(conversations: readonly SentParts[]): SentParts {
  const sums = { instructions: 0, session: 0, model: 0, tools: 0 };
  for (const each of conversations) for (const part of PARTS) sums[part] += each[part];
  return sums;
}

const PARTS = ["instructions", "session", "model", "tools"] as const;

function partOf({ role }: ChatMessage, isAsked: boolean): keyof SentParts {
  if (role === "assistant") return "model";
  if (role === "tool" || role === "function") return "tools";
  return role === "user" && isAsked ? "session" : "instructions";
}

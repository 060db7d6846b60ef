/**
 * The messages of a review in the wire shape of chat completions. They are sent as they lie here
 * and only ever appended to, so that each request starts with the previous one's messages byte for
 * byte: providers cache by that.
 */

/** Ids are kept as they came, and so are fields that a provider added to a call (signatures of its thoughts). */
export interface WireToolCall {
  readonly id: string;
  readonly type: "function";
  readonly function: {
    readonly name: string;
    /** JSON text of one object: servers with chat templates parse it again. */
    readonly arguments: string;
  };
  readonly [extra: string]: unknown;
}

export interface AssistantMessage {
  readonly role: "assistant";
  readonly content: string | null;
  readonly tool_calls?: readonly WireToolCall[];
  /** The older shape of a call, answered with a message of role `function`. */
  readonly function_call?: { readonly name: string; readonly arguments: string };
  /** Models that think want their thoughts back beside the calls that came of them. */
  readonly reasoning_content?: string;
  readonly reasoning_details?: unknown;
}

/** Stands for a message without a word: some servers refuse one. */
export const NO_WORDS = "(no answer)";

export type ChatMessage =
  | { readonly role: "system" | "user"; readonly content: string }
  | AssistantMessage
  | { readonly role: "tool"; readonly tool_call_id: string; readonly content: string }
  | { readonly role: "function"; readonly name: string; readonly content: string };

/**
 * Messages whose content is a list of blocks (`text`, `tool_use`, `tool_result`), as Claude Code
 * and the headless formats write them.
 */
import { asList, asRecord, asRecords, asText, type JsonRecord } from "../json-values.ts";
import type { SessionBuilder } from "../session-builder.ts";
import type { CallDraft, CallFacts, ResultFacts, TurnDraft } from "../session-drafts.ts";

/** The blocks of a message; a content that is a string is one text block. */
export function blocksOf(message: unknown): JsonRecord[] {
  const content = asRecord(message)?.["content"];
  if (typeof content === "string") return [{ type: "text", text: content }];
  return asRecords(content);
}

/** The texts of the blocks, images and the like left out; a string is its own text. */
export function textOfBlocks(content: unknown): string | null {
  if (typeof content === "string") return content;
  const texts = asList(content).flatMap((block) => {
    if (typeof block === "string") return [block];
    if (Array.isArray(block)) return textOfBlocks(block) ?? [];
    return asText(asRecord(block)?.["text"]) ?? [];
  });
  return texts.length === 0 ? null : texts.join("\n");
}

/** Adds what an agent's message says and calls. Thoughts are left out. */
export function addAgentBlocks(
  builder: SessionBuilder,
  turn: TurnDraft,
  message: unknown,
  facts: Pick<CallFacts, "cwd" | "at" | "isLoggedOnly">,
): void {
  for (const block of blocksOf(message)) {
    if (block["type"] === "text") builder.say(turn, asText(block["text"]) ?? "");
    else if (block["type"] === "tool_use") {
      builder.call(turn, {
        ...facts,
        id: block["id"],
        name: block["name"],
        args: block["input"],
      });
    }
  }
}

/** Gives the `tool_result` blocks of a message to their calls. */
export function addResultBlocks(
  builder: SessionBuilder,
  message: unknown,
  read: (block: JsonRecord, text: string | null, call: CallDraft) => ResultFacts,
): void {
  for (const block of blocksOf(message)) {
    if (block["type"] !== "tool_result") continue;
    const text = textOfBlocks(block["content"]);
    builder.answer(block["tool_use_id"], (call) => read(block, text, call));
  }
}

/** The user's text blocks of a message, in order. */
export function userTexts(message: unknown): string[] {
  return blocksOf(message)
    .filter((block) => block["type"] === "text")
    .map((block) => asText(block["text"]) ?? "");
}

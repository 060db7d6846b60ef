/** Where a review's input goes: bytes of every request, by what they are. */
import { expect, test } from "vitest";
import type { ChatMessage } from "../../src/review/chat-message.ts";
import { SentCounter } from "../../src/review/sent-parts.ts";

const size = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

test("what stays in the conversation counts with every request that carries it", () => {
  const tools = [{ name: "ls", description: "lists", parameters: {} }];
  const messages: ChatMessage[] = [
    { role: "system", content: "Review." },
    { role: "user", content: "the session: ü" },
  ];
  const counter = new SentCounter(tools, messages.length);
  counter.count(messages);
  const said: ChatMessage = { role: "assistant", content: "I look." };
  const answered: ChatMessage = { role: "tool", tool_call_id: "call_1", content: "README.md" };
  const goOn: ChatMessage = { role: "user", content: "Go on." };
  messages.push(said, answered);
  counter.count(messages);
  messages.push(goOn);
  counter.count(messages);
  expect(counter.parts).toEqual({
    instructions: 3 * (size(tools) + size(messages[0])) + size(goOn),
    session: 3 * size(messages[1]),
    model: 2 * size(said),
    tools: 2 * size(answered),
  });
});

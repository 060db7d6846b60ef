import { expect, test } from "vitest";
import { agentOf } from "../../src/hook/agent-of.ts";

test.each([
  ["/home/robin/.qwen/projects/x/chats/s.jsonl", {}, "qwen-code"],
  ["/home/robin/.claude/projects/x/s.jsonl", { QWEN_PROJECT_DIR: "/x" }, "claude-code"],
  ["/home/robin/.gemini/tmp/x/chats/s.json", {}, "gemini-cli"],
  ["/data/s.jsonl", { QWEN_PROJECT_DIR: "/x", CLAUDE_PROJECT_DIR: "/x" }, "qwen-code"],
  ["/data/s.jsonl", { GEMINI_PROJECT_DIR: "/x", CLAUDE_PROJECT_DIR: "/x" }, "gemini-cli"],
  ["/data/s.jsonl", { CLAUDE_PROJECT_DIR: "/x" }, "claude-code"],
  ["/data/s.jsonl", { CLAUDE_PROJECT_DIR: "" }, null],
])("%s with %j is of %s", (path, env, expected) => {
  expect(agentOf(path, env)).toBe(expected);
});

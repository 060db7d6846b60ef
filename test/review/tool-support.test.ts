import { expect, test } from "vitest";
import { missingToolSupport } from "../../src/review/tool-support.ts";

const TOOLS = ["read_file", "write_file"];

test.each([
  ['<tool_call>\n{"name": "read_file", "arguments": {}}\n</tool_call>'],
  ["<tool_call>\n<function=read_file>\n<parameter=path>a</parameter></function></tool_call>"],
  ['[TOOL_CALLS] [{"name": "write_file", "arguments": {}}]'],
  ['```json\n{"name": "write_file", "arguments": {}}\n```'],
  ['{"type": "function", "function": {"name": "read_file", "parameters": {}}'],
  ['<|python_tag|>{"name": "read_file"}'],
])("a call as text: %j", (text) => {
  expect(missingToolSupport(text, TOOLS)).toBe("wrote its tool calls as plain text");
});

test("a skill as text", () => {
  const text = "Here:\n\n```markdown\n---\nname: a\nsource: auto-skill\n---\n# A\n```";
  expect(missingToolSupport(text, TOOLS)).toContain("wrote a skill into its answer");
});

test.each([
  ["blank lines behind a rule", `---${"\n".repeat(1_000_000)}x`],
  ["rules", "---\n".repeat(500_000)],
  ["blanks behind a rule", `---${" ".repeat(1_000_000)}x`],
])("a long answer of %s is read in one pass", (_, text) => {
  expect(missingToolSupport(text, TOOLS)).toBeNull();
});

test.each([
  ["Nothing to save."],
  ["I would have used read_file, but there is nothing to read."],
  ['<tool_call>{"name": "unknown_tool"}</tool_call>'],
  ["The marker is `source: auto-skill`, in the frontmatter."],
])("no call: %j", (text) => {
  expect(missingToolSupport(text, TOOLS)).toBeNull();
});

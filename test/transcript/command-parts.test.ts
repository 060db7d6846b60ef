import { expect, test } from "vitest";
import { commandParts, plainCommand } from "../../src/transcript/command-parts.ts";
import type { ToolOutcome } from "../../src/transcript/session.ts";

const parts = (line: string, outcome: ToolOutcome) =>
  commandParts(line, outcome).map((part) => `${part.command}: ${part.outcome}`);

test.each<[string, ToolOutcome, string[]]>([
  ["npm  test", "success", []],
  ["npm test 2>&1", "failure", ["npm test: failure"]],
  ["cd app && npm test", "success", ["cd app: success", "npm test: success"]],
  ["cd app && npm test", "failure", ["cd app: unknown", "npm test: failure"]],
  ["npm ci && npm test", "failure", ["npm ci: unknown", "npm test: unknown"]],
  ["npm test | tail -20", "success", ["npm test: unknown", "tail -20: success"]],
  ["npm test; echo done", "success", ["npm test: unknown", "echo done: success"]],
  ["a || b && c", "success", ["a: unknown", "b: unknown", "c: unknown"]],
  ["a || b; c && d", "success", ["a: unknown", "b: unknown", "c: success", "d: success"]],
  ["a & b", "success", ["a: unknown", "b: success"]],
  ["cd app && npm test", "cancelled", ["cd app: cancelled", "npm test: cancelled"]],
  ["cd app && npm test", "unknown", ["cd app: unknown", "npm test: unknown"]],
  ["for f in *; do a $f; done", "success", []],
  ["echo $(npm test)", "success", []],
  ["echo 'a && b'", "success", []],
])("%s (%s)", (line, outcome, expected) => {
  expect(parts(line, outcome)).toEqual(expected);
});

test("what a line is about", () => {
  expect(plainCommand("cd app && export A=b && npm  test 2>&1")).toBe("npm test");
  expect(plainCommand("npm test | tail")).toBe("npm test | tail");
  expect(plainCommand("npm ci\n&& npm test")).toBe("npm ci && npm test");
  expect(plainCommand("cd app")).toBe("cd app");
});

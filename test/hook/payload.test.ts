import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { HOOK_PAYLOAD_MAX_BYTES, HOOK_SESSION_ID_MAX_CHARS } from "../../src/core/limits.ts";
import { type Input, parsePayload, readInput } from "../../src/hook/payload.ts";

const home = mkdtempSync(join(tmpdir(), "skillpr-test-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

function read(content: string): Input {
  const path = join(home, "input");
  writeFileSync(path, content);
  const file = openSync(path, "r");
  try {
    return readInput(file);
  } finally {
    closeSync(file);
  }
}

describe("parsePayload", () => {
  test("takes what it knows and ignores the rest", () => {
    const text = JSON.stringify({
      session_id: "s-1",
      transcript_path: "/a/s-1.jsonl",
      cwd: "/a",
      hook_event_name: "SessionEnd",
      reason: "clear",
      future: { deep: [1] },
    });
    expect(parsePayload(text)).toEqual({
      event: "SessionEnd",
      sessionId: "s-1",
      transcriptPath: "/a/s-1.jsonl",
      cwd: "/a",
      isSubagent: false,
    });
  });

  test("fields that are missing or of another type are empty", () => {
    const empty = { event: "", sessionId: "", transcriptPath: "", cwd: "", isSubagent: false };
    expect(parsePayload("{}")).toEqual(empty);
    expect(parsePayload('{"session_id":7,"cwd":null,"transcript_path":["/a"]}')).toEqual(empty);
  });

  test.each([
    ['{"hook_event_name":"SubagentStop"}', true],
    ['{"hook_event_name":"SubagentStart"}', true],
    ['{"hook_event_name":"Stop","agent_id":"a-1"}', true],
    ['{"hook_event_name":"Stop","agent_id":null}', false],
    ['{"hook_event_name":"Stop","agent_type":"reviewer"}', false],
  ])("%s is a sub-agent's: %s", (text, expected) => {
    expect(parsePayload(text)?.isSubagent).toBe(expected);
  });

  test.each(["", "null", "[]", '"text"', "7", "{", "{}{}", "\0"])("%j is no payload", (text) => {
    expect(parsePayload(text)).toBeNull();
  });

  test("a byte order mark is no obstacle, and an endless session id is cut", () => {
    const text = JSON.stringify({ session_id: "x".repeat(10_000) });
    expect(parsePayload(`\ufeff${text}`)?.sessionId).toHaveLength(HOOK_SESSION_ID_MAX_CHARS);
  });
});

describe("readInput", () => {
  test("reads to the end", () => {
    expect(read('{"cwd":')).toEqual({ text: '{"cwd":' });
    expect(read("")).toEqual({ text: "" });
  });

  test("takes a message of the largest size, and none that is larger", () => {
    const message = (bytes: number) => `"${"x".repeat(bytes - 2)}"`;
    const largest = message(HOOK_PAYLOAD_MAX_BYTES);
    expect(read(largest)).toEqual({ text: largest });
    const problem = "the agent's message on stdin is too large";
    expect(read(message(HOOK_PAYLOAD_MAX_BYTES + 1))).toEqual({ problem });
    const object = `{"text":"${"x".repeat(HOOK_PAYLOAD_MAX_BYTES)}"}`;
    expect(read(object)).toEqual({ problem });
  });
});

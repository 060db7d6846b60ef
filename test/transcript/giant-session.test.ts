/** A session whose texts would take more memory than they may: each is kept shorter, nothing is counted twice. */
import { expect, it } from "vitest";
import {
  SESSION_TEXT_MAX_CHARS,
  SUCCESS_MIN_CHARS,
  TEXT_MIN_CHARS,
  TOOL_RESULT_MAX_CHARS,
} from "../../src/core/limits.ts";
import { SessionBuilder } from "../../src/transcript/session-builder.ts";

const RESULT = "of the listing, a line\n".repeat(300);
const source = {
  agent: "qwen-code",
  format: "qwen-chat",
  digest: "sha256:0",
  mayOmitResults: false,
  notes: [],
} as const;

it("keeps results shorter and shorter, a failure longer than a success", () => {
  const builder = new SessionBuilder();
  const turn = builder.turn(null, { role: "agent" });
  const calls = Array.from({ length: 16_000 }, (_, n) => {
    const call = builder.call(turn, { id: `c${n}`, name: "read_file", args: { n } });
    const outcome = n % 2 === 0 ? "success" : "failure";
    builder.answer(`c${n}`, () => ({ text: RESULT, outcome, exitCode: null }));
    return call;
  });
  expect(RESULT.length).toBeLessThan(TOOL_RESULT_MAX_CHARS);
  const kept = calls.map(({ result }) => result ?? "");
  expect(kept.slice(0, 500).every((text) => text === RESULT)).toBe(true);
  const [success = "", failure = ""] = kept.slice(-2);
  expect(success.length).toBeLessThanOrEqual(SUCCESS_MIN_CHARS);
  expect(failure.length).toBeLessThanOrEqual(TEXT_MIN_CHARS);
  expect(failure.length).toBeGreaterThan(TEXT_MIN_CHARS / 2);
  const all = kept.reduce((sum, text) => sum + text.length, 0);
  expect(all).toBeLessThan(SESSION_TEXT_MAX_CHARS + calls.length * TEXT_MIN_CHARS);
});

it("counts a call once that is written down again when there is less room", () => {
  const builder = new SessionBuilder();
  const turn = builder.turn(null, { role: "agent" });
  const big = { id: "big", name: "write_file", args: { content: "words of a file ".repeat(900) } };
  builder.call(turn, big);
  for (let n = 0; n < 8000; n += 1) {
    const call = builder.call(turn, { id: `c${n}`, name: "read_file", args: {} });
    builder.settle(call, { text: RESULT, outcome: "success", exitCode: null });
  }
  builder.call(turn, big);
  expect(builder.finish(source).issuedToolCallCount).toBe(8001);
});

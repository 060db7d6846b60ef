import { expect, test } from "vitest";
import { MODEL_RETRY_AFTER_MAX_MS, MODEL_RETRY_PAUSE_MAX_MS } from "../../src/core/limits.ts";
import { retryAfter, retryPause } from "../../src/review/retry-pause.ts";

const NOW = Date.parse("2026-03-01T12:00:00Z");

test.each([
  [{ "retry-after": "3" }, 3000],
  [{ "retry-after": "0.5" }, 500],
  [{ "retry-after": "Sun, 01 Mar 2026 12:00:10 GMT" }, 10_000],
  [{ "retry-after": "Sun, 01 Mar 2026 11:00:00 GMT" }, 0],
  [{ "retry-after-ms": "250", "retry-after": "3" }, 250],
  [{ "retry-after": "-3" }, null],
  [{ "retry-after": "soon" }, null],
  [{}, null],
])("%j asks for %j ms", (headers, expected) => {
  expect(retryAfter(new Headers(headers as Record<string, string>), NOW)).toBe(expected);
});

test("pauses double up to the longest", () => {
  expect([1, 2, 3, 9].map((tries) => retryPause(tries, null, 100))).toEqual([
    100,
    200,
    400,
    MODEL_RETRY_PAUSE_MAX_MS,
  ]);
});

test("the server's wish counts when it is longer, unless it is too long", () => {
  expect(retryPause(1, 3000, 100)).toBe(3000);
  expect(retryPause(1, 0, 100)).toBe(100);
  expect(retryPause(1, MODEL_RETRY_AFTER_MAX_MS + 1, 100)).toBeNull();
});

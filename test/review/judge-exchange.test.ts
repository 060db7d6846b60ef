import { expect, test } from "vitest";
import { failureInside, judgeExchange, wasSent } from "../../src/review/judge-exchange.ts";
import { BAD_PORT } from "../../src/review/model-errors.ts";
import { ModelExchange } from "../../src/review/model-exchange.ts";
import { scriptedModel } from "../support/scripted-model.ts";

const connection = (code: string | null) =>
  ({ ok: false, failure: { kind: "connection", code, message: "" } }) as const;

test("bytes count when they went out, whatever came of it", () => {
  for (const code of ["ECONNRESET", "UND_ERR_SOCKET", "EPIPE", null])
    expect(wasSent(connection(code))).toBe(true);
  for (const code of [
    "ECONNREFUSED",
    "ENOTFOUND",
    "UND_ERR_CONNECT_TIMEOUT",
    "CERT_HAS_EXPIRED",
    BAD_PORT,
  ])
    expect(wasSent(connection(code))).toBe(false);
  expect(wasSent({ ok: false, failure: { kind: "timeout", seconds: 1 } })).toBe(true);
  expect(wasSent({ ok: true, body: {} })).toBe(true);
});

test("the innermost error of the network names the failure", async () => {
  const exchange = new ModelExchange("");
  // A port that fetch itself forbids: the same everywhere.
  await exchange.fetch("http://127.0.0.1:1/v1", { body: "{}" }).catch(() => undefined);
  expect(judgeExchange(exchange, 1000)).toEqual({
    ok: false,
    failure: { kind: "connection", code: BAD_PORT, message: BAD_PORT },
  });
});

test.each([
  ["a response", 200, (deep: string) => deep],
  [
    "a field of a call",
    200,
    (deep: string) => `{"choices":[{"message":{"tool_calls":[{"x":${deep}}]}}]}`,
  ],
  ["an error", 400, (deep: string) => `{"error":${deep}}`],
])(
  "%s that is nested without end is no answer, and nobody's stack overflows",
  async (_, status, bodyOf) => {
    const body = bodyOf("[".repeat(200_000) + "]".repeat(200_000));
    await using model = await scriptedModel([{ status, body }]);
    const exchange = new ModelExchange("");
    await exchange.fetch(`${model.url}/chat/completions`, { body: "{}" });
    expect(judgeExchange(exchange, 1000).ok).toBe(false);
  },
);

test.each([
  [{ code: 429, message: "slow" }, 429, "slow"],
  [{ code: "503", message: "busy" }, 503, "busy"],
  [{ code: "server_error", message: "oops" }, 502, "oops; server_error"],
  ["oops", 502, "oops"],
])("a router's error %j counts as %i", (error, status, message) => {
  expect(failureInside({}, error)).toMatchObject({ kind: "status", status, message });
});

test("a body without error and answer is quoted", () => {
  expect(failureInside({ object: "list", data: [] }, null)).toEqual({
    kind: "answer",
    message: '{"object":"list","data":[]}',
  });
});

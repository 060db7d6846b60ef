import { expect, test } from "vitest";
import { failureInside, judgeExchange, wasSent } from "../../src/review/judge-exchange.ts";
import { BAD_PORT } from "../../src/review/model-errors.ts";
import { ModelExchange } from "../../src/review/model-exchange.ts";

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

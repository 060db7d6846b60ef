/** Failures of the model's server that pass: asked again, within bounds. */
import { createServer } from "node:net";
import { describe, expect, test } from "vitest";
import { MODEL_TRIES } from "../../src/core/limits.ts";
import { ask, failureOf } from "../support/ask-model.ts";
import { delayed, failing, scriptedModel, type Turn } from "../support/scripted-model.ts";

describe("failures that pass", () => {
  test.each<[string, Turn]>([
    ["429", failing(429)],
    ["408", failing(408)],
    ["500", failing(500)],
    ["502 with a web page", { status: 502, body: "<html>Bad gateway</html>" }],
    ["503", failing(503)],
    ["529", failing(529)],
    ["a dropped connection", "DROP"],
    ["a router's error with status 200", { body: { error: { code: 502, message: "upstream" } } }],
    [
      "a router's error in the choice",
      {
        body: { choices: [{ finish_reason: "error", error: { code: 503, message: "upstream" } }] },
      },
    ],
  ])("%s is asked again", async (_, turn) => {
    await using model = await scriptedModel([turn, turn, "Hello"]);
    const answer = await ask(model);
    expect(answer.text).toBe("Hello");
    expect(model.requests).toHaveLength(3);
    expect(new Set(model.requests.map(({ text }) => text)).size).toBe(1);
    expect(answer.requestBytes).toBe(3 * Buffer.byteLength(model.requests[0]!.text));
  });

  test("a server that does not answer in time is asked again", async () => {
    await using model = await scriptedModel([delayed(10_000, "late"), "Hello"]);
    expect((await ask(model, { requestMs: 300 })).text).toBe("Hello");
  });

  test("a server that never answers in time is named as such", async () => {
    const late = delayed(10_000, "late");
    await using model = await scriptedModel(Array(MODEL_TRIES).fill(late));
    const { message } = await failureOf(ask(model, { requestMs: 50, pauseMs: 1 }));
    expect(message).toContain(`did not answer within 0.05 seconds after ${MODEL_TRIES} tries`);
  });

  test("a response that is cut off in the middle is asked again", async () => {
    await using model = await scriptedModel([
      { headers: { "content-length": "100000" }, body: '{"choices":[', cutAfterBody: true },
      "Hello",
    ]);
    expect((await ask(model)).text).toBe("Hello");
  });

  test("retry-after is waited for, in seconds or as a date", async () => {
    const soon = () => new Date(Date.now() + 1500).toUTCString();
    await using model = await scriptedModel([
      failing(429, "slow down", { "retry-after": "1" }),
      () => failing(503, "slow down", { "retry-after": soon() }),
      "Hello",
    ]);
    const startedAt = performance.now();
    await ask(model);
    // Dates are whole seconds: of 1.5 s at least half a second remains.
    expect(performance.now() - startedAt).toBeGreaterThan(1400);
  });

  test("the pauses grow", async () => {
    const at: number[] = [];
    const busy = () => {
      at.push(performance.now());
      return failing(503);
    };
    await using model = await scriptedModel([busy, busy, busy, "Hello"]);
    await ask(model, { pauseMs: 100 });
    expect(at[1]! - at[0]!).toBeGreaterThan(95);
    expect(at[2]! - at[1]!).toBeGreaterThan(190);
  });

  test("the tries are bounded, and the error counts them", async () => {
    await using model = await scriptedModel(Array(MODEL_TRIES).fill(failing(503, "overloaded")));
    const error = await failureOf(ask(model, { pauseMs: 1 }));
    expect(error.code).toBe("model");
    expect(error.message).toContain(`answered 503 (overloaded) after ${MODEL_TRIES} tries`);
    expect(model.requests).toHaveLength(MODEL_TRIES);
  });

  test("an account without credit is named as such", async () => {
    const turn = failing(429, "You exceeded your current quota, please check your plan");
    await using model = await scriptedModel(Array(MODEL_TRIES).fill(turn));
    expect((await failureOf(ask(model, { pauseMs: 1 }))).hint).toContain("has no credit left");
  });

  test("a server that nobody runs: bounded, and the address named", async () => {
    const error = await failureOf(ask({ url: await closedPort() }, { pauseMs: 1 }));
    expect(error.message).toContain("could not be reached (ECONNREFUSED)");
    expect(error.hint).toContain("OPENAI_BASE_URL or --base-url");
  });

  test("a pause that is longer than worth waiting for ends it", async () => {
    await using model = await scriptedModel([failing(429, "slow down", { "retry-after": "3600" })]);
    const error = await failureOf(ask(model));
    expect(error.message).toContain("answered 429");
    expect(error.hint).toContain("run it again later");
  });
});

/** The address of a port on which nobody listens. */
async function closedPort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/v1`;
}

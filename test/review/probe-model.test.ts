import { expect, test } from "vitest";
import { createModelClient } from "../../src/review/model.ts";
import { probeModel } from "../../src/review/probe-model.ts";
import { calls, delayed, failing, scriptedModel, type Turn } from "../support/scripted-model.ts";

async function probe(turn: Turn, timeoutMs?: number) {
  await using model = await scriptedModel([turn]);
  const client = await createModelClient({
    model: "example-model",
    baseUrl: model.url,
    apiKey: "key-for-tests",
    log: null,
  });
  const result = await probeModel(client, new AbortController().signal, timeoutMs);
  expect(model.requests).toHaveLength(1);
  expect(model.requests[0]!.text.length).toBeLessThan(500);
  return result;
}

test("a server that answers with the call is ready", async () => {
  expect(await probe(calls(["report_ready", {}]))).toEqual({
    ok: true,
    model: "example-model",
    durationMs: expect.any(Number),
  });
});

test("an answer without the call: tool calls don't come through", async () => {
  expect(await probe("I am ready.")).toMatchObject({
    ok: false,
    message: expect.stringContaining("did not call the tool"),
    hint: expect.stringContaining("OPENAI_MODEL or --model"),
  });
});

test.each([
  [401, "answered 401", "OPENAI_API_KEY"],
  [404, "answered 404", "OPENAI_BASE_URL"],
  [503, "answered 503", "run it again later"],
])("%i is asked once, and the setting named", async (status, message, hint) => {
  expect(await probe(failing(status, "no"))).toMatchObject({
    ok: false,
    message: expect.stringContaining(message),
    hint: expect.stringContaining(hint),
  });
});

test("a server that doesn't answer", async () => {
  expect(await probe(delayed(20_000, "late"), 100)).toMatchObject({
    ok: false,
    message: "the model's server did not answer within 0.1 seconds",
  });
});

test("Ctrl-C is passed on", async () => {
  const client = await createModelClient({
    model: "m",
    baseUrl: "http://127.0.0.1:9/v1",
    apiKey: "",
    log: null,
  });
  await expect(probeModel(client, AbortSignal.abort("SIGINT"))).rejects.toMatchObject({
    code: "interrupted",
  });
});

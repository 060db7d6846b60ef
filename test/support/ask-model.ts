import { expect } from "vitest";
import { SkillprError } from "../../src/core/errors.ts";
import { createModelClient, type ModelAnswer, type ModelClient } from "../../src/review/model.ts";

export const KEY = "sk-test-Zr8qLm2Vx0Tn5Yb7";

export function clientFor(url: string, timing = {}): Promise<ModelClient> {
  const options = { model: "example-model", baseUrl: url, apiKey: KEY, log: null };
  return createModelClient({ ...options, timing: { pauseMs: 5, ...timing } });
}

/** Asks one small question. */
export async function ask(model: { readonly url: string }, timing = {}, signal?: AbortSignal) {
  const client = await clientFor(model.url, timing);
  return client.complete({
    messages: [{ role: "user", content: "Hello" }],
    tools: [],
    signal: signal ?? new AbortController().signal,
  });
}

export async function failureOf(asked: Promise<ModelAnswer>): Promise<SkillprError> {
  const error = await asked.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(SkillprError);
  return error as SkillprError;
}

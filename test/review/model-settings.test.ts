import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { readModelSettings, requireModel } from "../../src/review/model-settings.ts";

const env = {
  OPENAI_API_KEY: "sk-example-0123456789",
  OPENAI_MODEL: "from-environment",
  OPENAI_BASE_URL: "https://api.example.com/v1",
};

test("the environment says where, what and with which key", () => {
  expect(requireModel(readModelSettings(env))).toEqual({
    model: "from-environment",
    baseUrl: "https://api.example.com/v1",
    apiKey: "sk-example-0123456789",
  });
});

test("flags win; blanks count as absent", () => {
  const flags = { model: "from-flag", baseUrl: "http://127.0.0.1:8080/v1" };
  expect(requireModel(readModelSettings(env, flags))).toMatchObject(flags);
  expect(readModelSettings({ ...env, OPENAI_BASE_URL: "  " }, { model: " " })).toMatchObject({
    model: "from-environment",
    baseUrl: null,
  });
});

describe("what is missing is named", () => {
  test.each([
    [{ OPENAI_API_KEY: "" }, /no key \(OPENAI_API_KEY\)$/],
    [{ OPENAI_MODEL: undefined }, /no model is named \(OPENAI_MODEL or --model\)$/],
    [{ OPENAI_API_KEY: undefined, OPENAI_MODEL: "" }, /OPENAI_MODEL.*OPENAI_API_KEY/],
  ])("%j", (missing, message) => {
    const settings = readModelSettings({ ...env, ...missing });
    expect(() => requireModel(settings)).toThrowError(
      expect.objectContaining({ code: "config", message: expect.stringMatching(message) }),
    );
  });
});

test("settings are safe to print", () => {
  const settings = readModelSettings(env);
  expect(inspect(settings, { depth: 9 }) + JSON.stringify(settings)).not.toContain("sk-example");
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseEnvFile, readQwenModel } from "../../src/core/qwen-model.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "skillpr-qwen-"));
  mkdirSync(join(home, ".qwen"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const KEY = "key-of-the-user";
async function read(settings: unknown, dotEnv = "", env: NodeJS.ProcessEnv = {}) {
  const text = typeof settings === "string" ? settings : JSON.stringify(settings);
  writeFileSync(join(home, ".qwen/settings.json"), text);
  if (dotEnv !== "") writeFileSync(join(home, ".qwen/.env"), dotEnv);
  const model = readQwenModel(env, home);
  return {
    name: model.name,
    baseUrl: model.baseUrl,
    key: model.apiKey(),
    warnings: model.warnings,
  };
}

describe("the model of Qwen Code's user settings", () => {
  const url = "http://127.0.0.1:9/v1";
  const whole = { name: "coder", baseUrl: url, key: KEY, warnings: [] };
  const model = { name: "coder" };

  test.each([
    [
      "security.auth",
      { model, security: { auth: { selectedType: "openai", apiKey: KEY, baseUrl: url } } },
    ],
    ["env", { env: { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: url, OPENAI_MODEL: "coder" } }],
    [
      "modelProviders",
      {
        model,
        env: { MY_KEY: KEY },
        modelProviders: {
          openai: [{ id: "other" }, { id: "coder", baseUrl: url, envKey: "MY_KEY" }],
        },
      },
    ],
    [
      "a named variable",
      {
        model,
        env: { MINE: KEY },
        security: { auth: { apiKey: "$".concat("{MINE}"), baseUrl: url } },
      },
    ],
    [
      "comments",
      `// mine\n${JSON.stringify({ env: { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: url }, model })}`,
    ],
  ])("by %s", async (_, settings) => {
    expect(await read(settings)).toEqual(whole);
  });

  test("its .env wins over the settings", async () => {
    const settings = { env: { OPENAI_API_KEY: "older", OPENAI_MODEL: "coder" } };
    const dotEnv = `export OPENAI_API_KEY="${KEY}"\nOPENAI_BASE_URL = ${url} # mine\n`;
    expect(await read(settings, dotEnv)).toEqual(whole);
  });

  test("QWEN_HOME says where it is", async () => {
    mkdirSync(join(home, "elsewhere"));
    writeFileSync(join(home, "elsewhere/.env"), `OPENAI_API_KEY=${KEY}\n`);
    expect(await read({}, "", { QWEN_HOME: join(home, "elsewhere") })).toMatchObject({ key: KEY });
  });

  test("variables of the environment stand for nothing", async () => {
    const auth = { apiKey: "$FROM_ENVIRONMENT" };
    const env = { FROM_ENVIRONMENT: "stolen", OPENAI_API_KEY: "stolen" };
    expect(await read({ security: { auth } }, "", env)).toMatchObject({ key: null });
  });

  test("settings that aren't JSON are a warning without a word of them", async () => {
    const { warnings, key } = await read(`{ "env": { "OPENAI_API_KEY": "${KEY}" `);
    expect(key).toBeNull();
    expect(warnings).toEqual([expect.stringContaining("is not valid JSON")]);
    expect(warnings.join()).not.toContain(KEY);
  });

  test.each([
    "[]",
    '"text"',
    "null",
    '{"env":[],"model":"coder","security":3,"modelProviders":{"openai":{}}}',
  ])("other shapes name nothing: %s", async (text) => {
    expect(await read(text)).toEqual({ name: null, baseUrl: null, key: null, warnings: [] });
  });

  test("is safe to print", async () => {
    await read({ env: { OPENAI_API_KEY: KEY } });
    const found = readQwenModel({}, home);
    expect(inspect(found, { depth: 9 }) + JSON.stringify(found)).not.toContain(KEY);
  });
});

test("an env file in its usual spellings", () => {
  const text =
    "# comment\nA=1\r\nexport B='two words' # why\nC=\"with # inside\"\nD=a#b\nE= \nnot a line\n F = x \n";
  expect(parseEnvFile(text)).toEqual({
    A: "1",
    B: "two words",
    C: "with # inside",
    D: "a#b",
    F: "x",
  });
});

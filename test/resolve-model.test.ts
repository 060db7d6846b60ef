import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseUserFile } from "../src/core/config-file.ts";
import { keyOf, modelByHand, modelInBackground } from "../src/resolve-model.ts";
import { type ModelSettings, requireModel } from "../src/review/model-settings.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "skillpr-model-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const ENV = {
  OPENAI_API_KEY: "key-of-environment",
  OPENAI_BASE_URL: "http://environment.example.com/v1",
  OPENAI_MODEL: "from-environment",
};
const CONFIG =
  "model:\n  name: from-config\n  base-url: http://config.example.com/v1\n  api-key: key-of-config\n";
const user = (text: string) => parseUserFile(text, "config.yml").model;
const shown = ({ model, baseUrl, apiKey }: ModelSettings) => [model, baseUrl, apiKey()];

function qwen(settings: unknown): void {
  mkdirSync(join(home, ".qwen"), { recursive: true });
  writeFileSync(join(home, ".qwen/settings.json"), JSON.stringify(settings));
}

describe("by hand", () => {
  const byHand = async (text: string, env: NodeJS.ProcessEnv, flags = {}) =>
    shown(modelByHand({ flags, user: user(text), env, home }));

  test("flags win over the environment, and that over the user's config", async () => {
    expect(await byHand(CONFIG, {})).toEqual([
      "from-config",
      "http://config.example.com/v1",
      "key-of-config",
    ]);
    expect(await byHand(CONFIG, ENV)).toEqual([
      "from-environment",
      "http://environment.example.com/v1",
      "key-of-environment",
    ]);
    expect(await byHand(CONFIG, ENV, { model: "typed" })).toMatchObject({ 0: "typed" });
    expect(await byHand(CONFIG, { OPENAI_MODEL: "other" })).toEqual([
      "other",
      "http://config.example.com/v1",
      "key-of-config",
    ]);
  });

  test("the config's key doesn't go to an address that only the environment names", async () => {
    const { OPENAI_BASE_URL } = ENV;
    expect(await byHand(CONFIG, { OPENAI_BASE_URL })).toEqual([
      "from-config",
      OPENAI_BASE_URL,
      null,
    ]);
    const baseUrl = "http://typed.example.com/v1";
    expect(await byHand(CONFIG, { OPENAI_BASE_URL }, { baseUrl })).toEqual([
      "from-config",
      baseUrl,
      "key-of-config",
    ]);
  });

  test("the key may stand in a file of its own", async () => {
    const file = join(home, "key");
    writeFileSync(file, "key-of-file\nsecond line\n");
    expect(await byHand(`model:\n  api-key-file: ${file}\n`, {})).toMatchObject({
      2: "key-of-file",
    });
    expect(await byHand("model:\n  api-key-file: ~/key\n", {})).toMatchObject({ 2: "key-of-file" });
  });

  test.each([
    ["key", "relative"],
    ["~/missing", "is not there"],
    ["~/empty", "holds no key"],
  ])("a key file %s is an error that names it", async (file, message) => {
    writeFileSync(join(home, "empty"), "\n");
    await expect(byHand(`model:\n  api-key-file: ${file}\n`, {})).rejects.toMatchObject({
      code: "config",
      message: expect.stringContaining(message),
    });
  });
});

describe("in the background", () => {
  const inBackground = async (text: string, env: NodeJS.ProcessEnv = ENV) =>
    modelInBackground({ user: user(text), env, home }).model;

  test("the environment counts for nothing", async () => {
    expect(shown(await inBackground(""))).toEqual([null, null, null]);
    expect(shown(await inBackground(CONFIG))).toMatchObject({ 2: "key-of-config" });
  });

  test("the environment counts when the user's config says so", async () => {
    const own = await inBackground("model:\n  from-environment: true\n");
    expect(shown(own)).toEqual(["from-environment", ENV.OPENAI_BASE_URL, "key-of-environment"]);
  });

  test("Qwen Code's user settings come second, address and key together", async () => {
    qwen({
      env: {
        OPENAI_API_KEY: "key-of-qwen",
        OPENAI_BASE_URL: "http://qwen.example.com/v1",
        OPENAI_MODEL: "q",
      },
    });
    expect(shown(await inBackground(""))).toEqual([
      "q",
      "http://qwen.example.com/v1",
      "key-of-qwen",
    ]);
    expect(shown(await inBackground("model:\n  name: mine\n"))).toEqual([
      "mine",
      "http://qwen.example.com/v1",
      "key-of-qwen",
    ]);
    // An address without a key doesn't get Qwen Code's.
    const addressOnly = await inBackground(
      "model:\n  name: mine\n  base-url: http://a.example.com\n",
    );
    expect(shown(addressOnly)).toEqual(["mine", "http://a.example.com", null]);
  });

  test("what is missing is named, with where to put it", async () => {
    const settings = await inBackground("");
    expect(() => requireModel(settings)).toThrowError(
      expect.objectContaining({
        code: "config",
        message: "the reviewer needs a model: no model is named, there is no key",
        hint: expect.stringContaining(join(home, ".config/skillpr/config.yml")),
      }),
    );
  });
});

test("the config and what comes of it are safe to print, and the key is known as a secret", async () => {
  const file = parseUserFile(CONFIG, "config.yml");
  const model = modelByHand({ user: file.model, env: {}, home });
  expect(inspect([file, model], { depth: 9 }) + JSON.stringify([file, model])).not.toContain(
    "key-of-config",
  );
  expect(keyOf(model)).toEqual(["key-of-config"]);
});

test.each([
  ["model:\n  api-key: [secret-value]\n", "api-key"],
  ["model:\n  api_key: secret-value\n", "api_key"],
  ["model: secret-value\n", "model"],
  ["model:\n  api-key: secret-value\n  api-key: secret-value\n", "api-key"],
  ["model:\n  api-key: 'secret-value\n", "config.yml"],
])("a mistake beside a key is told without the key: %j", (text, place) => {
  let message = "";
  try {
    parseUserFile(text, "config.yml");
  } catch (error) {
    message = String(error);
  }
  expect(message).toContain(place);
  expect(message).not.toContain("secret-value");
});

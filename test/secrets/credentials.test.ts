import { describe, expect, it } from "vitest";
import { credentialsOf } from "../../src/secrets/credentials.ts";

describe("credentialsOf", () => {
  it.each([
    "OPENAI_API_KEY",
    "GITHUB_TOKEN",
    "GH_TOKEN",
    "DASHSCOPE_API_KEY",
    "AWS_SECRET_ACCESS_KEY",
    "DB_PASSWORD",
    "PGPASSWORD",
    "NPM_AUTH",
    "MY_SECRET",
    "QWEN_CODE_MESSAGING_TOKEN",
    "github_token",
  ])("takes %s", (name) => {
    expect(credentialsOf({ [name]: "value-of-it" })).toEqual(["value-of-it"]);
  });

  it.each([
    ["PATH", "/usr/local/bin"],
    ["SSH_AUTH_SOCK", "/tmp/agent.sock"],
    ["TOKEN_FILE", "/run/secrets/token"],
    ["AWS_ACCESS_KEY_ID_NAME", "production"],
    ["KEYBOARD", "keyboard-layout"],
    ["API_KEY", "short"],
    ["RATE_LIMIT_TOKEN", "123456789"],
    ["API_KEY", ""],
    ["API_KEY", undefined],
  ])("leaves out %s=%s", (name, value) => {
    expect(credentialsOf({ [name]: value })).toEqual([]);
  });

  it("gives each value once", () => {
    expect(credentialsOf({ GITHUB_TOKEN: "one-and-only", GH_TOKEN: "one-and-only" })).toEqual([
      "one-and-only",
    ]);
  });
});

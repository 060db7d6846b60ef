import { describe, expect, it } from "vitest";
import { credentialsOf } from "../../src/secrets/credentials.ts";
import { findSecrets } from "../../src/secrets/find-secrets.ts";

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
    "MYSQL_PWD",
    "SSHPASS",
    "DB_PASS",
    "SMTPPASSWD",
  ])("takes %s", (name) => {
    expect(credentialsOf({ [name]: "value-of-it" })).toEqual(["value-of-it"]);
  });

  it.each([
    ["PATH", "/usr/local/bin"],
    ["SSH_AUTH_SOCK", "/tmp/agent.sock"],
    ["TOKEN_FILE", "/run/secrets/token"],
    ["AWS_ACCESS_KEY_ID_NAME", "production"],
    ["KEYBOARD", "keyboard-layout"],
    ["PWD", "/home/user/shop"],
    ["OLDPWD", "/home/user/shop"],
    ["PROXY_BYPASS", "localhost"],
    ["HOME_URL", "https://example.com/user/settings-and-more"],
    ["BUILD_URL", "https://example.com/c/0123456789abcdef0123456789abcdef01234567"],
    ["NODE_URL", "https://example.com/node-v20.11.1-linux-x64.tar.gz"],
    ["DATABASE_URL", "postgres://db.example.com/x"],
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

describe("credentialsOf an address", () => {
  it.each([
    ["DATABASE_URL", "postgres://svc:pwSecr3t9x@db/x", ["pwSecr3t9x"]],
    ["HTTPS_PROXY", "http://me:p%40ssw0rd9@proxy.example.com:8080", ["p%40ssw0rd9", "p@ssw0rd9"]],
    ["REPO_URL", "https://a1B2c3D4e5F6g7H8@example.com/x.git", ["a1B2c3D4e5F6g7H8"]],
    ["WEBHOOK_URL", "https://x.example/hook/q7we9rt2yu4io6pa", ["q7we9rt2yu4io6pa"]],
    ["ALERT_URL", "https://x.example/in?key=Q7wE9rT2yU4iO6pA1sD3", ["Q7wE9rT2yU4iO6pA1sD3"]],
  ])("takes what is secret of %s=%s", (name, value, secrets) => {
    expect(credentialsOf({ [name]: value })).toEqual(secrets);
  });
});

describe("findSecrets", () => {
  const credential = "Zx9-Qw7_plmOKN8ijb";

  it.each([
    ["hexadecimal", Buffer.from(credential).toString("hex")],
    ["upper-case hexadecimal", Buffer.from(credential).toString("hex").toUpperCase()],
    ["upper case", credential.toUpperCase()],
    ["lower case", credential.toLowerCase()],
  ])("finds a copy of a credential in %s", async (_, copy) => {
    const found = await findSecrets(`a ${copy} b`, { credentials: [credential] });
    expect(found).toEqual([
      { rule: "credential", start: 2, end: 2 + copy.length, value: credential },
    ]);
  });

  it.each([
    [
      "URL-encoded with small digits",
      (s: string) => encodeURIComponent(s).replace(/%../g, (at) => at.toLowerCase()),
    ],
    ["as a form is sent", (s: string) => new URLSearchParams({ s }).toString().slice(2)],
    ["in JSON in JSON", (s: string) => JSON.stringify(JSON.stringify(s)).slice(3, -3)],
  ])("finds a password with signs in it %s", async (_, spell) => {
    const password = 'Zx9 /Qw7"plm+OKN8=ijb';
    const copy = spell(password);
    const found = await findSecrets(`a ${copy} b`, { credentials: [password] });
    expect(found).toEqual([
      { rule: "credential", start: 2, end: 2 + copy.length, value: password },
    ]);
  });

  it("leaves the other spellings of a word alone", async () => {
    expect(await findSecrets("A Password", { credentials: ["password"] })).toEqual([]);
  });

  const id = `AKIA${"Q7WE9RT2".repeat(2)}`;
  const secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzz9KEYabc";

  it("finds the bare secret of an AWS id", async () => {
    const text = `${id}\n${secret}\n`;
    const rules = (await findSecrets(text, { credentials: [] })).map(({ rule }) => rule);
    expect(rules).toEqual(["aws-access-key", "aws-secret"]);
    expect(await findSecrets(secret, { credentials: [] })).toEqual([]);
    const commit = "0123456789abcdef0123456789abcdef01234567";
    expect(await findSecrets(`${id} ${commit}`, { credentials: [] })).toHaveLength(1);
  });
});

import { describe, expect, it } from "vitest";
import { credentialsOf } from "../../src/secrets/credentials.ts";
import { findSecrets } from "../../src/secrets/find-secrets.ts";

describe("credentialsOf", () => {
  it("tells a name with many numbers as fast as another", () => {
    const name = `TOKEN${"1".repeat(20_000)}x`;
    expect(credentialsOf({ [name]: "value-of-it" })).toEqual([]);
  });

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
    "API_KEYS",
    "ACCESS_TOKENS",
    "MY_API_KEY2",
    "TOKEN1",
    "TOKEN_1",
    "OPENAI_API_KEY_PROD",
    "DB_PASSWORD_PROD",
    "VAULT_SECRET_ID",
    "GITHUB_TOKEN_RO",
    "STRIPE_KEY_LIVE",
    "GH_PAT2",
    "AUTH_TOKEN_SECRET_V2",
    "GITHUBTOKEN2",
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
    ["A_KEY", "password"],
    ["B_KEY", "production"],
    ["MODEL_API_KEY", '"placeholder"'],
    ["AWS_ACCESS_KEY_ID", "q7we9rt2yu4io6pa"],
    ["AWS_ACCOUNT_ID", "q7we9rt2yu4io6pa"],
    ["SIGNING_PUBLIC_KEY_PROD", "q7we9rt2yu4io6pa"],
    ["SORT_KEYS", "name-and-date"],
    ["COMPASS", "north-west"],
    ["MONKEY_BUSINESS", "north-west"],
    ["MAX_TOKENS", "100000000"],
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

  it.each([
    ['"q7we9rt2yu4io6pa"', "q7we9rt2yu4io6pa"],
    [" 'q7we9rt2yu4io6pa'\n", "q7we9rt2yu4io6pa"],
    ["Bearer q7we9rt2yu4io6pa", "q7we9rt2yu4io6pa"],
    ['"Bearer q7we9rt2yu4io6pa"', "q7we9rt2yu4io6pa"],
    ["Basic cm9ibzpxN3dlOXJ0", "cm9ibzpxN3dlOXJ0"],
    ['q7we9"rt2yu4io6pa"', 'q7we9"rt2yu4io6pa"'],
    ["correct horse battery", "correct horse battery"],
    ["wkzqhvnbtrpldmxc", "wkzqhvnbtrpldmxc"],
    ["mnbvcxzlkj", "mnbvcxzlkj"],
  ])("takes of %j what is bare of it", (value, bare) => {
    expect(credentialsOf({ MY_TOKEN: value })).toEqual([bare]);
  });

  it("takes each item of a list, and the list", () => {
    const list = "q7we9rt2yu4io6pa, production;zx8cv6bn4ml2kj";
    expect(credentialsOf({ API_KEYS: list })).toEqual([list, "q7we9rt2yu4io6pa", "zx8cv6bn4ml2kj"]);
    const json = '["q7we9rt2yu4io6pa", "production"]';
    expect(credentialsOf({ API_KEYS: json })).toEqual([json, "q7we9rt2yu4io6pa"]);
    const key = "ssh-ed25519 AAAAC3NzaC1lZDI1 robin@laptop";
    expect(credentialsOf({ DEPLOY_KEYS: key })).toEqual([key, "AAAAC3NzaC1lZDI1"]);
    expect(credentialsOf({ MY_TOKEN: "q7we9rt2,zx8cv6bn" })).toEqual(["q7we9rt2,zx8cv6bn"]);
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

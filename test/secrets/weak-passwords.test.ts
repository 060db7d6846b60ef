/** Passwords that people choose, in each spelling of an assignment; and what looks like one and is code. */
import { describe, expect, it } from "vitest";
import { createRedactor } from "../../src/secrets/redactor.ts";

async function redact(text: string): Promise<string> {
  const [clean = ""] = await createRedactor({ credentials: [] }).redact([text]);
  return clean;
}

const SPELLINGS = [
  "PASSWORD=§",
  'PASSWORD="§"',
  "export DB_PASSWORD='§'",
  "DB_PASSWORD: §",
  'DB_PASSWORD: "§"',
  '{"DB_PASSWORD":"§"}',
  '{"db_password":"§"}',
  '{\\"db_password\\":\\"§\\"}',
  "'db_password': '§'",
  'db_password = "§"',
  "password: §",
  "password=§",
  "spring.datasource.password=§",
  "tool --password § --force",
];

describe("a weak password", () => {
  it.each(SPELLINGS)("goes, a word with a year or a sign in it: %s", async (text) => {
    for (const password of ["Winter2025", "Summer!24", "p@ssw0rd1"])
      expect(await redact(text.replace("§", password))).toBe(
        text.replace("§", "[redacted:password:1]"),
      );
  });

  it.each([
    "PASSWORD=p@ss",
    "export PASSWORD=qwe",
    '{"password":"p@s1"}',
    "DB_PASSWORD=letmein",
    'DB_PASSWORD: "letmein"',
    '{"DB_PASSWORD":"letmein"}',
    "PASSWORD=483920",
  ])("goes, a short one or a plain word where a setting is plain: %s", async (text) => {
    expect(await redact(text)).toContain("[redacted:password:1]");
  });

  it.each([
    "X_TOKEN=12345678",
    "X_SECRET=20252026",
    "API_TOKEN=abcd1234",
    'API_TOKEN: "abcd1234"',
    "API_TOKEN: abcd1234",
    '{"API_TOKEN":"abcd1234"}',
  ])("is a weak token, too: %s", async (text) => {
    expect(await redact(text)).toContain("[redacted:assigned-secret:1]");
  });
});

describe("what stays beside them", () => {
  it.each([
    "PASSWORD=$X",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell's own variable
    'PASSWORD="${X}"',
    "PASSWORD=<password>",
    "password: process.env.DB_PASSWORD2",
    "MYSQL_ALLOW_EMPTY_PASSWORD=yes",
    "PASSWORD=changeme",
    "PASSWORD=xxx",
    'WRONG_PASSWORD: "mismatch"',
    'INVALID_PASSWORD: "invalid-password-2"',
    "connect(user, password=pw1)",
    "self.password=password2",
    "password=getPassword2()",
    "password = hash(input)",
    "password: string",
    "interface Login { user: string; password: string }",
    'hash(password="sha256")',
    "if (password!=other && password==again) fail();",
    "MAX_TOKENS=12800000",
    "TOTAL_TOKENS=12345678",
    '{"password":"step-2"}',
    'type="password" autocomplete="current-password"',
    "SESSION_TOKEN=0",
  ])("%s", async (text) => {
    expect(await redact(text)).toBe(text);
  });
});

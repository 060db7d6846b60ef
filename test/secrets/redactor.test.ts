import { describe, expect, it } from "vitest";
import { PIECES_KEPT } from "../../src/core/limits.ts";
import { createRedactor } from "../../src/secrets/redactor.ts";

// Put together here, so that no scanner takes this file for a leak.
const letters = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0";
const hex = "0f1e2d3c4b5a69788796a5b4c3d2e1f0";
const SECRETS: readonly (readonly [string, string])[] = [
  ["github-token", `ghp_${letters.slice(0, 36)}`],
  ["github-token", `github_pat_${letters.slice(0, 22)}_${letters}`],
  ["gitlab-token", `glpat-${letters.slice(0, 20)}`],
  ["aws-access-key", `AKIA${"ABCDEFGH23456789"}`],
  ["alibaba-access-key", `LTAI${letters.slice(0, 20)}`],
  ["model-api-key", `sk-${hex}`],
  ["model-api-key", `sk-proj-${letters}`],
  ["model-api-key", `sk-ant-api03-${letters}-${letters}`],
  ["model-api-key", `sk-or-v1-${hex}${hex}`],
  ["google-api-key", `AIza${letters.slice(0, 35)}`],
  ["huggingface-token", `hf_${letters.slice(0, 34)}`],
  ["slack-token", `xoxb-${"123456789012-123456789012"}-${letters.slice(0, 24)}`],
  ["slack-token", `xapp-1-A0123456789-${"1234567890123"}-${hex}`],
  ["stripe-key", `sk_live_${letters.slice(0, 24)}`],
  ["npm-token", `npm_${letters.slice(0, 36)}`],
  ["vendor-token", `pypi-${letters}${letters}`],
  ["jwt", `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.${letters}`],
];
const PEM = `-----BEGIN RSA PRIVATE KEY-----\n${`${letters}${letters.slice(0, 24)}\n`.repeat(4)}-----END RSA PRIVATE KEY-----`;

async function redact(text: string, credentials: string[] = []): Promise<string> {
  const [clean = ""] = await createRedactor({ credentials }).redact([text]);
  return clean;
}

describe("what is a secret by itself", () => {
  it.each(SECRETS)("replaces a %s", async (type, secret) => {
    expect(await redact(`before ${secret} after`)).toBe(`before [redacted:${type}:1] after`);
    expect(await redact(`{"x":"${secret}"}`)).toBe(`{"x":"[redacted:${type}:1]"}`);
  });

  it("replaces a private key as a whole", async () => {
    expect(await redact(`key:\n${PEM}\nend`)).toBe("key:\n[redacted:private-key:1]\nend");
  });

  it("replaces a private key in JSON, in a diff, with line numbers", async () => {
    expect(await redact(JSON.stringify({ key: PEM }))).toBe('{"key":"[redacted:private-key:1]"}');
    const diff = PEM.split("\n")
      .map((line) => `+${line}`)
      .join("\n");
    expect(await redact(diff)).toBe("+[redacted:private-key:1]");
    const numbered = PEM.split("\n")
      .map((line, n) => `${n + 1}→${line}`)
      .join("\n");
    expect(await redact(numbered)).toBe("1→[redacted:private-key:1]");
  });

  it.each([
    ["of lines that a diff takes out", (line: string) => `-${line}`],
    ["of a quotation", (line: string) => `> ${line}`],
    ["in a comment", (line: string) => `# ${line}`],
    ["in another comment", (line: string) => `// ${line}`],
    ["of strings", (line: string) => `  "${line}\\n" +`],
    ["that a search printed", (line: string) => `certs/key.pem:12:${line}`],
  ])("replaces a private key %s", async (_, surround) => {
    const text = ["before", ...PEM.split("\n").map(surround), "behind"].join("\n");
    const clean = await redact(text);
    for (const line of PEM.split("\n").slice(1, -1)) expect(clean).not.toContain(line.slice(0, 20));
    expect(clean).toMatch(/^before\n[\s\S]{1,30}\[redacted:private-key:1\][^\n]{0,5}\nbehind$/);
  });

  it("replaces a private key in JSON in JSON", async () => {
    const nested = JSON.stringify(JSON.stringify({ key: PEM }));
    expect(await redact(nested)).toBe(JSON.stringify('{"key":"[redacted:private-key:1]"}'));
  });

  it("leaves a program's lines behind a key's marker", async () => {
    const code =
      'const BEGIN = "-----BEGIN PRIVATE KEY-----";\nconst BODY_OF_A_KEY = readTheBodyOfThePrivateKeyFromItsFile;\n';
    expect(await redact(code)).toBe(code);
  });

  it("replaces the half of a private key that a cut left", async () => {
    const lines = PEM.split("\n");
    const head = await redact(
      `${lines.slice(0, 3).join("\n")}\n[… 99 characters left out …]\nmore`,
    );
    expect(head).toMatch(/^\[redacted:private-key:1\]\s*\[… 99 characters left out …\]\nmore$/);
    const tail = await redact(`[… 99 characters left out …]\n${lines.slice(3).join("\n")}\nmore`);
    expect(tail).toMatch(/^\[… 99 characters left out …\]\n\[redacted:private-key:1\]\nmore$/);
  });

  it("leaves a mention of a key's marker", async () => {
    const code =
      'if (text.includes("-----BEGIN PRIVATE KEY-----")) throw new Error("no keys here please");';
    expect(await redact(code)).toBe(code);
  });
});

describe("what its context makes a secret", () => {
  it.each([
    [`Authorization: Bearer ${letters}`, "Authorization: Bearer [redacted:authorization:1]"],
    [
      `-H "authorization: Basic dXNlcjpwYXNz"`,
      `-H "authorization: Basic [redacted:authorization:1]"`,
    ],
    [
      `{"Authorization":"Bearer ${letters}"}`,
      `{"Authorization":"Bearer [redacted:authorization:1]"}`,
    ],
    [`X-Api-Key: ${letters}`, "X-Api-Key: [redacted:authorization:1]"],
    [
      "postgres://app:tr0ub4dor@db.example.com/x",
      "postgres://app:[redacted:url-credentials:1]@db.example.com/x",
    ],
    [
      `git clone https://${letters}@example.com/a.git`,
      "git clone https://[redacted:url-credentials:1]@example.com/a.git",
    ],
    [
      "curl -u admin:tr0ub4dor https://example.com",
      "curl -u admin:[redacted:password:1] https://example.com",
    ],
    ["export DEPLOY_TOKEN=tr0ub4dorandmore", "export DEPLOY_TOKEN=[redacted:assigned-secret:1]"],
    ["DB_PASSWORD=correcthorse", "DB_PASSWORD=[redacted:password:1]"],
    ["CLIENT_SECRET='tr0ub4dor3xyz'", "CLIENT_SECRET='[redacted:assigned-secret:1]'"],
    [`SIGNING_KEY=${letters}`, "SIGNING_KEY=[redacted:assigned-secret:1]"],
    [`"api_key": "${hex}"`, `"api_key": "[redacted:assigned-secret:1]"`],
    [`{\\"token\\": \\"${letters}\\"}`, `{\\"token\\": \\"[redacted:assigned-secret:1]\\"}`],
    ['password: "tr0ub4dor"', 'password: "[redacted:password:1]"'],
    [`deploy --token ${letters} --force`, "deploy --token [redacted:assigned-secret:1] --force"],
    [`aws_secret_access_key = ${letters}`, "aws_secret_access_key = [redacted:assigned-secret:1]"],
  ])("in %j", async (text, clean) => {
    expect(await redact(text)).toBe(clean);
  });

  it("replaces such a secret where it stands alone too, also later", async () => {
    const redactor = createRedactor({ credentials: [] });
    expect(await redactor.redact([`DEPLOY_TOKEN=${letters}`, `echo ${letters}`])).toEqual([
      "DEPLOY_TOKEN=[redacted:assigned-secret:1]",
      "echo [redacted:assigned-secret:1]",
    ]);
    expect(await redactor.redact([`again ${letters}`])).toEqual([
      "again [redacted:assigned-secret:1]",
    ]);
  });

  it("does not spread a short word that served as a password", async () => {
    const redactor = createRedactor({ credentials: [] });
    expect(await redactor.redact(["DB_PASSWORD=parcelapp", "cd parcelapp"])).toEqual([
      "DB_PASSWORD=[redacted:password:1]",
      "cd parcelapp",
    ]);
  });
});

describe("what is no secret", () => {
  it.each([
    "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
    "id 123e4567-e89b-12d3-a456-426614174000",
    '"integrity": "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DvJMRu7Pw=="',
    "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "const token = getToken();",
    "const token = await session.accessToken;",
    "password: process.env.DB_PASSWORD",
    "API_KEY=$OTHER_KEY",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell's own variable
    "API_KEY=${OTHER_KEY}",
    "TOKEN=<your token>",
    "API_KEY=your-api-key-here",
    'api_key = "changeme"',
    "if (token === undefined) throw new Error('missing');",
    "type Options = { password: string; secretName: string };",
    "SORT_KEY=created_at",
    "CACHE_KEY=9fceb02d0ae598e95dc970b74767f19372d61af8",
    "max_tokens: 128000000",
    "see https://example.com/a:b/c@d",
    "git@example.com:owner/repository.git",
    "sk-fading-circle-animation-delay-large",
    "PWD=/home/user/parcels",
    "SSH_PRIVATE_KEY=/home/user/.ssh/id_ed25519",
    "Authorization: Bearer $TOKEN",
    "Authorization: Bearer <token>",
    "the password is checked in src/login.ts",
    "assert.equal(day('2026-03-01T00:30:00Z'), '2026-03-01')",
  ])("keeps %j", async (text) => {
    expect(await redact(text)).toBe(text);
  });
});

describe("known credentials", () => {
  const credential = 'open sesame+/"42"';

  it.each([
    ["plain", credential],
    ["URL-encoded", encodeURIComponent(credential)],
    ["in JSON", JSON.stringify(credential).slice(1, -1)],
    ["in base64", Buffer.from(credential).toString("base64").replace(/=+$/, "").slice(0, -1)],
  ])("are replaced %s", async (_, form) => {
    expect(await redact(`a ${form} b`, [credential])).toBe("a [redacted:credential:1] b");
  });

  it("are replaced inside a longer text in base64, wherever they begin", async () => {
    for (const before of ["", "u", "us", "use", "user"]) {
      const encoded = Buffer.from(`${before}:${credential}:after`).toString("base64");
      const clean = await redact(`basic=${encoded};`, [credential]);
      expect(clean).toContain("[redacted:");
      const rest = clean.slice("basic=".length, -1).replace(/\[redacted:[^\]]*\]/g, "");
      // Of 17 bytes, what may be left at the edges decodes to at most two.
      expect(rest.length).toBeLessThan(encoded.length - 18);
    }
  });

  it("are ignored when they are shorter than a secret can be", async () => {
    expect(await redact("a short b", ["short"])).toBe("a short b");
  });
});

describe("placeholders", () => {
  const [, first] = SECRETS[0]!;
  const second = first.replace("a1B2", "zzZZ");

  it("tell secrets apart, and are the same for the same one", async () => {
    const redactor = createRedactor({ credentials: [] });
    expect(await redactor.redact([`${first} ${second}`, first])).toEqual([
      "[redacted:github-token:1] [redacted:github-token:2]",
      "[redacted:github-token:1]",
    ]);
    expect(redactor.counts()).toEqual({ "github-token": 3 });
  });

  it("survive a second pass", async () => {
    const text = `DEPLOY_TOKEN=${letters} https://u:${hex}@example.com Authorization: Bearer ${letters} ${first}`;
    const clean = await redact(text);
    expect(clean).not.toContain(letters);
    expect(await redact(clean)).toBe(clean);
  });

  it("keep the number and order of the texts, empty ones too", async () => {
    expect(await createRedactor({ credentials: [] }).redact(["", "a", ""])).toEqual(["", "a", ""]);
    expect(await createRedactor({ credentials: [] }).redact([])).toEqual([]);
  });

  it("keep characters beyond the basic plane in place", async () => {
    expect(await redact(`😀é ${first} 😀`)).toBe("😀é [redacted:github-token:1] 😀");
  });
});

it("ends in bounded time on long texts of one kind", async () => {
  for (const piece of [
    "a",
    "a1",
    "A_",
    "token",
    "token=",
    "-----BEGIN PRIVATE KEY-----",
    "eyJ",
    "x://u:",
    `${letters}${letters}\n`,
    "curl ",
    "bearer ",
    "-",
  ]) {
    const started = performance.now();
    await redact(piece.repeat(Math.ceil(200_000 / piece.length)));
    expect(performance.now() - started, piece).toBeLessThan(5000);
  }
}, 120_000);

it("a secret that only its context gives away is found spelled with escapes also among very many texts", async () => {
  const secret = "Qx7-vT2-mW9zLk4Rb8";
  const spelled = secret.replaceAll("-", "\\u002d");
  const before = Array.from({ length: PIECES_KEPT + 100 }, (_, n) => `part\\u002d${n}`);
  const texts = [...before, `it is ${spelled}, and`, `API_TOKEN=${secret}`];
  const clean = await createRedactor({ credentials: [] }).redact(texts);
  const placeholder = "[redacted:assigned-secret:1]";
  expect(clean.slice(-2)).toEqual([`it is ${placeholder}, and`, `API_TOKEN=${placeholder}`]);
  expect(clean.slice(0, -2)).toEqual(before);
});

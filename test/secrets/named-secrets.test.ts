/** Secrets that only their place gives away, and what stands in such places without being one. */
import { describe, expect, it } from "vitest";
import { createRedactor } from "../../src/secrets/redactor.ts";
import { seeded, word, wrapped } from "./planted.ts";

async function redact(text: string): Promise<string> {
  const [clean = ""] = await createRedactor({ credentials: [] }).redact([text]);
  return clean;
}

const random = seeded(3);
const secret = `q7${word(random, 20)}`;
const other = `z3${word(random, 20)}`;

/** `§` stands for the secret; its placeholder's type. */
const PLACES: readonly (readonly [string, string])[] = [
  ["export DEPLOY_TOKEN=§", "assigned-secret"],
  ["export DEPLOY_TOKEN='§'", "assigned-secret"],
  ['declare -x CLIENT_SECRET="§"', "assigned-secret"],
  ["DEPLOY_TOKEN=§ npm publish", "assigned-secret"],
  ['{"clientSecret":"§"}', "assigned-secret"],
  ['{\\"client_secret\\":\\"§\\"}', "assigned-secret"],
  ['{\\\\\\"client_secret\\\\\\":\\\\\\"§\\\\\\"}', "assigned-secret"],
  ["  api_key: §", "assigned-secret"],
  ['  api_key: "§"', "assigned-secret"],
  ["api_token = §", "assigned-secret"],
  ["tool --token § --force", "assigned-secret"],
  ["tool --api-key=§ --force", "assigned-secret"],
  ['["--token","§"]', "assigned-secret"],
  ["| API_TOKEN | § |", "assigned-secret"],
  ["| API_TOKEN | `§` |", "assigned-secret"],
  ["<apiKey>§</apiKey>", "assigned-secret"],
  ['<add key="ApiKey" value="§" />', "assigned-secret"],
  ["//registry.example.com/:_authToken=§", "assigned-secret"],
  ["ENV API_TOKEN §", "assigned-secret"],
  ["SECRET_KEY_BASE=§", "assigned-secret"],
  ["SIGNING_KEY=§", "assigned-secret"],
  ["first\\nDEPLOY_TOKEN=§\\nlast", "assigned-secret"],
  ['{"name":"API_TOKEN","value":"§"}', "assigned-secret"],
  ['{\n  "key": "API_TOKEN",\n  "value": "§"\n}', "assigned-secret"],
  ["- name: API_TOKEN\n  value: §", "assigned-secret"],
  ['- name: API_TOKEN\n  value: "§"', "assigned-secret"],
  ["bearer: §", "authorization"],
  ["echo ::add-mask::§", "url-credentials"],
  ["machine example.com\n  login me\n  password §", "password"],
  ["PGPASSWORD=§ psql", "password"],
  ["MYSQL_PWD=§ mysql", "password"],
  ["SMTP_PASS=§", "password"],
  ["password: §", "password"],
  ["tool --password § --force", "password"],
  ["machine example.com login me password §", "password"],
  ["curl -u admin:§ https://example.com", "password"],
  ["sshpass -p § ssh example.com", "password"],
  ["mysql -u root -p§ shop", "password"],
  ["redis-cli -a § ping", "password"],
  ['curl -H "Authorization: Bearer §" https://example.com', "authorization"],
  ['curl -H "authorization: Basic §" https://example.com', "authorization"],
  ['{"headers":{"Authorization":"token §"}}', "authorization"],
  ["{'Authorization': 'Bearer §'}", "authorization"],
  ["Authorization: SSWS §", "authorization"],
  ['{"authorization":"DPoP §"}', "authorization"],
  ["Authorization: SharedKey account:§", "authorization"],
  ['Authorization: Hawk id="7", ts="1700000000", mac="§"', "authorization"],
  ["Authorization: GoogleLogin auth=§", "authorization"],
  ['"Authorization: OAuth oauth_version=\\"1.0\\", oauth_signature=\\"§\\""', "authorization"],
  ["Authorization: AWS4-HMAC-SHA256 SignedHeaders=host;range, Signature=§", "authorization"],
  ["X-Api-Key: §", "authorization"],
  ["PRIVATE-TOKEN: §", "authorization"],
  ["Cookie: theme=dark; sid=§; lang=en", "cookie"],
  ["Set-Cookie: session=§; Path=/; HttpOnly", "cookie"],
  ['curl -b "sid=§" --cookie "sid=§" https://example.com', "cookie"],
  ['{"cookie":"sid=§"}', "cookie"],
  ["postgres://app:§@db.example.com/shop", "url-credentials"],
  ["mongodb+srv://app:§@db.example.com", "url-credentials"],
  ["redis://:§@cache.example.com:6379/0", "url-credentials"],
  ["https:\\/\\/app:§@example.com\\/x", "url-credentials"],
  ["git clone https://§@example.com/a.git", "url-credentials"],
  ["git clone https://§:x-oauth-basic@example.com/a.git", "url-credentials"],
  ["https://files.example.com/a?expires=9&sig=§", "url-credentials"],
  ['{"user":"app","pass":"§"}', "password"],
  ['{\\"pass\\": \\"§\\"}', "password"],
  ["Password:\n§\n", "password"],
  ["password: >-\n    §\nport: 5432", "password"],
  ["api_token: |\n  §\n", "assigned-secret"],
  ["API_TOKEN -> §", "assigned-secret"],
  ["API_TOKEN        §\nREGION           north", "assigned-secret"],
  [".example.com\tTRUE\t/\tTRUE\t1790000000\tsid\t§", "cookie"],
  ["#HttpOnly_example.com\\tFALSE\\t/app\\tTRUE\\t0\\tsid\\t§", "cookie"],
  ["first\ndb.example.com:5432:shop:app:§\nlast", "password"],
  ["localhost:*:*:app:§", "password"],
  ["next=postgres%3A%2F%2Fapp%3A§%40db.example.com", "url-credentials"],
];

/** Forms of files that keep passwords; made at random, as everything here. */
const HASH = (length: number) => word(random, length);
const STORED: readonly (readonly [string, string])[] = [
  [`$2b$12$${HASH(53)}`, "password-hash"],
  [`$6$rounds=5000$${HASH(16)}$${HASH(86)}`, "password-hash"],
  [`$1$${HASH(8)}$${HASH(22)}`, "password-hash"],
  [`$y$j9T$${HASH(22)}$${HASH(43)}`, "password-hash"],
  [`$argon2id$v=19$m=65536,t=3,p=4$${HASH(22)}$${HASH(43)}`, "password-hash"],
];

describe("a secret that only its place gives away", () => {
  it.each(PLACES)("%s", async (text, type) => {
    const expected = text.replaceAll("§", `[redacted:${type}:1]`);
    expect(await redact(text.replaceAll("§", secret))).toBe(expected);
  });

  it.each(STORED)("is a hash of a password: %s", async (hash, type) => {
    for (const around of [
      "root:§:19000:0:99999:7:::",
      '{"hash":"§"}',
      "INSERT INTO u VALUES ('§')",
    ]) {
      expect(await redact(around.replace("§", hash))).toBe(
        around.replace("§", `[redacted:${type}:1]`),
      );
    }
  });

  it("is the private part of a PuTTY key, in lines and in JSON", async () => {
    const lines = [word(random, 64), word(random, 64), `${word(random, 30)}==`];
    const key = `PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 3\n${lines.join("\n")}\nPrivate-MAC: 00`;
    for (const text of [key, JSON.stringify(key)]) {
      const clean = await redact(text);
      expect(clean).toContain("[redacted:private-key:1]");
      expect(clean).toContain("Private-MAC: 00");
      for (const line of lines) expect(clean).not.toContain(line.slice(0, 12));
    }
  });

  it("is a token in UTF-16, in Markdown, and behind a letter", async () => {
    const token = `${["gh", "p_"].join("")}${word(random, 36)}`;
    const spellings = [
      [...token].join("\0"),
      token.replace("_", "\\_"),
      `x${token}`,
      JSON.stringify([...token].join("\0")),
    ];
    for (const spelled of spellings) {
      const clean = await redact(`the token: ${spelled} is it`);
      expect(clean).toContain("[redacted:github-token:1]");
      expect(clean.replaceAll("\0", "")).not.toContain(token.slice(-12));
    }
  });

  it("keeps the line of a command, whatever follows it", async () => {
    expect(await redact(`export A_TOKEN=${secret}\nls -la\n./run.sh`)).toBe(
      "export A_TOKEN=[redacted:assigned-secret:1]\nls -la\n./run.sh",
    );
  });

  it("is a key in hexadecimal, and a login in base64", async () => {
    const key = word(random, 64, "0123456789abcdef");
    expect(await redact(`MASTER_KEY=${key}`)).toBe("MASTER_KEY=[redacted:assigned-secret:1]");
    const login = Buffer.from(`me:${secret}`).toString("base64");
    expect(await redact(`{"auths":{"example.com":{"auth": "${login}"}}}`)).toBe(
      '{"auths":{"example.com":{"auth": "[redacted:url-credentials:1]"}}}',
    );
  });

  it("is told from a second one", async () => {
    expect(await redact(`A_TOKEN=${secret}\nB_TOKEN=${other}\nC_TOKEN=${secret}`)).toBe(
      "A_TOKEN=[redacted:assigned-secret:1]\nB_TOKEN=[redacted:assigned-secret:2]\nC_TOKEN=[redacted:assigned-secret:1]",
    );
  });

  it.each([20, 24, 30, 36])("is found over the end of a line of %s characters", async (width) => {
    const clean = await redact(wrapped(`export DEPLOY_TOKEN=${secret}`, width));
    expect(clean.replaceAll("\n", "")).toBe("export DEPLOY_TOKEN=[redacted:assigned-secret:1]");
  });

  it("holds odd characters, alone in its line or in quotes", async () => {
    expect(await redact("DB_PASSWORD=a;b&c$1(d)|e\nNEXT=1")).toBe(
      "DB_PASSWORD=[redacted:password:1]\nNEXT=1",
    );
    expect(await redact('DB_PASSWORD="correct horse battery staple"')).toBe(
      'DB_PASSWORD="[redacted:password:1]"',
    );
    expect(await redact("postgres://app:p@ss/w0rd@db.example.com/shop")).toBe(
      "postgres://app:[redacted:url-credentials:1]@db.example.com/shop",
    );
  });
});

describe("the text of a skill stays as it is", () => {
  it.each([
    "PASSWORD=$DB_PASSWORD",
    "export TOKEN=<your token>",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell's own variable
    "export TOKEN=${TOKEN:-none}",
    "API_KEY=YOUR_API_KEY",
    "API_KEY=your-api-key",
    "API_KEY=xxxxxxxxxxxxxxxx",
    "GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE",
    "AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "OPENAI_API_KEY=sk-...",
    'curl -H "Authorization: Bearer $TOKEN" https://api.example.com',
    'curl -H "Authorization: Bearer <token>" https://api.example.com',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a workflow's own expression
    "token: ${{ secrets.GITHUB_TOKEN }}",
    "password: {{ vault_password }}",
    "write to user@example.com or admin@shop.example.org",
    "git clone git@github.com:owner/repository.git",
    "psql postgres://postgres:postgres@localhost:5432/test",
    "listen on 127.0.0.1, localhost, 0.0.0.0 or 192.0.2.10, 198.51.100.7 and 203.0.113.5",
    "the network 10.0.0.0/8 and version 10.2.3.4 of v10.2.3.4-rc1",
    "open /home/user/project and /Users/you/project and C:\\Users\\name\\project",
    'path: "/home/about" leads to the page',
    "the route /api/home/page.tsx and https://example.com/home/news/today",
    "npm install react@18.2.0 icon@2x.png",
    "const token = await getToken(request.headers.authorization);",
    "password must have 12 characters; secrets are read from the keychain",
    "max_tokens=4096 and prompt_tokens: 128000",
    "npx tool --token $TOKEN --password-file ./password.txt",
    "type Secret = { token: string; apiKey?: string };",
    "Set the cookie: name, path and lifetime",
    "Authorization: fixed 0123456789abcdef0123456789abcdef01234567 in the client",
    "authorization: see issue-2024 and page=12 of the manual",
    "password:\n  minLength: 8",
    "secret:\n  secretName: app-settings-2\n  optional: true",
    "token:\n  description: of-the-session",
    '{"pass": true, "result": {"pass": "v1.2.3", "fail": 0}}',
    "max_token        number_of_tokens_in_all",
    "CACHE_KEY      build-2026-01-02-abcdef12345",
    "$this->token -> the value of it",
    "cost $1$ and $5$ and $6$ in all, for $2b$ more",
    "echo $PASSWORD$2a$x",
    "a:*:b:c:d and *:*:*",
    "the regular expression /a\\_b\\_c/ and a\\-b",
    "redirect=https%3A%2F%2Fexample.com%2Fhome%40work",
  ])("%s", async (text) => {
    expect(await redact(text)).toBe(text);
  });
});

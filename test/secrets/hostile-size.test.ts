/** Text that was made to take a rule long: the time must grow with the text, not with its square. */
import { expect, it } from "vitest";
import { exactMatcher } from "../../src/secrets/exact-matcher.ts";
import { createRedactor } from "../../src/secrets/redactor.ts";
import { noSights, OwnRules } from "../../src/secrets/rules.ts";
import { Pieces } from "../../src/secrets/text-pieces.ts";
import { expectLinear } from "../transcript/growth.ts";
import { seeded, word } from "./planted.ts";

const rules = new OwnRules({ anchors: { words: [] }, find: () => [] });
const ownFindings = (text: string) => {
  rules.scanner.scan(text);
  return rules.find(text, noSights());
};

const PIECES = [
  "-eyJaaaaaaaa",
  "eyJaaaaaaaa.",
  "-eyJ",
  "curl ",
  "curl -u a ",
  " -u a",
  "a://",
  "a.a.a://a:a",
  "http://a",
  "-----BEGIN PRIVATE KEY-----\n",
  "-----END PRIVATE KEY-----",
  "1!-----END PRIVATE KEY-----",
  "1",
  "1111111111111111",
  "-----BEGIN PRIVATE KEY-----1-a",
  `-----BEGIN PRIVATE KEY-----"\n"${"a".repeat(40)}"\n`,
  `"-----BEGIN PRIVATE KEY-----"\n"${"a".repeat(40)}"-----END PRIVATE KEY-----\n`,
  'API_TOKEN",',
  'API_TOKEN","value":"',
  "machine a login a password ",
  '"auth":"aaaaaaaaaaaa',
  "::add-mask::",
  "htpasswd -b ",
  "htpasswd -nb a ",
  "net use a /user:a ",
  "nmcli a ",
  "echo aaaa|sudo -S ",
  "echo a:aaaa | chpasswd",
  'send "',
  "gh secret set a ",
  "IDENTIFIED WITH a ",
  "aaaaaaaaaaaaaa.atlasv1.",
  " unzip -P",
  " ldapsearch -w aaaa",
  'Setenv("A_TOKEN", "',
  "-----BEGIN PRIVATE KEY-----\na: \n",
  "token=",
  "A_",
  "-a",
  "bearer ",
  "authorization: ",
  "cookie: a",
  "AccountKey=a",
  "sk-",
  "sk-\n ",
  "sk-'+'",
  "eyJa │\n│ ",
  'ghp_aaa", "',
  'sk-aaa".concat("',
  'A_TOKEN=["a", "',
  "-home-a-a-a-a",
  "Users-a ",
  ".cursor\\\\projects\\\\Users-a",
  "glpat-",
  "xoxb-",
  "ATATT3",
  "SG.a",
  "AKIAQ7WE9RT2Q7WE9RT2 ",
  "AKIAQ7WE9RT2Q7WE9RT2/",
  " ",
  "\n",
  "=",
  "@",
  "a@a.",
  "/home/a",
  "10.1.",
  "password: a",
  "cookie: a=b; ",
  "|token|",
  "token is ",
  "PASSWORD=a;",
  "postgres://a:a/",
  " -pmysql ",
  "ghp_aaa\n",
  'token="a"+"',
  "A_TOKEN=aaaaaaaa │\n│ ",
  "A_TOKEN=aB3dE5fG7hJ9kL1m\n  aB3dE5fG7hJ9kL1m\n",
];

/** What the view of a text and the lines put together in it are made for. */
const SPELLINGS = [
  "\\",
  "\\n",
  "\\u0041",
  "\u001b[0m",
  "a\n",
  "a\\n",
  `${"a".repeat(30)}\n`,
  "\u200b",
  "\\\n",
];

it.each(SPELLINGS)("the text as it is read: %j", async (piece) => {
  const of = (size: number) => piece.repeat(Math.ceil(size / piece.length));
  await expectLinear((n) => new Pieces([of(n)], rules.scanner), 60_000);
  await expectLinear((n) => new Pieces([`ghp_${of(n)}`], rules.scanner), 60_000);
});

it.each(PIECES)("our own rules: %j", async (piece) => {
  const of = (size: number) => piece.repeat(Math.ceil(size / piece.length));
  await expectLinear((n) => ownFindings(of(n)), 30_000);
  await expectLinear((n) => ownFindings(`${of(n)}!-----END PRIVATE KEY-----`), 30_000);
});

it("thousands of known values cost no more than their text", async () => {
  const values = (n: number) =>
    Array.from({ length: n / 40 }, (_, at) => `ghp_${at}`.padEnd(40, "x"));
  await expectLinear((n) => {
    const all = values(n);
    expect(exactMatcher(all)(all.join(" "))).toHaveLength(all.length);
  }, 400_000);
});

const tokens = (count: number) => {
  const random = seeded(3);
  return Array.from({ length: count }, () => `gh${"p_"}${word(random, 36)}`);
};

it("a text full of tokens takes time by its length", async () => {
  const all = tokens(8_000).map((token) => `token ${token} here\n`);
  await expectLinear(async (n) => {
    const text = all.slice(0, n).join("");
    const [clean] = await createRedactor({ credentials: [] }).redact([text]);
    expect(clean).not.toContain("gh" + "p_");
  }, 4_000);
});

it("a text after another takes time by its own length, however many secrets are known", async () => {
  const all = tokens(4_000);
  await expectLinear(async (n) => {
    const redactor = createRedactor({ credentials: [] });
    for (const token of all.slice(0, n)) await redactor.redact([`token ${token}`]);
  }, 2_000);
});

it.each([
  ["tokens", (n: number) => `use ghp_${`${n}x`.padEnd(36, "aB3")} now`],
  ["assignments", (n: number) => `DEPLOY_TOKEN=${`${n}x`.padEnd(24, "aB3")}`],
  [
    "broken tokens",
    (n: number) => `the token ghp_${`${n}x`.padEnd(12, "aB3")}\n${"aB3".repeat(8)}`,
  ],
  // Only the scanner library sees these.
  [
    "logins that are examples",
    (n: number) => (n % 4 > 0 ? "" : `https://user${n}:example@example.com/`),
  ],
])("thousands of different %s in one text cost no more than their text", async (_, make) => {
  await expectLinear(async (n) => {
    const text = Array.from({ length: n }, (_, at) => make(at)).join("\n");
    await createRedactor({ credentials: [] }).redact([text]);
  }, 3000);
});

it("the longest of the values that begin alike is found, from left to right", () => {
  const find = exactMatcher(["abcabcab", "abcabcabcabc", "bcabcabc", "x.*+?^$x"]);
  const found = find("abcabcabcabcab abcabcabx x.*+?^$x").map(({ start, value }) => [start, value]);
  expect(found).toEqual([
    [0, "abcabcabcabc"],
    [15, "abcabcab"],
    [25, "x.*+?^$x"],
  ]);
});

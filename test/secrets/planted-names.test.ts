/** Secrets that only a name gives away, cut by what surrounds them: none of them may survive, and the words around them must. */
import { describe, expect, it } from "vitest";
import { createRedactor } from "../../src/secrets/redactor.ts";
import { boxed, seeded, survivor, word, wrapped } from "./planted.ts";

const random = seeded(5);
const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** What stands before a secret. */
const NAMES = [
  "export DEPLOY_TOKEN=",
  "CLIENT_SECRET=",
  "SIGNING_KEY=",
  "DB_PASSWORD=",
  "api_key: ",
  "Authorization: Bearer ",
  "authorization: Basic ",
];

/** How it is cut; each begins with what stands before it. */
const CUTS: Readonly<Record<string, (before: string, secret: string) => string>> = {
  "a box": (b, s) => boxed(`${b}${s}`, b.length + 14),
  "a narrow box": (b, s) => boxed(`${b}${s}`, b.length + 9),
  "a box of ASCII": (b, s) => boxed(`${b}${s}`, b.length + 12, "|"),
  "a box in JSON": (b, s) => JSON.stringify(boxed(`${b}${s}`, b.length + 14)),
  "an indented wrap": (b, s) => wrapped(`$ ${b}${s}`, b.length + 22).replaceAll("\n", "\n    "),
  "an indented wrap in JSON": (b, s) =>
    JSON.stringify(wrapped(`$ ${b}${s}`, b.length + 22).replaceAll("\n", "\n  ")),
  "a hard wrap": (b, s) => `before it\n${wrapped(`$ ${b}${s}`, b.length + 16)}`,
  "a hard wrap of CRLF": (b, s) => wrapped(`$ ${b}${s}`, b.length + 16).replaceAll("\n", "\r\n"),
  "a hard wrap in JSON": (b, s) => JSON.stringify(wrapped(`$ ${b}${s}`, b.length + 16)),
  "a trailing backslash": (b, s) => `${b}${s.slice(0, 15)}\\\n${s.slice(15)}`,
  "a trailing backslash and an indent": (b, s) => `${b}${s.slice(0, 15)}\\\n    ${s.slice(15)}`,
  "a comment that was wrapped": (b, s) =>
    wrapped(`# ${b}${s}`, b.length + 22).replaceAll("\n", "\n# "),
};

/** The same for names whose value is a string of a program. */
const STRINGS: Readonly<Record<string, (a: string, b: string) => string>> = {
  "a sum": (a, b) => `const clientSecret = "${a}" + "${b}";`,
  "a sum over two lines": (a, b) => `const apiKey =\n  "${a}" +\n  "${b}";`.replace("=\n  ", "= "),
  "a sum whose sign begins the line": (a, b) => `const accessToken = '${a}'\n  + '${b}';`,
  "strings side by side": (a, b) => `api_token = "${a}" "${b}"`,
  "strings in brackets": (a, b) => `password = ("${a}"\n            "${b}")`,
  "a point": (a, b) => `$client_secret = '${a}' . '${b}';`,
  "a backslash": (a, b) => `secret_key = "${a}" \\\n    "${b}"`,
  "a sum in JSON": (a, b) => JSON.stringify(`const authToken = "${a}" + "${b}";`),
  "a sum of strings in different quotes": (a, b) => `const clientSecret = "${a}" + '${b}';`,
  "a call of concat": (a, b) => `const clientSecret = "${a}".concat("${b}");`,
  "a chain of calls": (a, b) =>
    `const apiKey = "${a}"\n  .concat('${b.slice(0, 3)}')\n  .concat("${b.slice(3)}");`,
  "a joined list": (a, b) => `const clientSecret = ["${a}", "${b}"].join("");`,
  "a joined list of a line for each item": (a, b) =>
    `const apiKey = [\n  '${a}',\n  '${b.slice(0, 3)}',\n  '${b.slice(3)}',\n].join('');`,
  "a joined list in JSON": (a, b) =>
    JSON.stringify(`const apiKey = [\n  "${a}",\n  "${b}"\n].join("");`),
  "a joined list in a diff": (a, b) => `+const apiKey = [\n+  "${a}",\n+  "${b}",\n+].join("");`,
  "a header": (a, b) => `headers["Authorization"] = "Bearer ${a}" + "${b}"`,
};

async function redact(text: string): Promise<string> {
  const [clean = ""] = await createRedactor({ credentials: [] }).redact([text]);
  return clean;
}

describe.each(Object.entries(CUTS))("cut by %s", (_, cut) => {
  it.each(NAMES)("behind %s", async (name) => {
    for (const length of [30, 40, 64]) {
      const secret = `q7${word(random, length, BASE64)}`;
      const text = cut(name, secret);
      const clean = await redact(text);
      expect(survivor(secret, clean), text).toBeNull();
      expect(clean).toContain(name.trim());
    }
  });
});

it("leaves the other items of a list that nothing joins", async () => {
  const text = `const accessToken = "q7${word(random, 38)}", "label2024x91", 'other4711y';`;
  expect(await redact(text)).toMatch(/^const accessToken = "\S+", "label2024x91", 'other4711y';$/);
  const list = `const apiKey = ["q7${word(random, 12)}", "label2024x91"].join(", ");`;
  expect(await redact(list)).toBe(list);
});

it.each(Object.entries(STRINGS))("cut by %s", async (_, cut) => {
  for (const at of [4, 12, 30]) {
    const secret = `q7${word(random, 38)}`;
    const text = cut(secret.slice(0, at), secret.slice(at));
    expect(survivor(secret, await redact(text)), text).toBeNull();
  }
});

it.each(["│", "|"])("a private key in a box with the sides %s", async (side) => {
  const lines = Array.from({ length: 6 }, () => word(random, 64));
  const marker = ["PRIVATE", "KEY-----"].join(" ");
  const key = [`-----BEGIN ${marker}`, ...lines, `-----END ${marker}`].map((line) =>
    line.padEnd(64),
  );
  const box = key.map((line) => `${side} ${line} ${side}`).join("\n");
  const clean = await redact(`${box}\nkept`);
  for (const line of lines) expect(survivor(line, clean)).toBeNull();
  expect(clean).toContain("kept");
});

it("a token of more than twelve pieces", async () => {
  const token = `${["eyJ", word(random, 90)].join("")}.eyJ${word(random, 300)}.${word(random, 43)}`;
  const clean = await redact(boxed(`the token ${token} ends`, 20));
  expect(survivor(token, clean)).toBeNull();
});

describe("what stands below a secret stays", () => {
  const secret = `q7${word(random, 30)}`;
  it.each([
    ["another assignment", `  DEPLOY_TOKEN=${secret}`, "  REGION=eu-west-1"],
    ["a word", `DEPLOY_TOKEN=${secret}`, "    authorization"],
    ["a path", `DEPLOY_TOKEN=${secret}`, "    src/secrets/token2024.ts"],
    ["a commit", `DEPLOY_TOKEN=${secret}`, "    3f2a91c0d4be5f60718293a4b5c6d7e8f9012345"],
    ["a name with a number", `DEPLOY_TOKEN=${secret}`, "    build_2024_release"],
    ["a line of words", `DEPLOY_TOKEN=${secret}`, "    x86_64a1b2c3 is the platform"],
    ["a row of a box", `│ DEPLOY_TOKEN=${secret} │`, `│ ${"production".padEnd(45)} │`],
    ["a padded row", `│ DEPLOY_TOKEN=${secret}      │`, `│ ${"a1b2c3d4e5".padEnd(50)} │`],
    ["a YAML entry", `  api_key: ${secret}`, "  endpoint: https://example.com/v1"],
    ["an argument", `tool --token "${secret}"`, `  "build2024x91"`.replaceAll('"', "")],
  ])("%s", async (_, line, below) => {
    const clean = await redact(`${line}\n${below}\n`);
    expect(clean).not.toContain(secret);
    expect(clean.endsWith(`\n${below}\n`), clean).toBe(true);
  });
});

import { describe, expect, it } from "vitest";
import { contentVerdict, findingsIn } from "../../content-findings.ts";

/** Put together here, so that no scanner takes this file for a leak. */
const GITHUB = ["ghp", "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"].join("_");
const AWS = ["AKIA", "Q4R7T2W9Z6X3C8V5"].join("");
const GOOGLE = ["AIza", "SyB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3x"].join("");
const JWT = [
  "eyJhbGciOiJIUzI1NiJ9",
  "eyJzdWIiOiI0MjQyIn0",
  "q7Xn2vRk9Lw4Tz8Yb3Hc6Jd1Fs5Gm0Pa",
].join(".");
const HEX_KEY = ["sk-", "4f9a1c7e2b8d6053a4f9e1c7d2b80653"].join("");
const base64 = (text: string) => Buffer.from(text).toString("base64");
const fullwidth = (text: string) =>
  text.replace(/[!-~]/g, (each) => String.fromCharCode(each.charCodeAt(0) + 0xfee0));
const codes = (from: number, text: string) =>
  Array.from(Buffer.from(text), (byte) => String.fromCodePoint(from + byte)).join("");
/** As `base64 -w` prints it. */
const wrapped = (text: string, columns: number, indent = "") =>
  base64(text)
    .replace(new RegExp(`.{${columns}}(?=.)`, "g"), "$&\n")
    .replace(/^/gm, indent);
const SETTINGS = `REGION=eu-north-1\nNAME=parcels\nGH_TOKEN=${GITHUB}\nLEVEL=info\nDEPTH=4\n`;

describe("secrets in a skill", () => {
  it.each([
    ["a token of GitHub", `Run \`GH_TOKEN=${GITHUB} gh pr list\`.`, "error secret.value"],
    ["a key of AWS", `export AWS_ACCESS_KEY_ID=${AWS}`, "error secret.value"],
    ["a key of Google", `key: ${GOOGLE}`, "error secret.value"],
    ["a JSON web token", `Authorization: Bearer ${JWT}`, "error secret.value"],
    ["a key of a model provider", `\`${HEX_KEY}\``, "error secret.value"],
    ["a password in an address", "postgres://app:h7Kq2ZxW9v@db.corp.io/x", "error secret.value"],
    ["a token in a fence", `\`\`\`\n${GITHUB}\n\`\`\``, "error secret.value"],
    ["a token with zero-width joiners in it", [...GITHUB].join("\u200d"), "error secret.value"],
    ["a token in base64", `echo ${base64(GITHUB)} | base64 -d`, "error secret.disguised"],
    ["one in base64 of base64", base64(base64(GITHUB)), "error secret.disguised"],
    ["an assignment in base64", base64(`GITHUB_TOKEN=${GITHUB}`), "error secret.disguised"],
    [
      "a token over two lines",
      `${GITHUB.slice(0, 19)}\n${GITHUB.slice(19)}`,
      "error secret.disguised",
    ],
    [
      "one in the items of a list",
      `- ${GITHUB.slice(0, 21)}\n- ${GITHUB.slice(21)}`,
      "error secret.disguised",
    ],
    ["joined strings", `"${GITHUB.slice(0, 9)}" + "${GITHUB.slice(9)}"`, "error secret.disguised"],
    ["one in hexadecimal", `Use ${Buffer.from(GITHUB).toString("hex")}.`, "error secret.disguised"],
    [
      "a key in capitals and a sentence",
      `Put \`${AWS.slice(0, 10)}\` before \`${"QWZXCVBNML"}\`.`,
      "error secret.disguised",
    ],
    [
      "one with emphasis in its middle",
      `${GITHUB.slice(0, 5)}**${GITHUB.slice(5, 15)}**${GITHUB.slice(15)}`,
      "error secret.disguised",
    ],
    ["one in fullwidth letters", `Use ${fullwidth(GITHUB)} here.`, "error secret.disguised"],
    ["one in a fence of those", `\`\`\`\n${fullwidth(AWS)}\n\`\`\``, "error secret.disguised"],
    ["one with character references", `Use &#103;${GITHUB.slice(1)}.`, "error secret.disguised"],
    ["one in tag characters", `Fine.${codes(0xe0000, GITHUB)}`, "error secret.disguised"],
    ["one in variation selectors", `😀${codes(0xe00f0, GITHUB)}`, "error secret.disguised"],
    ["an e-mail address", "Ask kim.larsen@corp.io about it.", "warning secret.personal-data"],
    ["a home folder", "cd /home/klarsen/project/app", "warning secret.personal-data"],
  ])("finds %s, and never prints it", (_name, text, verdict) => {
    expect(contentVerdict(text)).toContain(verdict);
    const printed = JSON.stringify(
      findingsIn(text).filter(({ rule }) => /^(?:secret|hidden\.[tv])/.test(rule)),
    );
    for (const value of [
      GITHUB,
      AWS,
      GOOGLE,
      JWT,
      HEX_KEY,
      "h7Kq2ZxW9v",
      "kim.larsen",
      "klarsen",
    ]) {
      expect(printed).not.toContain(value.slice(0, 9));
      expect(printed).not.toContain(value.slice(-9));
    }
  });

  it.each([
    ["names of variables", 'curl -H "Authorization: Bearer $API_TOKEN" https://example.com'],
    ["placeholders", "token: <your-token>, password: changeme, key: sk-xxxxxxxxxxxxxxxxxxxxxxxx"],
    [
      "commits and checksums",
      "3f786850e387550fdab836ed7e6dc881de23001b sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    ],
    ["examples of addresses", "user@example.com, git@github.com:o/r.git, /home/user/x, 192.0.2.1"],
    ["base64 of plain words", base64("a plain sentence about nothing in particular")],
    ["letters of another alphabet", "Проверьте ｈｔｔｐ и 𝐭𝐞𝐬𝐭 перед &#1074; выпуском."],
    ["a token that ends with its line", "the end of\nthe line"],
  ])("says nothing about %s", (_name, text) => {
    expect(contentVerdict(text).filter((each) => each.includes("secret."))).toEqual([]);
  });

  it.each([16, 20, 32, 40, 64, 76])("finds base64 that is wrapped at %i columns", (columns) => {
    for (const secret of [GITHUB, `${GITHUB}\n`, SETTINGS]) {
      for (const text of [
        wrapped(secret, columns),
        `\`\`\`\n${wrapped(secret, columns, "    ")}\n\`\`\``,
        `Then decode:\n${wrapped(secret, columns, "> ")}\nDone\n`,
        `${wrapped(secret, columns).replaceAll("\n", '" +\n  "')}"`,
        `${"4f9a1c7e".repeat(5)}\n${wrapped(secret, columns)}\nwith it.`,
      ])
        expect(contentVerdict(text)).toContain("error secret.disguised");
    }
  });

  it("finds nothing in a wrapped text without a secret", () => {
    const text = wrapped(SETTINGS.replace(GITHUB, "$TOKEN"), 40);
    expect(contentVerdict(text)).not.toContain("error secret.disguised");
  });

  it("says the kind, the line and the column", () => {
    expect(findingsIn(`# A\n\nRun GH_TOKEN=${GITHUB} now.`)).toMatchObject([
      {
        rule: "secret.value",
        line: 12,
        column: 14,
        message: expect.stringContaining("github-token"),
      },
    ]);
  });
});

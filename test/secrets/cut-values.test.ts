import { describe, expect, it } from "vitest";
import { findSecrets } from "../../src/secrets/find-secrets.ts";

const credential = "zq8vkx2lmn/4prt7yw9bc+dh";

const FORMS = {
  plain: credential,
  base64: Buffer.from(credential).toString("base64"),
  "URL-encoded": encodeURIComponent(credential),
};
const JOINTS = {
  box: " │\n│ ",
  "escaped box": " |\\n| ",
  "hard wrap": "\n",
  "wrap with CRLF": "\r\n",
  "indented line": "\n      ",
  "joined strings": '" + "',
  "joined strings over lines": '" +\n    "',
};

describe("a credential of the process in pieces", () => {
  for (const [form, value] of Object.entries(FORMS)) {
    for (const [joint, between] of Object.entries(JOINTS)) {
      it(`is found wherever it is cut: ${form}, ${joint}`, async () => {
        for (let at = 1; at < value.length - 1; at += 1) {
          const pieces = value.slice(0, at) + between + value.slice(at);
          const text = `the "${pieces}" here`;
          const found = await findSecrets(text, { credentials: [credential] });
          const rest = found.reduceRight(
            (left, { start, end }) => left.slice(0, start) + left.slice(end),
            text,
          );
          expect(rest.replace(/=/g, ""), `cut at ${at}`).toBe('the "" here');
          expect(found.map((one) => one.rule)).toEqual(["credential"]);
        }
      });
    }
  }

  it("is found in the three lines of a narrow box", async () => {
    const lines = [credential.slice(0, 9), credential.slice(9, 18), credential.slice(18)];
    const text = `┌───────────┐\n${lines.map((line) => `│ ${line.padEnd(9)} │`).join("\n")}\n└───────────┘`;
    const [found, ...others] = await findSecrets(text, { credentials: [credential] });
    expect(others).toEqual([]);
    expect(found?.value).toBe(credential);
    expect(text.slice(found?.start, found?.end)).toBe(
      `${lines[0]} │\n│ ${lines[1]} │\n│ ${lines[2]}`,
    );
  });

  it("leaves pieces alone that make no whole", async () => {
    const text = `│ ${credential.slice(0, 9)} │\n│ ${credential.slice(10)} │`;
    expect(await findSecrets(text, { credentials: [credential] })).toEqual([]);
  });
});

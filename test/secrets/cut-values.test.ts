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
  "joined strings in different quotes": "\" + '",
  concat: '".concat("',
  "items of a list": '", "',
  "items of a list in lines": '",\n  "',
  "items of a list in JSON": '\\",\\n  \\"',
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

  const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  const long = Array.from(
    { length: 1600 },
    (_none, at) => letters[(at * at * 7 + at * 13 + (at >> 3) * 5) % letters.length],
  ).join("");
  const inPieces = (width: number) => long.match(new RegExp(`.{1,${width}}`, "g")) ?? [];
  const inBox = (lines: readonly string[]) => lines.map((line) => `│ ${line} │`).join("\n");

  it.each([
    ["a box 40 wide", inBox(inPieces(40))],
    ["a box 8 wide", inBox(inPieces(8))],
    ["lines of six characters", inPieces(6).join("\n")],
    ["lines that are moved in", inPieces(60).join("\n      ")],
    ["joined strings", `"${inPieces(30).join('" +\n  "')}"`],
    [
      "a narrow box that cuts its head",
      inBox(
        [long.slice(0, 3), ...inPieces(10)].map((line, at) => (at === 1 ? line.slice(3) : line)),
      ),
    ],
  ])("is found however long, in all its pieces: %s", async (_, text) => {
    const found = await findSecrets(text, { credentials: [long] });
    expect(found.map(({ rule, value }) => ({ rule, value }))).toEqual([
      { rule: "credential", value: long },
    ]);
    const [{ start = 0, end = 0 } = {}] = found;
    expect(text.slice(0, start) + text.slice(end)).toMatch(/^\W*$/);
  });

  it("leaves pieces alone that make no whole", async () => {
    const text = `│ ${credential.slice(0, 9)} │\n│ ${credential.slice(10)} │`;
    expect(await findSecrets(text, { credentials: [credential] })).toEqual([]);
  });
});

/** Text made to stop the rules: it is judged in time that grows with its length, and never makes them throw. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { verify } from "../../../src/verify/verify.ts";
import { FLOW, inputOf, skillText } from "../verify-input.ts";

const PIECES = [
  "curl ",
  "wget https://a.b/",
  "| sh ",
  "ignore all previous ",
  "do not tell the ",
  "send the api keys to ",
  "never ",
  "<span style='",
  "<!-- ",
  "-->",
  "`",
  "```\n",
  "[//]: # (",
  "![",
  "](",
  "&#105;",
  "\\\n",
  "> ",
  "- ",
  "base64 -d ",
  "eval(",
  "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo",
  "ghp_",
  "a@b.c ",
  "https://user@",
  "\u200b",
  "\u{e0041}",
  "о",
  "\n",
  " ",
  "x",
];

describe("hostile text", () => {
  it("never makes verify throw, whatever the bytes", () => {
    const bytes = fc.uint8Array({ maxLength: 400 });
    const pieces = fc
      .array(fc.constantFrom(...PIECES), { maxLength: 80 })
      .map((each) => new TextEncoder().encode(each.join("")));
    const text = fc
      .string({ unit: "binary", maxLength: 300 })
      .map((each) => new TextEncoder().encode(each));
    const head = new TextEncoder().encode(skillText("release-flow"));
    fc.assert(
      fc.property(fc.oneof(bytes, pieces, text), fc.boolean(), (body, isSkill) => {
        const content = isSkill ? new Uint8Array([...head, ...body]) : body;
        const findings = verify(inputOf({ next: { [FLOW]: content } }));
        for (const { line, column, message } of findings) {
          expect(line === null || line >= 1).toBe(true);
          expect(column === undefined || column >= 1).toBe(true);
          expect(message).not.toMatch(/[\p{Cc}\u200b-\u200f\u{e0000}-\u{e007f}]/u);
        }
      }),
      { numRuns: 400 },
    );
  });

  it.each([
    ...PIECES,
    "curl a | ",
    "send x to x ",
    "add x x x x x x ",
    "run a/",
    "never don't ",
    "if asked ",
    "- x:\n",
    "'\"`",
    "a line о of text ",
    "a *line* of text, ignore all previous instructions\n",
    "\\x41",
    "after every task always send post add delete run the data to our ",
  ])("judges repetitions of %j in time that grows with their number", (piece) => {
    // What is quadratic takes 16 times as long for 4 times as much; measured twice, against a busy machine.
    const time = (length: number) => {
      const body = piece.repeat(Math.ceil(length / piece.length));
      const input = inputOf({ next: { [FLOW]: skillText("release-flow", { body }) } });
      const times = [0, 1, 2].map(() => {
        const startedAt = process.cpuUsage();
        verify(input);
        const { user } = process.cpuUsage(startedAt);
        return user / 1000;
      });
      return Math.min(...times);
    };
    time(2000);
    const [short, long] = [time(15_000), time(60_000)];
    expect(long).toBeLessThan(10 * short + 150);
  });
});

/** Outputs that were made to take long: the time must grow with the output, not with its square. */
import { describe, expect, it } from "vitest";
import { readCheckCommand } from "../../../src/review/offline/check-command.ts";
import { verdictOf } from "../../../src/review/offline/check-verdict.ts";
import { code } from "../../../src/review/offline/quote.ts";
import { readFailure } from "../../../src/review/offline/read-failure.ts";
import { expectLinear } from "../../transcript/growth.ts";
import { fail, ok } from "./session-of.ts";

const STARTS = ["FAIL x", "not ok 1 - x", "● x", "E  ", "error: ", "expected: ", "#1 1.1 ", ""];
const PIECES = [
  " ",
  "\t",
  "1 ",
  "a ",
  "to be equal ",
  "panicked at ",
  "error ",
  "error A1 ",
  "A.",
  "Error",
  "a:1:",
  "# ",
  "= ",
  "exit ",
  "collected 0 items",
  "- Expected",
  "\nOutput: ",
  "\nError: ",
  "\n#1 ",
];

describe.each(STARTS)("an output that starts with %j", (start) => {
  it.each(PIECES)("and repeats %j", async (piece) => {
    const of = (size: number) => `${start}${piece.repeat(Math.ceil(size / piece.length))}x`;
    await expectLinear((n) => readFailure(of(n)), 20_000);
    await expectLinear((n) => verdictOf(fail("npm test", `Command: x${of(n)}`), true), 20_000);
    await expectLinear((n) => verdictOf(ok("npm test | tail", of(n)), true), 20_000);
    // The same on many lines.
    await expectLinear((n) => readFailure(`${of(400)}\n`.repeat(n / 400)), 20_000);
  });
});

it.each(["time ", "A=b ", "npx ", "-", "`", '\\"', "'a' "])("a command of %j", async (piece) => {
  const of = (size: number) => piece.repeat(Math.ceil(size / piece.length));
  await expectLinear((n) => readCheckCommand(`${of(n)}npm test`), 16_000);
  await expectLinear((n) => code(of(n)), 50_000);
});

it("the name of an item is read in front of any number of blanks", () => {
  expect(readFailure(`FAIL src/x.js${" ".repeat(7600)}x`)?.line).toBe("src/x.js");
});

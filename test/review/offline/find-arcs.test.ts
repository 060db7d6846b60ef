import { describe, expect, it } from "vitest";
import {
  ARC,
  arcsIn,
  CARTS_FAIL,
  edit,
  FIX,
  fail,
  ok,
  PASS,
  read,
  SHORT,
  search,
  write,
} from "./session-of.ts";

describe("an arc", () => {
  it("has the failure, the fix, the attempt taken back and the checks, each with its turn", () => {
    const [arc] = arcsIn(ARC).arcs;
    expect(arc?.red).toMatchObject({
      turn: "t1",
      failure: { line: "error: \"'10.1' == '10.10'\"", item: "adds up a cart" },
    });
    expect(arc?.fix).toMatchObject([
      { path: "src/cart.js", before: "String(sum)", after: "sum.toFixed(2)", turns: ["t6"] },
    ]);
    expect(arc?.failedAttempts).toMatchObject([
      { path: "test/cart.test.js", triedIn: "t3", takenBackIn: "t5", next: { turn: "t4" } },
    ]);
    expect(arc?.green.turn).toBe("t7");
    expect(arc?.verifiedBy.map((each) => each.run.command.text)).toEqual([
      "npm test",
      "CURRENCY=EUR npm test",
    ]);
  });

  it("counts an attempt that was replaced instead of taken back", () => {
    const [arc] = arcsIn(SHORT).arcs;
    expect(arc?.failedAttempts).toMatchObject([
      { triedIn: "t2", takenBackIn: null, next: { turn: "t3" } },
    ]);
    expect(arc?.fix).toMatchObject([
      { before: "String(sum)", after: "sum.toFixed(2)", turns: ["t2", "t4"] },
    ]);
  });

  it("needs no failed attempt when the cause was looked for and checked in a second way", () => {
    const parts = [
      fail("npm test", CARTS_FAIL),
      search("String("),
      FIX,
      ok("npm test", PASS),
      ok("npm test -- --seed 7", PASS),
    ];
    expect(arcsIn(parts).arcs).toHaveLength(1);
  });

  it("treats a success on a change that was taken back later as part of the attempts", () => {
    const skip = edit("test/cart.test.js", "test('adds", "test.skip('adds");
    const unskip = edit("test/cart.test.js", "test.skip('adds", "test('adds");
    const [arc] = arcsIn([
      fail("npm test", CARTS_FAIL),
      skip,
      ok("npm test", PASS),
      unskip,
      FIX,
      ok("npm test", PASS),
    ]).arcs;
    expect(arc?.green.turn).toBe("t6");
    expect(arc?.failedAttempts).toMatchObject([
      { triedIn: "t2", takenBackIn: "t4", next: { turn: "t3", verdict: { color: "green" } } },
    ]);
  });

  it("sees a file put back by git as taken back", () => {
    const parts = [
      fail("npm test", CARTS_FAIL),
      edit("src/round.js", "Math.floor", "Math.round"),
      fail("npm test", CARTS_FAIL),
      ok("git checkout -- src/round.js"),
      FIX,
      ok("npm test", PASS),
    ];
    const [arc] = arcsIn(parts).arcs;
    expect(arc?.failedAttempts).toMatchObject([{ path: "src/round.js", takenBackIn: "t4" }]);
    expect(arc?.fix.map((hunk) => hunk.path)).toEqual(["src/cart.js"]);
  });

  it("compares a file written whole with what was read of it", () => {
    const old = "export const total = (sum) => String(sum);\n";
    const parts = [
      fail("npm test", CARTS_FAIL),
      read("src/cart.js", old),
      write("src/cart.js", old.replace("String(sum)", "sum.toString()")),
      fail("npm test", CARTS_FAIL),
      write("src/cart.js", old.replace("String(sum)", "sum.toFixed(2)")),
      ok("npm test", PASS),
    ];
    expect(arcsIn(parts).arcs[0]?.fix).toMatchObject([
      { before: old, creates: false, turns: ["t3", "t5"] },
    ]);
  });

  it("is one for each check, the strongest first, and one for checks that share a fix", () => {
    const types =
      "src/price.ts:3:5 - error TS2322: Type 'string' is not assignable to type 'number'.";
    const parts = [
      fail("npx tsc -p .", types),
      ...ARC,
      edit("src/price.ts", "a: string", "a: any"),
      fail("npx tsc -p .", types),
      edit("src/price.ts", "a: any", "a: number"),
      ok("npx tsc -p ."),
      ok("npm run test:unit", PASS),
    ];
    expect(arcsIn(parts).arcs.map((arc) => arc.fix[0]?.path)).toEqual([
      "src/cart.js",
      "src/price.ts",
    ]);
    const twice = [fail("npm run test:unit", CARTS_FAIL), ...ARC, ok("npm run test:unit", PASS)];
    expect(arcsIn(twice).arcs).toHaveLength(1);
  });
});

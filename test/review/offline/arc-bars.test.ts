import { describe, expect, it } from "vitest";
import { findArcs } from "../../../src/review/offline/find-arcs.ts";
import {
  ARC,
  arcsIn,
  CARTS_FAIL,
  edit,
  FIX,
  fail,
  ok,
  PASS,
  SHORT,
  search,
  sessionOf,
  type TurnPart,
  write,
} from "./session-of.ts";

function reasons(parts: readonly TurnPart[]): string[] {
  const { arcs, left } = arcsIn(parts);
  expect(arcs).toEqual([]);
  return left.map((each) => each.reason);
}

describe("silence", () => {
  it("no-change: a retry that helped", () => {
    expect(
      reasons([
        fail("npm run lint", "3:5  error  no var"),
        search("var"),
        ok("ls"),
        edit("README.md", "a", "b"),
        ok("npm run lint"),
      ]),
    ).toEqual(["no-change"]);
  });

  it("flaky: the same command line failed and succeeded with nothing changed between", () => {
    expect(
      reasons([
        fail("npm test", CARTS_FAIL),
        ok("npm test", PASS),
        fail("npm test", CARTS_FAIL),
        ...SHORT.slice(1),
      ]),
    ).toEqual(["flaky"]);
  });

  it("error-not-shown: a failure without a word about it", () => {
    expect(reasons([fail("npm test", ""), ...SHORT.slice(1)])).toEqual(["error-not-shown"]);
  });

  it.each([
    ["a refused connection", "Error: connect ECONNREFUSED 127.0.0.1:5432"],
    ["a package that isn't installed", "Error: Cannot find module 'left-pad'"],
    ["a program that isn't there", "sh: 1: vitest: not found\nnpm error code 127"],
    ["a full disk", "Error: ENOSPC: no space left on device"],
  ])("environment: %s", (_name, output) => {
    expect(reasons([fail("npm test", output), ...SHORT.slice(1)])).toEqual(["environment"]);
  });

  it("environment: something was installed in between", () => {
    expect(
      reasons([...SHORT.slice(0, 3), ok("npm install --save-dev tap"), ...SHORT.slice(3)]),
    ).toEqual(["environment"]);
  });

  it("missing-file-created: what wasn't there was written", () => {
    const missing = "Error: ENOENT: no such file or directory, open 'config/rates.json'";
    const create = write("config/rates.json", "{}\n");
    expect(
      reasons([
        fail("npm test", missing),
        search("rates"),
        create,
        ok("npm test", PASS),
        ok("npm test -- --seed 7", PASS),
      ]),
    ).toEqual(["missing-file-created"]);
  });

  it("typo: one word was spelled wrong", () => {
    const typo = "ReferenceError: recieve is not defined";
    const fix = edit("src/cart.js", "recieve(sum)", "receive(sum)");
    expect(
      reasons([
        fail("npm test", typo),
        search("recieve"),
        fix,
        ok("npm test", PASS),
        ok("npm test -- --seed 7", PASS),
      ]),
    ).toEqual(["typo"]);
  });

  it("a mistyped command that was corrected is no arc at all", () => {
    const { arcs, left } = arcsIn([
      fail("npm tset", 'Unknown command: "tset"'),
      FIX,
      ok("npm test", PASS),
    ]);
    expect([arcs, left]).toEqual([[], []]);
  });

  it("only-the-check-changed: the expectation was made to fit", () => {
    const fit = edit("test/cart.test.js", "'10.10'", "'10.1'");
    expect(
      reasons([
        fail("npm test", CARTS_FAIL),
        search("10.10"),
        fit,
        ok("npm test", PASS),
        ok("npm test -- --seed 7", PASS),
      ]),
    ).toEqual(["only-the-check-changed"]);
  });

  it.each([
    "// eslint-disable-next-line\nString(sum)",
    "// @ts-ignore\nString(sum)",
    "String(sum) // biome-ignore all",
  ])("check-silenced: %j", (after) => {
    const silence = edit("src/cart.js", "sum.toString()", after);
    expect(reasons([...SHORT.slice(0, 3), silence, ok("npm test", PASS)])).toEqual([
      "check-silenced",
    ]);
  });

  it("own-mistake: the session broke it before it fixed it", () => {
    expect(reasons([edit("src/rates.js", "a", "b"), ...SHORT])).toEqual(["own-mistake"]);
    expect(reasons([edit("src/cart.js", "a", "b"), ok("npm test", PASS), ...SHORT])).toEqual([
      "own-mistake",
    ]);
  });

  it("own-mistake: a test written first, then made to pass", () => {
    expect(reasons([write("test/new.test.js", "test()"), ...SHORT])).toEqual(["own-mistake"]);
  });

  it("no-effort: one edit and a re-run", () => {
    expect(
      reasons([
        fail("npm test", CARTS_FAIL),
        search("String("),
        FIX,
        ok("npm test", PASS),
        ok("npm run lint"),
      ]),
    ).toEqual(["no-effort"]);
  });

  it("no-effort: another error after each edit is progress, not a failed attempt", () => {
    const other = CARTS_FAIL.replace("adds up a cart", "empties a cart");
    expect(
      reasons([
        fail("npm test", CARTS_FAIL),
        FIX,
        fail("npm test", other),
        edit("src/empty.js", "1", "[]"),
        ok("npm test", PASS),
      ]),
    ).toEqual(["no-effort"]);
  });

  it("ends-red: another check failed after the fix and stayed so", () => {
    expect(reasons([...ARC, fail("npm run build", "error TS2322: wrong type")])).toEqual([
      "ends-red",
    ]);
    expect(
      reasons([...ARC, fail("npm run build", "error TS2322: wrong type"), ok("npm test", PASS)]),
    ).toEqual(["ends-red"]);
  });

  it("a check that fails again in the end teaches nothing, and has no arc", () => {
    expect(
      arcsIn([...ARC, edit("src/tax.js", "a", "b"), fail("npm test", CARTS_FAIL)]).arcs,
    ).toEqual([]);
  });

  it("changed-after-success: the fixed file changed again and nothing checked it", () => {
    expect(reasons([...ARC, edit("src/cart.js", "toFixed(2)", "toFixed(3)")])).toEqual([
      "changed-after-success",
    ]);
    expect(reasons([...ARC, ok("git stash")])).toEqual(["changed-after-success"]);
  });

  it("a fix that was taken back in the end has no arc", () => {
    expect(arcsIn([...ARC, ok("git checkout -- src/cart.js")]).arcs).toEqual([]);
    expect(arcsIn([...ARC, edit("src/cart.js", "sum.toFixed(2)", "String(sum)")]).arcs).toEqual([]);
  });

  it("not-followed: something changed files without showing how", () => {
    const sub = { subagent: "helper", toolCalls: [FIX] };
    const sed = { ...ok("sed -i s/a/b/ src/cart.js"), writePaths: ["src/cart.js"] };
    for (const unseen of [sub, sed, ok("git stash pop"), ok("npx eslint --fix src")]) {
      expect(reasons([...SHORT.slice(0, 3), unseen, ...SHORT.slice(3)])).toEqual(["not-followed"]);
    }
  });

  it("rewound turns and a sub-agent's checks are no evidence", () => {
    const rewound = ARC.map((part) => ({
      toolCalls:
        typeof part === "object" && "toolCalls" in part
          ? part.toolCalls
          : [part as ReturnType<typeof ok>],
      rewound: true,
    }));
    expect(arcsIn(rewound)).toEqual({ arcs: [], left: [] });
    const delegated = rewound.map((part) => ({ ...part, rewound: false, subagent: "tester" }));
    expect(arcsIn(delegated)).toEqual({ arcs: [], left: [] });
  });

  it("a success that says that nothing ran is none", () => {
    expect(
      arcsIn([...SHORT.slice(0, 4), ok("npm test", "# tests 0\n# pass 0\n# fail 0")]).arcs,
    ).toEqual([]);
  });

  it("a success behind a pipe counts only when the output says so", () => {
    const piped = (output: string) =>
      arcsIn([...SHORT.slice(0, 4), ok("npm test 2>&1 | tail -5", output)]).arcs;
    expect(piped("# fail 0")).toHaveLength(1);
    expect(piped("done")).toEqual([]);
    expect(piped("# fail 1\nnot ok 3 - adds up a cart")).toEqual([]);
  });

  it("a success in a format that records no outcome counts only when the output says so", () => {
    const parts = (output: string) => [
      ...SHORT.slice(0, 4),
      { ...ok("npm test", output), exitCode: null },
    ];
    const told = (output: string, format: string) =>
      findArcs(sessionOf(parts(output), { format })).arcs.length;
    expect(told("done", "claude-code")).toBe(1);
    expect(told("done", "openai-messages")).toBe(0);
    expect(told("# pass 3\n# fail 0", "openai-messages")).toBe(1);
  });
});

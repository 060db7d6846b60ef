import { expect, test } from "vitest";
import * as limits from "../../src/core/limits.ts";
import { parseProposal } from "../../src/proposal/proposal.ts";
import { selectSignals } from "../../src/proposal/signals.ts";
import { sampleProposal } from "./sample-proposal.ts";

const fix = (command: string) => ({
  command,
  failedIn: ["t1"],
  succeededIn: ["t2"],
  changed: [{ path: "src/a.ts", turns: ["t2"] }],
});

test("what the skill names comes first, and all of it fits a proposal", () => {
  const fixes = [...Array.from({ length: 20 }, (_, at) => fix(`run ${at}`)), fix("npm test")];
  const correction = { turn: "t3", how: "by_words", words: "no" } as const;
  const signals = selectSignals("```sh\nnpm  test\n```", {
    fixes,
    corrections: Array(20).fill(correction),
  });
  expect(signals.fixes.map(({ command, isNamed }) => [command, isNamed]).slice(0, 2)).toEqual([
    ["npm test", true],
    ["run 0", false],
  ]);
  expect(signals.fixes).toHaveLength(limits.SIGNALS_MAX);
  expect(parseProposal({ ...sampleProposal(), signals }, "x").signals).toEqual(signals);
});

test("a command beyond any bound is left out rather than refused", () => {
  const signals = selectSignals("", { fixes: [fix("x".repeat(5000))], corrections: [] });
  expect(signals.fixes).toEqual([]);
});

test.each([
  ["a turn that is none", { fixes: [{ ...fix("a"), isNamed: true, failedIn: ["@x"] }] }],
  ["too many", { fixes: Array(13).fill({ ...fix("a"), isNamed: true }) }],
  [
    "a path without end",
    { fixes: [{ ...fix("a"), isNamed: true, changed: [{ path: "x".repeat(300), turns: [] }] }] },
  ],
  ["an unknown sign", { corrections: [{ turn: "t1", how: "guessed", words: "" }] }],
  ["another key", { corrections: [], fixes: [], more: 1 }],
])("publish trusts no signals: %s", (_name, over) => {
  const signals = { fixes: [], corrections: [], ...over };
  expect(() => parseProposal({ ...sampleProposal(), signals }, "x")).toThrow(/x: signals/);
});

test("an older proposal is refused by its version", () => {
  const { signals: _, ...rest } = sampleProposal();
  expect(() => parseProposal({ ...rest, version: 1 }, "x")).toThrow("x: version:");
});

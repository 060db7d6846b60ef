import { expect, test } from "vitest";
import * as limits from "../../src/core/limits.ts";
import { sessionSignals } from "../../src/transcript/session-signals.ts";
import { edit, fail, ok, sessionOf, type TurnPart } from "../review/offline/session-of.ts";

const signals = (parts: readonly TurnPart[]) =>
  sessionSignals(sessionOf(parts, { cwd: "/home/user/shop" }));
const user = (text: string, over = {}): TurnPart => ({
  role: "user",
  text,
  toolCalls: [],
  ...over,
});
const declined = { ...ok("git push"), outcome: "cancelled" as const };

test("a command that failed and worked later: every turn, and what was changed in between", () => {
  const parts = [
    edit("src/before.ts", "a", "b"),
    fail("npm test", "1 failing"),
    edit("src/a.ts", "a", "b"),
    fail("npm  test", "1 failing"),
    edit("src/a.ts", "b", "c"),
    edit("../elsewhere.ts", "b", "c"),
    ok("npm test"),
    edit("src/b.ts", "b", "c"),
    ok("npm test"),
    edit("src/after.ts", "b", "c"),
  ];
  expect(signals(parts).fixes).toEqual([
    {
      command: "npm test",
      failedIn: ["t2", "t4"],
      succeededIn: ["t7", "t9"],
      changed: [
        { path: "src/a.ts", turns: ["t3", "t5"] },
        { path: "src/b.ts", turns: ["t8"] },
      ],
    },
  ]);
});

test("the same command, though the line around it differs", () => {
  const parts = [fail("cd app && npm test", "no"), ok("npm test 2>&1"), fail("a | b", "no")];
  expect(signals(parts).fixes).toMatchObject([
    { command: "npm test", failedIn: ["t1"], succeededIn: ["t2"] },
  ]);
});

test("no fix: one that failed last, one that never failed, one of a sub-agent or taken back", () => {
  const failed = fail("make", "no");
  expect(signals([ok("make"), failed, ok("ls")]).fixes).toEqual([]);
  expect(signals([{ toolCalls: [failed, ok("make")], subagent: "helper" }]).fixes).toEqual([]);
  expect(signals([{ toolCalls: [failed, ok("make")], rewound: true }]).fixes).toEqual([]);
  expect(signals([failed, { ...ok("make"), outcome: "unknown" }]).fixes).toEqual([]);
});

test("the user stepping in: while the agent worked, after a declined call, by words", () => {
  const parts = [
    user("No tests fail; sort the parcels."),
    ok("ls"),
    user("use the other table\nand more", { midTurn: true }),
    { toolCalls: [declined] },
    user("only on a branch"),
    ok("ls"),
    user("no, don't touch main"),
    ok("ls"),
    user("now the second task"),
    user("No problem, go on."),
  ];
  expect(signals(parts).corrections).toEqual([
    { turn: "t3", how: "while_working", words: "use the other table" },
    { turn: "t5", how: "after_cancel", words: "only on a branch" },
    { turn: "t7", how: "by_words", words: "no, don't touch main" },
  ]);
});

test("what is quoted is one short line that is safe to print", () => {
  const [correction] = signals([ok("ls"), user(`stop \u001b[31m${"x".repeat(500)}`)]).corrections;
  expect(correction?.words).toHaveLength(limits.QUOTE_MAX_CHARS);
  expect(correction?.words).toContain("stop \\u{1b}[31m");
});

test("a long session gives no long list", () => {
  const many = Array.from({ length: 40 }, (_, at) => [fail(`run ${at}`, "no"), ok(`run ${at}`)]);
  const again = Array.from({ length: 40 }, () => fail("npm test", "no"));
  const { fixes } = signals([...again, ok("npm test"), ...many.flat()]);
  expect(fixes[0]?.failedIn).toHaveLength(limits.SIGNAL_TURNS_MAX);
  expect(fixes).toHaveLength(41);
});

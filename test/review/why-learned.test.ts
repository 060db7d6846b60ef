import { expect, test } from "vitest";
import { whyLearned } from "../../src/review/why-learned.ts";
import { ARC, ok, sessionOf } from "./offline/session-of.ts";

const skill = "# Rounding\n\nRun `npm test`.\n";

test("a command of the skill that failed and succeeded later is the reason, with its turns", () => {
  expect(whyLearned(sessionOf(ARC), skill, "I wrote it. It matters.")).toBe(
    "`npm test` failed (t1) and succeeded later (t7).",
  );
});

test("what the skill doesn't mention is no reason: then the model's last sentence is, as its own", () => {
  expect(whyLearned(sessionOf(ARC), "# Other\n", "Saved. It teaches rounding (t6).\n\n")).toBe(
    "The model says: “It teaches rounding (t6).”",
  );
});

test("turns in which the user stepped in are named", () => {
  const session = sessionOf([
    ok("ls"),
    { role: "user", text: "Use the other table.", midTurn: true, toolCalls: [] },
  ]);
  expect(whyLearned(session, skill, "")).toBe("The user stepped in (t2).");
});

test("a model that says nothing gives no reason, a long one a short one, controls are shown", () => {
  expect(whyLearned(sessionOf([]), skill, " \n")).toBe("");
  const long = whyLearned(sessionOf([]), skill, `a\u001b[31m ${"b ".repeat(5000)}`);
  expect(long.length).toBeLessThan(330);
  expect(long).toContain("\\u{1b}[31m");
});

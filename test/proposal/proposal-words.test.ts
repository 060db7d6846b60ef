import { expect, test } from "vitest";
import { reasonBeside } from "../../src/proposal/proposal-words.ts";
import { selectSignals } from "../../src/proposal/signals.ts";
import { whyLearned } from "../../src/review/why-learned.ts";
import { sessionSignals } from "../../src/transcript/session-signals.ts";
import { fail, ok, sessionOf } from "../review/offline/session-of.ts";

test("what the signals tell in full isn't said twice; everything else stays", () => {
  const session = sessionOf([
    fail("npm test", "1 failing"),
    { role: "user", text: "use $& and $1", midTurn: true, toolCalls: [] },
    ok("npm test"),
    ok("npm test"),
  ]);
  const skill = "Run `npm test`.";
  const why = whyLearned(session, skill, "");
  expect(why).toBe("`npm test` failed (t1) and succeeded later (t3). The user stepped in (t2).");
  const signals = selectSignals(skill, sessionSignals(session));
  expect(reasonBeside({ why, signals })).toBe("");
  expect(reasonBeside({ why: `${why} The model says: “x”`, signals })).toBe("The model says: “x”");
  const none = { fixes: [], corrections: [] };
  expect(reasonBeside({ why, signals: none })).toBe(why);
});

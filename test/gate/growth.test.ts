import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { reviewedBefore, reviewedPart } from "../../src/gate/growth.ts";
import { type Ledger, openLedger } from "../../src/gate/ledger.ts";
import type { Session, Turn } from "../../src/transcript/session.ts";
import { makeCall, makeSession, makeTurn } from "../transcript/fixtures.ts";

let dir: string;
let ledger: Ledger;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "growth-"));
  ledger = openLedger(dir);
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const digest = (n: number): Session["digest"] => `sha256:${String(n).padStart(64, "0")}`;

/** Turns as words: `u:` the user's, `c:` one with a call, else the agent's. */
function session(words: readonly string[], n: number, more: Partial<Session> = {}): Session {
  const turns = words.map((word, i): Turn => {
    const role = word.startsWith("u:") ? ("user" as const) : ("agent" as const);
    const toolCalls = word.startsWith("c:") ? [makeCall({ result: word })] : [];
    return makeTurn({ id: `t${i + 1}`, role, text: word, toolCalls });
  });
  return makeSession({ turns, digest: digest(n), ...more });
}

async function reviewed(...sessions: readonly Session[]): Promise<void> {
  for (const each of sessions) {
    const { digest, agent, id: sessionId } = each;
    const at = "2026-03-02T10:00:00.000Z";
    const rest = { status: "proposed", skills: [], at, reviewed: reviewedPart(each) } as const;
    await ledger.record({ digest, agent, sessionId, ...rest });
  }
}

const wholeGrowth = (of: Session) => reviewedBefore(ledger, of, of.id);
async function growth(of: Session) {
  const { alreadyReviewed, newFrom } = await wholeGrowth(of);
  return { alreadyReviewed, newFrom };
}
const NEW = { alreadyReviewed: false, newFrom: null };
const KNOWN = { alreadyReviewed: true, newFrom: null };

describe("what of a session is new", () => {
  it("all of it, when it was never reviewed", async () => {
    expect(await growth(session(["u:a", "b"], 1))).toEqual(NEW);
  });

  it("nothing, when these very bytes were, or these very turns", async () => {
    await reviewed(session(["u:a", "b"], 1));
    expect(await growth(session(["u:a", "b"], 1))).toEqual(KNOWN);
    expect(await growth(session(["u:a", "b"], 2))).toEqual(KNOWN);
  });

  it("the turns behind those that were", async () => {
    await reviewed(session(["u:a", "b"], 1));
    expect(await growth(session(["u:a", "b", "u:c", "d"], 2))).toEqual({ ...NEW, newFrom: "t3" });
  });

  it("the last turn too, when its digest isn't known, and nothing without more behind it", async () => {
    const of = session(["u:a", "b"], 1);
    const { turns = 0, before = "" } = reviewedPart(of) ?? {};
    const { agent, id: sessionId } = of;
    const entry = { digest: of.digest, agent, sessionId, at: "", skills: [] };
    await ledger.record({ ...entry, status: "proposed", reviewed: { turns, before, last: null } });
    expect(await growth(session(["u:a", "b", "u:c", "d"], 2))).toEqual({ ...NEW, newFrom: "t2" });
    // It is shown once more; what was marked in it isn't marked again.
    expect(await wholeGrowth(session(["u:a", "b", "u:c", "d"], 2))).toMatchObject({
      newFrom: "t2",
      markFrom: "t3",
    });
    expect(await growth(session(["u:a", "b", "u:c"], 3))).toEqual(KNOWN);
    expect(await growth(session(["u:x", "b", "u:c", "d"], 4))).toEqual(NEW);
  });

  it("the last turn too, when it went on", async () => {
    await reviewed(session(["u:a", "c:half"], 1));
    expect(await growth(session(["u:a", "c:whole"], 2))).toEqual({ ...NEW, newFrom: "t2" });
    expect(await growth(session(["u:a", "c:whole", "d"], 2))).toEqual({ ...NEW, newFrom: "t2" });
  });

  it("a last message of the user that nobody had answered", async () => {
    await reviewed(session(["u:a", "b", "u:c"], 1));
    expect(await growth(session(["u:a", "b", "u:c", "d"], 2))).toEqual({ ...NEW, newFrom: "t3" });
    expect(await growth(session(["u:a", "b", "u:c", "u:d"], 3))).toEqual(KNOWN);
  });

  it("the part behind the longest review", async () => {
    const [one, two, three] = [
      ["u:a", "b"],
      ["u:a", "b", "c"],
      ["u:a", "b", "c", "d"],
    ];
    await reviewed(session(two, 2), session(one, 1));
    expect(await growth(session(three, 3))).toEqual({ ...NEW, newFrom: "t4" });
  });

  it("all of it, when its beginning is another, or it is another session's", async () => {
    await reviewed(session(["u:a", "b", "c"], 1));
    expect(await growth(session(["u:a", "x", "c", "d"], 2))).toEqual(NEW);
    expect(await growth(session(["u:a", "b", "c", "d"], 2, { id: "s2" }))).toEqual(NEW);
    expect(await growth(session(["u:a", "b"], 2))).toEqual(NEW);
  });

  it("the turns behind a sub-agent's that had not answered yet", async () => {
    const asked = makeCall({ kind: "agent", name: "agent", result: null, outcome: "unknown" });
    const turns = session(["u:a", "b", "c"], 1).turns.with(1, makeTurn({ toolCalls: [asked] }));
    await reviewed(session([], 1, { turns }));
    const answered = makeTurn({ toolCalls: [{ ...asked, result: "done", outcome: "success" }] });
    const later = [...session(["u:a", "b", "c", "d"], 2).turns.with(1, answered)];
    expect(await growth(session([], 2, { turns: later }))).toEqual({ ...NEW, newFrom: "t4" });
  });

  it("what was taken back later was reviewed all the same", async () => {
    await reviewed(session(["u:a", "b", "c"], 1));
    const later = session(["u:a", "b", "c", "u:d", "e"], 2);
    const turns = later.turns.map((turn, i) => ({ ...turn, rewound: i === 1 || i === 2 }));
    expect(await growth({ ...later, turns })).toEqual({ ...NEW, newFrom: "t4" });
  });

  it("all of it, when an entry of an earlier version doesn't say how far it was", async () => {
    const { digest, agent, id: sessionId } = session(["u:a"], 1);
    await ledger.record({ digest, agent, sessionId, status: "refused", skills: [], at: "" });
    expect(await growth(session(["u:a", "b"], 2))).toEqual(NEW);
    expect(await growth(session(["u:a"], 1))).toEqual(KNOWN);
  });
});

it("a session in which nobody answered has no reviewed part", () => {
  expect(reviewedPart(session(["u:a"], 1))).toBeUndefined();
  expect(reviewedPart(session([], 1))).toBeUndefined();
});

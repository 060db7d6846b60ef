import { describe, expect, it } from "vitest";
import { decide, type GateInput, SCHEDULED } from "../../src/gate/decide.ts";
import { makeCall, makeSession, makeTurn } from "../transcript/fixtures.ts";

const write = { turn: "t3", path: ".qwen/skills/dates/SKILL.md" };

function input(more: Partial<GateInput> = {}): GateInput {
  return {
    enabled: true,
    session: makeSession({ toolCallCount: 20 }),
    alreadyReviewed: false,
    threshold: 20,
    trigger: "count",
    skillWrites: [],
    ...more,
  };
}

describe("decide", () => {
  it("schedules a session at the threshold", () => {
    expect(decide(input())).toEqual(SCHEDULED);
  });

  it("gives the first reason of several, in the order of the design", () => {
    const own = "/tmp/skillpr-0/123-456-abc/.qwen/skills";
    const all: Partial<GateInput> = {
      enabled: false,
      disabledBy: "--no-review",
      session: makeSession({ cwd: own, toolCallCount: 3 }),
      alreadyReviewed: true,
      skillWrites: [write, write],
    };
    const verdicts = [
      decide(input(all)),
      decide(input({ ...all, enabled: true })),
      decide(input({ ...all, enabled: true, session: makeSession({ toolCallCount: 3 }) })),
      decide(input({ session: makeSession({ toolCallCount: 3 }), skillWrites: [write] })),
      decide(input({ skillWrites: [write, write] })),
    ];
    expect(verdicts).toEqual([
      {
        status: "skipped",
        skippedReason: "disabled",
        detail: "Reviews are disabled by --no-review.",
      },
      {
        status: "skipped",
        skippedReason: "own_session",
        detail: "The session is a review itself.",
      },
      {
        status: "skipped",
        skippedReason: "already_reviewed",
        detail: "This very transcript was reviewed before; --force reviews it again.",
      },
      {
        status: "skipped",
        skippedReason: "below_threshold",
        detail: "3 completed tool calls; a review needs 20 (--threshold).",
      },
      {
        status: "skipped",
        skippedReason: "skills_modified_in_session",
        detail: "The session itself wrote .qwen/skills/dates/SKILL.md (t3) and 1 other.",
      },
    ]);
  });
});

describe("a session that was reviewed and went on", () => {
  const call = makeCall({ kind: "shell", outcome: "success", exitCode: 0 });
  const busy = (id: string, calls: number, more = {}) =>
    makeTurn({ id, toolCalls: Array.from({ length: calls }, () => ({ ...call, ...more })) });
  const turns = [busy("t1", 18), busy("t2", 3), busy("t3", 1, { outcome: "cancelled" })];
  const grown = (more: Partial<GateInput> = {}) =>
    input({ session: makeSession({ turns, toolCallCount: 21 }), newFrom: "t2", ...more });

  it("is counted whole, unless only what is new is to count", () => {
    expect(decide(grown())).toEqual(SCHEDULED);
    expect(decide(grown(), "last-review")).toEqual({
      status: "skipped",
      skippedReason: "below_threshold",
      detail:
        "3 completed tool calls since it was reviewed last (from t2 on); a review needs 20 (--threshold).",
    });
    expect(decide(grown({ threshold: 3 }), "last-review")).toEqual(SCHEDULED);
  });

  it("has its experience in what is new", () => {
    const steered = [...turns, { ...busy("t4", 1), midTurn: true }];
    const session = makeSession({ turns: steered, toolCallCount: 22 });
    const trigger = "experience";
    expect(decide(grown({ session, trigger }), "last-review")).toMatchObject({
      detail: expect.stringMatching(/^4 completed tool calls since it .* \(from t2 on\), without/),
    });
    const more = makeSession({ turns: [...steered, busy("t5", 1)], toolCallCount: 23 });
    expect(decide(grown({ session: more, trigger }), "last-review")).toEqual(SCHEDULED);
  });

  it("counts every call where the format records no results", () => {
    const unknown = turns.map((turn) => ({
      ...turn,
      toolCalls: turn.toolCalls.map((each) => ({ ...each, outcome: "unknown" as const })),
    }));
    const session = makeSession({ turns: unknown, toolCallCount: 22 });
    expect(decide(grown({ session, threshold: 4 }), "last-review")).toEqual(SCHEDULED);
  });

  it("one that was not reviewed before is counted whole either way", () => {
    expect(decide(grown({ newFrom: null }), "last-review")).toEqual(SCHEDULED);
  });
});

describe("the experience trigger", () => {
  const shell = (outcome: "success" | "failure" | "cancelled", exitCode: number | null = 0) =>
    makeCall({ name: "Bash", kind: "shell", outcome, exitCode });
  const read = makeCall({ name: "Read", kind: "read" });
  const verdict = (calls: ReturnType<typeof makeCall>[], toolCallCount = calls.length, turn = {}) =>
    decide(
      input({
        trigger: "experience",
        session: makeSession({ toolCallCount, turns: [makeTurn({ toolCalls: calls, ...turn })] }),
      }),
    ).status;

  it.each([
    [
      "a failure that was overcome",
      [read, read, shell("failure"), read, shell("success")],
      "scheduled",
    ],
    ["too few calls", [read, shell("failure"), read, shell("success")], "skipped"],
    ["the other order", [read, read, shell("success"), read, shell("failure")], "skipped"],
    ["another tool's success", [shell("failure"), read, read, read, read], "skipped"],
    ["a declined call", [read, read, shell("cancelled"), read, shell("success")], "skipped"],
    [
      "a command in the background",
      [read, read, shell("failure"), read, shell("success", null)],
      "skipped",
    ],
  ] as const)("with %s: %3$s", (_, calls, status) => {
    expect(verdict([...calls])).toBe(status);
  });

  it("fires for a user message while the agent worked, from five calls on", () => {
    expect(verdict([read], 5, { midTurn: true })).toBe("scheduled");
    expect(verdict([read], 4, { midTurn: true })).toBe("skipped");
    expect(verdict([read], 5, { midTurn: true, subagent: "helper" })).toBe("skipped");
  });

  it("fires at the threshold only when something was written or run", () => {
    expect(verdict([read], 20)).toBe("skipped");
    expect(verdict([shell("success")], 20)).toBe("scheduled");
    expect(verdict([shell("success")], 19)).toBe("skipped");
    expect(verdict([makeCall({ outcome: "cancelled" })], 20)).toBe("skipped");
  });
});

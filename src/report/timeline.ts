/** The session as a timeline: the turns that tell something, and why each does. */
import * as limits from "../core/limits.ts";
import { count, cut } from "../core/text.ts";
import type { RedactedSession, ToolCall, Turn } from "../transcript/session.ts";
import { sessionSignals } from "../transcript/session-signals.ts";
import { type Marks, marksOf, type SealedSkill } from "./marks.ts";
import type { OverviewSlice, Timeline, TimelineCall, TimelineTurn } from "./report-data.ts";

/** Of what is kept of one turn in the data of a report; the page may shorten it further. */
const KEPT = limits.REPORT_STAGES[0];

/** @param proposals those that come from this session */
export function sessionTimeline(
  session: RedactedSession,
  proposals: readonly SealedSkill[],
): Timeline {
  const marks = marksOf([sessionSignals(session)], proposals);
  const { turns, failedToolCallCount, startedAt, endedAt } = session;
  return {
    isWhole: true,
    turnCount: turns.length,
    failedCallCount: failedToolCallCount,
    startedAt,
    endedAt,
    turns: selected(turns, marks).map(({ turn, skipped }) => timelineTurn(turn, skipped, marks)),
    overview: overviewOf(turns),
  };
}

/** Where no transcript is at hand: the turns that the proposals cite, with what they say of them. */
export function citedTimeline(proposals: readonly SealedSkill[]): Timeline {
  const marks = marksOf(
    proposals.map(({ sealed }) => sealed.signals),
    proposals,
  );
  const ids = [...marks.keys()].sort((a, b) => numberOf(a) - numberOf(b));
  return {
    isWhole: false,
    turnCount: ids.length,
    failedCallCount: 0,
    startedAt: null,
    endedAt: null,
    turns: ids.slice(0, KEPT.turns).map((id) => ({ ...UNSEEN, id, marks: marks.get(id) ?? [] })),
    overview: [],
  };
}

const UNSEEN = {
  skipped: 0,
  role: null,
  at: null,
  text: "",
  subagent: null,
  isRewound: false,
  calls: [],
  callsLeft: 0,
} as const;

/** What tells most, as many turns as are kept, in their order. */
function selected(turns: readonly Turn[], marks: Marks): { turn: Turn; skipped: number }[] {
  return chosen(turns, KEPT.turns, (turn) => interestOf(turn, marks)).map(({ item, skipped }) => ({
    turn: item,
    skipped,
  }));
}

function interestOf(turn: Turn, marks: Marks): number {
  if (marks.has(turn.id)) return 3;
  if (turn.toolCalls.some(({ outcome }) => outcome === "failure")) return 2;
  return turn.role === "user" ? 1 : 0;
}

/**
 * The most interesting of a list, at most `most`, in the list's order; of equal ones the earlier.
 * @returns each with how many before it were passed over
 */
export function chosen<T>(
  items: readonly T[],
  most: number,
  interest: (item: T) => number,
): { item: T; skipped: number }[] {
  const ranked = items.map((item, at) => ({ at, interest: interest(item) }));
  ranked.sort((a, b) => b.interest - a.interest || a.at - b.at);
  const kept = ranked.slice(0, most).map(({ at }) => at);
  kept.sort((a, b) => a - b);
  return kept.flatMap((at, index) => {
    const item = items[at];
    return item === undefined ? [] : [{ item, skipped: at - (kept[index - 1] ?? -1) - 1 }];
  });
}

function timelineTurn(turn: Turn, skipped: number, marks: Marks): TimelineTurn {
  const { id, role, at, text, subagent, rewound, toolCalls } = turn;
  const failedFirst = (call: ToolCall) => (call.outcome === "failure" ? 1 : 0);
  const calls = chosen(toolCalls, KEPT.calls, failedFirst).map(({ item }) => timelineCall(item));
  return {
    id,
    skipped,
    role,
    at,
    text: cut(text.trim(), KEPT.text),
    subagent,
    isRewound: rewound,
    calls,
    callsLeft: toolCalls.length - calls.length,
    marks: marks.get(id) ?? [],
  };
}

function timelineCall({
  name,
  command,
  writePaths,
  args,
  outcome,
  exitCode,
  result,
}: ToolCall): TimelineCall {
  const [path] = writePaths;
  const what = command ?? path ?? shortArgs(args);
  const failed = outcome === "failure" && result !== null;
  return {
    name,
    what: cut(what, KEPT.line),
    outcome,
    exitCode,
    result: failed ? cut(result.trim(), KEPT.result) : null,
  };
}

/** The first argument that is a text says most: a path, a pattern, a question. */
function shortArgs(args: Readonly<Record<string, unknown>>): string {
  const text = Object.values(args).find((value) => typeof value === "string");
  if (typeof text === "string") return text;
  const names = Object.keys(args);
  return names.length === 0 ? "" : count(names.length, "argument");
}

function overviewOf(turns: readonly Turn[]): OverviewSlice[] {
  const size = Math.max(1, Math.ceil(turns.length / limits.REPORT_OVERVIEW_SLICES));
  const slices: OverviewSlice[] = [];
  for (let at = 0; at < turns.length; at += size) {
    let [succeeded, failed] = [0, 0];
    for (const { toolCalls } of turns.slice(at, at + size))
      for (const { outcome } of toolCalls) {
        if (outcome === "failure") failed += 1;
        else succeeded += 1;
      }
    slices.push({ from: turns[at]?.id ?? "", succeeded, failed });
  }
  return slices;
}

function numberOf(turn: string): number {
  return Number(turn.slice(1));
}

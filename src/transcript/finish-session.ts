import { count } from "../core/text.ts";
import type { AgentName, Session, ToolCall, Turn } from "./session.ts";
import type { CallDraft, SessionFacts, TurnDraft } from "./session-drafts.ts";

/** Where a session comes from: known to the reader, not to the adapter. */
export interface SessionSource {
  readonly agent: AgentName;
  readonly format: string;
  readonly digest: `sha256:${string}`;
  /** True for a format in which results may be missing altogether: then every call counts as completed. */
  readonly mayOmitResults: boolean;
  /** What the reader of the bytes had to skip, one sentence each. */
  readonly notes: readonly string[];
}

export interface SessionParts {
  readonly facts: SessionFacts;
  /** Handed over: they are taken apart. */
  readonly turns: TurnDraft[];
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly resultCount: number;
  readonly strayResultCount: number;
}

/** Numbers the turns, drops those in which nothing was said or done, and counts. */
export function finishSession(source: SessionSource, parts: SessionParts): Session {
  const counted = counts(parts, source.mayOmitResults && parts.resultCount === 0);
  const turns = finishTurns(parts.turns, parts.facts.cwd);
  return {
    // A format without ids gets one that is the same for the same bytes.
    id: parts.facts.id ?? `${source.format}-${source.digest.slice("sha256:".length).slice(0, 12)}`,
    agent: source.agent,
    format: source.format,
    agentVersion: parts.facts.agentVersion,
    cwd: parts.facts.cwd,
    branch: parts.facts.branch,
    model: parts.facts.model,
    startedAt: parts.startedAt,
    endedAt: parts.endedAt,
    turns,
    ...counted,
    digest: source.digest,
    notes: [...source.notes, ...strayNotes(parts)],
  };
}

/** Each draft is let go when its turn is made: there may be a million of them. */
function finishTurns(drafts: TurnDraft[], cwd: string | null): Turn[] {
  const turns: Turn[] = [];
  drafts.reverse();
  for (let draft = drafts.pop(); draft !== undefined; draft = drafts.pop()) {
    if (draft.texts.length === 0 && draft.calls.length === 0) continue;
    turns.push(finishTurn(draft, turns.length, cwd));
  }
  return turns;
}

const NO_CALLS: readonly ToolCall[] = Object.freeze([]);

function finishTurn(turn: TurnDraft, index: number, cwd: string | null): Turn {
  return {
    id: `t${index + 1}`,
    role: turn.role,
    text: turn.texts.join("\n\n"),
    toolCalls: turn.calls.length === 0 ? NO_CALLS : turn.calls.map((call) => finishCall(call, cwd)),
    midTurn: turn.midTurn,
    rewound: turn.rewound,
    subagent: turn.subagent,
    at: turn.at,
    ...(turn.full?.isWhole === true ? { fullTexts: turn.full.texts } : {}),
  };
}

function finishCall(call: CallDraft, cwd: string | null): ToolCall {
  const { isLoggedOnly: _, argsMax: __, ...rest } = call;
  return { ...rest, cwd: call.cwd ?? cwd };
}

type Counts = Pick<
  Session,
  "toolCallCount" | "issuedToolCallCount" | "subagentToolCallCount" | "failedToolCallCount"
>;

function counts(parts: SessionParts, countsEveryCall: boolean): Counts {
  const found = {
    toolCallCount: 0,
    issuedToolCallCount: 0,
    subagentToolCallCount: 0,
    failedToolCallCount: 0,
  };
  const isCompleted = ({ outcome }: CallDraft) =>
    outcome === "success" || outcome === "failure" || (countsEveryCall && outcome === "unknown");
  const count = (call: CallDraft, isMain: boolean) => {
    if (!call.isLoggedOnly) found.issuedToolCallCount += 1;
    if (isMain && call.outcome === "failure") found.failedToolCallCount += 1;
    if (isCompleted(call)) found[isMain ? "toolCallCount" : "subagentToolCallCount"] += 1;
  };
  for (const turn of parts.turns) {
    for (const call of turn.calls) count(call, turn.subagent === null);
  }
  return found;
}

function strayNotes(parts: SessionParts): string[] {
  const stray = parts.strayResultCount;
  if (stray === 0) return [];
  return [
    `${count(stray, "result belongs", "results belong")} to calls that the file doesn't hold`,
  ];
}

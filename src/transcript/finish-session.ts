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
  readonly turns: readonly TurnDraft[];
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly resultCount: number;
  readonly strayResultCount: number;
}

/** Numbers the turns, drops those in which nothing was said or done, and counts. */
export function finishSession(source: SessionSource, parts: SessionParts): Session {
  const turns = parts.turns
    .filter((turn) => turn.texts.length > 0 || turn.calls.length > 0)
    .map((turn, index) => finishTurn(turn, index, parts.facts.cwd));
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
    ...counts(parts, source.mayOmitResults && parts.resultCount === 0),
    digest: source.digest,
    notes: [...source.notes, ...strayNotes(parts)],
  };
}

function finishTurn(turn: TurnDraft, index: number, cwd: string | null): Turn {
  return {
    id: `t${index + 1}`,
    role: turn.role,
    text: turn.texts.join("\n\n"),
    toolCalls: turn.calls.map((call) => finishCall(call, cwd)),
    midTurn: turn.midTurn,
    rewound: turn.rewound,
    subagent: turn.subagent,
    at: turn.at,
    ...(turn.full?.isWhole === true ? { fullTexts: turn.full.texts } : {}),
  };
}

function finishCall(call: CallDraft, cwd: string | null): ToolCall {
  const { isLoggedOnly: _, ...rest } = call;
  return { ...rest, cwd: call.cwd ?? cwd };
}

type Counts = Pick<
  Session,
  "toolCallCount" | "issuedToolCallCount" | "subagentToolCallCount" | "failedToolCallCount"
>;

function counts(parts: SessionParts, countsEveryCall: boolean): Counts {
  const callsOf = (turns: readonly TurnDraft[]) => turns.flatMap((turn) => turn.calls);
  const isCompleted = (call: CallDraft) =>
    call.outcome === "success" ||
    call.outcome === "failure" ||
    (countsEveryCall && call.outcome === "unknown");
  const main = callsOf(parts.turns.filter((turn) => turn.subagent === null));
  const side = callsOf(parts.turns.filter((turn) => turn.subagent !== null));
  return {
    toolCallCount: main.filter(isCompleted).length,
    issuedToolCallCount: [...main, ...side].filter((call) => !call.isLoggedOnly).length,
    subagentToolCallCount: side.filter(isCompleted).length,
    failedToolCallCount: main.filter((call) => call.outcome === "failure").length,
  };
}

function strayNotes(parts: SessionParts): string[] {
  const stray = parts.strayResultCount;
  if (stray === 0) return [];
  return [
    `${count(stray, "result belongs", "results belong")} to calls that the file doesn't hold`,
  ];
}

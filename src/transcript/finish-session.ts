import { DIGEST_ID_CHARS } from "../core/limits.ts";
import { count } from "../core/text.ts";
import type { AgentName, Session } from "./session.ts";
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
  /** Handed over: they become the session's. */
  readonly turns: TurnDraft[];
  /** The calls that are known from a log about them only. */
  readonly loggedOnly: ReadonlySet<CallDraft>;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly resultCount: number;
  readonly strayResultCount: number;
}

/** Numbers the turns, drops those in which nothing was said or done, and counts. */
export function finishSession(source: SessionSource, parts: SessionParts): Session {
  const counted = counts(parts, source.mayOmitResults && parts.resultCount === 0);
  finishTurns(parts.turns, parts.facts.cwd);
  return {
    id: parts.facts.id ?? idByDigest(source),
    agent: source.agent,
    format: source.format,
    agentVersion: parts.facts.agentVersion,
    cwd: parts.facts.cwd,
    branch: parts.facts.branch,
    model: parts.facts.model,
    startedAt: parts.startedAt,
    endedAt: parts.endedAt,
    turns: parts.turns,
    ...counted,
    digest: source.digest,
    notes: [...source.notes, ...strayNotes(parts)],
  };
}

/** For a session without an id that may be told: one that is the same for the same bytes. */
export function idByDigest({ format, digest }: Pick<Session, "format" | "digest">): string {
  return `${format}-${digest.slice("sha256:".length).slice(0, DIGEST_ID_CHARS)}`;
}

/** In place: there may be a million of them. */
function finishTurns(turns: TurnDraft[], cwd: string | null): void {
  let kept = 0;
  for (const turn of turns) {
    if (turn.text === "" && turn.toolCalls.length === 0) continue;
    turn.id = `t${kept + 1}`;
    for (const call of turn.toolCalls) call.cwd ??= cwd;
    turns[kept] = turn;
    kept += 1;
  }
  turns.length = kept;
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
    if (!parts.loggedOnly.has(call)) found.issuedToolCallCount += 1;
    if (isMain && call.outcome === "failure") found.failedToolCallCount += 1;
    if (isCompleted(call)) found[isMain ? "toolCallCount" : "subagentToolCallCount"] += 1;
  };
  for (const turn of parts.turns) {
    for (const call of turn.toolCalls) count(call, turn.subagent === null);
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

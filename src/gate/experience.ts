import { EXPERIENCE_FLOOR_CALLS } from "../core/limits.ts";
import { callsOf, type Session, type ToolCall } from "../transcript/session.ts";

/**
 * The `experience` trigger: a failed call later followed by a success of the same tool, or a user
 * message that arrived while the agent worked, and at least EXPERIENCE_FLOOR_CALLS completed
 * calls; else `threshold` completed calls with at least one write or command among them.
 *
 * Only the main thread counts. No text is read: the signals are outcomes and times.
 */
export function hasExperience(session: Session, threshold: number): boolean {
  const calls = mainCalls(session);
  const wasSteered = session.turns.some((turn) => turn.midTurn && turn.subagent === null);
  if (session.toolCallCount >= EXPERIENCE_FLOOR_CALLS && (wasSteered || hasRetryArc(calls))) {
    return true;
  }
  return session.toolCallCount >= threshold && calls.some(isSubstantive);
}

function mainCalls(session: Session): ToolCall[] {
  return [...callsOf(session)].filter(({ turn }) => turn.subagent === null).map(({ call }) => call);
}

function hasRetryArc(calls: readonly ToolCall[]): boolean {
  const failed = new Set<string>();
  for (const call of calls) {
    if (call.outcome === "failure") failed.add(call.name);
    else if (call.outcome === "success" && failed.has(call.name) && closesArc(call)) return true;
  }
  return false;
}

/** A command that was handed to the background has only started: without an exit code it proves nothing. */
function closesArc(call: ToolCall): boolean {
  return call.kind !== "shell" || call.exitCode !== null;
}

function isSubstantive(call: ToolCall): boolean {
  const isDone = call.outcome === "success" || call.outcome === "failure";
  return isDone && (call.kind === "shell" || call.kind === "write" || call.kind === "edit");
}

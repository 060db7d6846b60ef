/** One call, written down more than once while it streamed. */
import { SAME_ID_CALLS_MAX } from "../core/limits.ts";
import type { CallDraft, TurnDraft } from "./session-drafts.ts";

/** True for a call that was written down again. */
export function isSameCall(known: CallDraft, next: CallDraft): boolean {
  return known.name === next.name && JSON.stringify(known.args) === JSON.stringify(next.args);
}

/**
 * Puts a call where the same one stands in the turn with a part of its arguments, if it does.
 * @returns the one whose place it took, or null
 */
export function takePlaceOfPart(turn: TurnDraft, call: CallDraft): CallDraft | null {
  const calls = turn.toolCalls as CallDraft[];
  // A message that streams is written down again at once, not thousands of calls later.
  for (let at = calls.length - 1; at >= calls.length - SAME_ID_CALLS_MAX; at -= 1) {
    const part = calls[at];
    if (part === undefined || part.id !== call.id || !isPartOf(part, call)) continue;
    calls[at] = call;
    return part;
  }
  return null;
}

/** True for a call that was written down while its arguments still arrived. */
function isPartOf(known: CallDraft, next: CallDraft): boolean {
  if (known.name !== next.name || known.outcome !== "unknown") return false;
  return Object.entries(known.args).every(([key, value]) => {
    const full = next.args[key];
    if (typeof value === "string" && typeof full === "string") return full.startsWith(value);
    return JSON.stringify(value) === JSON.stringify(full);
  });
}

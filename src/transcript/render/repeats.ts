import { REPEAT_MIN_CHARS } from "../../core/limits.ts";
import type { ToolCall, Turn } from "../session.ts";

/**
 * Successful calls whose result a later call gave again, word for word (a file that was read twice),
 * with the turn of the last one. The last is the one to keep: what is older is folded first.
 */
export function repeatedLater(turns: readonly Turn[]): ReadonlyMap<ToolCall, string> {
  const lastTurn = new Map<string, string>();
  const repeated = new Map<ToolCall, string>();
  for (const turn of turns.toReversed()) {
    for (const call of turn.toolCalls.toReversed()) {
      const { result, outcome, name } = call;
      if (result === null || outcome !== "success" || result.length < REPEAT_MIN_CHARS) continue;
      const key = `${name}\n${result}`;
      const later = lastTurn.get(key);
      if (later === undefined) lastTurn.set(key, turn.id);
      else repeated.set(call, later);
    }
  }
  return repeated;
}

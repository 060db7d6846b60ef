/**
 * The sentences of a reason that are read off a session. Whoever tells the same in full can find
 * them again, and say nothing twice.
 */
import { OFFLINE_QUOTE_MAX_CHARS } from "./limits.ts";
import { cut, safeLine } from "./text.ts";

/** @param command foreign text; failedAt and succeededAt are ids of turns */
export function overcomeSentence(command: string, failedAt: string, succeededAt: string): string {
  const shown = cut(safeLine(command), OFFLINE_QUOTE_MAX_CHARS);
  return `\`${shown}\` failed (${failedAt}) and succeeded later (${succeededAt}).`;
}

/** @param turns ids of the turns in which the user wrote while the agent worked */
export function steppedInSentence(turns: readonly string[]): string {
  return `The user stepped in (${turns.join(", ")}).`;
}

/** Why a skill was learned, for the person who approves: read off the session where it shows it. */
import { PROPOSAL_WHY_MAX_CHARS, WHY_MAX_ARCS, WHY_REMARK_MAX_CHARS } from "../core/limits.ts";
import { overcomeSentence, steppedInSentence } from "../core/reason-words.ts";
import { cut, safeLine } from "../core/text.ts";
import { callsOf, type RedactedSession } from "../transcript/session.ts";

interface Overcome {
  readonly command: string;
  readonly failedAt: string;
  readonly succeededAt: string;
}

/**
 * The commands of the skill that failed in the session and succeeded later, and the turns in which
 * the user stepped in; where there is neither, the last sentence of the model, named as its own.
 * @param skillText the SKILL.md as it was written
 * @param finalText what the model said last; redacted
 */
export function whyLearned(session: RedactedSession, skillText: string, finalText: string): string {
  const arcs = overcomeIn(session).filter(({ command }) => skillText.includes(command));
  const sentences = arcs
    .slice(0, WHY_MAX_ARCS)
    .map(({ command, failedAt, succeededAt }) => overcomeSentence(command, failedAt, succeededAt));
  const steered = session.turns.filter((turn) => turn.midTurn && turn.subagent === null);
  if (steered.length > 0) sentences.push(steppedInSentence(steered.map(({ id }) => id)));
  if (arcs.length === 0) sentences.push(...remark(finalText));
  return cut(sentences.join(" "), PROPOSAL_WHY_MAX_CHARS);
}

/** Commands of the main thread whose failure was followed by a success, in the order of the successes. */
function overcomeIn(session: RedactedSession): Overcome[] {
  const failed = new Map<string, string>();
  const arcs = new Map<string, Overcome>();
  for (const { turn, call } of callsOf(session)) {
    const { command } = call;
    if (turn.subagent !== null || command === null) continue;
    const failedAt = failed.get(command);
    if (call.outcome === "failure" && failedAt === undefined) failed.set(command, turn.id);
    if (call.outcome === "success" && failedAt !== undefined && !arcs.has(command))
      arcs.set(command, { command, failedAt, succeededAt: turn.id });
  }
  return [...arcs.values()];
}

function remark(finalText: string): string[] {
  const lines = finalText.split("\n").filter((line) => line.trim() !== "");
  const sentence =
    lines
      .at(-1)
      ?.trim()
      .split(/(?<=[.!?])\s+/)
      .at(-1) ?? "";
  return sentence === ""
    ? []
    : [`The model says: “${cut(safeLine(sentence), WHY_REMARK_MAX_CHARS)}”`];
}

/**
 * What the agent said about a cause, in one sentence. Such a sentence is often the lesson itself;
 * most others are small talk, so the bar is narrow, and what passes it is shown as a quotation.
 */
import { OFFLINE_REMARK_MAX_CHARS, OFFLINE_REMARK_MIN_CHARS } from "../../core/limits.ts";
import type { Session, Turn } from "../../transcript/session.ts";

const SMALL_TALK =
  /^(?:now|let(?:'|’)?s?\b|i(?:'|’| )|we(?:'|’| )|great|perfect|good|nice|ok\b|okay|sure|done|next|first|then|finally|all |run|check|try|look|read|open|search|green|red\b|still|alright|excellent|the tests? (?:now )?(?:pass|fail|succeed))/i;
const SUSPECT =
  /https?:|www\.|[<>{}$|]|\b(?:ignore|disregard|instructions?|system prompt|password|token|secret|api key|curl|sudo|rm -)\b/i;

function sentences(text: string): string[] {
  return text
    .replaceAll("`", "")
    .split(/(?<=[.!])\s+|\n+/)
    .map((sentence) => sentence.trim());
}

function isRemark(sentence: string): boolean {
  return (
    sentence.length >= OFFLINE_REMARK_MIN_CHARS &&
    sentence.length <= OFFLINE_REMARK_MAX_CHARS &&
    /^[\p{Lu}\p{Lo}]/u.test(sentence) &&
    sentence.endsWith(".") &&
    !SMALL_TALK.test(sentence) &&
    !SUSPECT.test(sentence)
  );
}

export interface Remark {
  readonly text: string;
  readonly turn: string;
}

function remarkOf(turn: Turn | undefined): Remark | null {
  if (turn?.role !== "agent" || turn.rewound || turn.subagent !== null) return null;
  const text = sentences(turn.text).find(isRemark);
  return text === undefined ? null : { text, turn: turn.id };
}

/** The first remark in the turns after `after` and before `before` (ids, both excluded); null for none. */
export function remarkBetween(session: Session, after: string, before: string): Remark | null {
  const ids = session.turns.map((turn) => turn.id);
  for (const turn of session.turns.slice(ids.indexOf(after) + 1, ids.indexOf(before))) {
    const remark = remarkOf(turn);
    if (remark !== null) return remark;
  }
  return null;
}

/** The remark made with the calls of a turn: some formats keep the words in a turn of their own before it. */
export function remarkAt(session: Session, id: string): Remark | null {
  const at = session.turns.findIndex((turn) => turn.id === id);
  const previous = session.turns[at - 1];
  return (
    remarkOf(session.turns[at]) ?? (previous?.toolCalls.length === 0 ? remarkOf(previous) : null)
  );
}

/**
 * A session as text for a reviewer: the same session and budget give the same bytes. What the text
 * looks like stands in render/blocks.ts, what gives way when it is too long in render/fold.ts.
 */
import {
  PROMPT_FOLDED_MIN_TOKENS,
  PROMPT_FOLDED_RAW_PART,
  PROMPT_SESSION_MAX_TOKENS,
  RAW_TOKEN_BYTES,
  RENDER_MIN_TOKENS,
} from "../core/limits.ts";
import { foldToFit } from "./render/fold.ts";
import { itemsOf } from "./render/items.ts";
import { tokenWeight } from "./render/token-estimate.ts";
import type { RedactedSession, Session, Turn } from "./session.ts";

export interface RenderedSession {
  readonly text: string;
  /** False when something was left out. */
  readonly isWhole: boolean;
}

/**
 * The session for a prompt: whole when it fits the budget. Else it costs less, and long texts lose their middle, and
 * uneventful stretches become a line each, the older ones first; the user's words, failures, what
 * fixed them and the last check go last.
 * @param budget tokens at most, by render/token-estimate.ts; less than RENDER_MIN_TOKENS counts as that. What
 *   doesn't fit whole is folded to a part of what the raw transcript would cost (foldedBudget), when that is less.
 */
export function render(
  session: RedactedSession,
  budget: number = PROMPT_SESSION_MAX_TOKENS,
): RenderedSession {
  const { items, isComplete } = itemsOf(shownTurns(session));
  const whole: string[] = [];
  let room = Math.max(budget, RENDER_MIN_TOKENS);
  for (const item of items) {
    const text = item.whole();
    room -= tokenWeight(text);
    if (room < 0) {
      const folded = Math.max(Math.min(budget, foldedBudget(session)), RENDER_MIN_TOKENS);
      return { text: foldToFit(items, folded), isWhole: false };
    }
    whole.push(text);
  }
  return { text: whole.join(""), isWhole: isComplete };
}

/** Tokens for a session that doesn't fit whole: less than a quarter of what its raw transcript would cost, within bounds. */
export function foldedBudget({ rawBytes = Infinity }: Pick<Session, "rawBytes">): number {
  const part = Math.floor((rawBytes / RAW_TOKEN_BYTES) * PROMPT_FOLDED_RAW_PART);
  return Math.min(PROMPT_SESSION_MAX_TOKENS, Math.max(PROMPT_FOLDED_MIN_TOKENS, part));
}

/** The format of what people said about a proposal: a session that only users speak in, to the reviewer. */
export const REVIEW_COMMENTS = "review-comments";

/** The turns that are shown: a last message of the user that nobody answered would be answered by the reviewer. */
export function shownTurns({ turns, format }: Pick<Session, "turns" | "format">): readonly Turn[] {
  if (format === REVIEW_COMMENTS) return turns;
  let end = turns.length;
  while (end > 0 && turns[end - 1]?.role === "user") end -= 1;
  return turns.slice(0, end);
}

/** A session in the pieces that a rendering shows, shortens or folds one by one. */
import { FULL_USER_MAX_TOKENS, RENDER_LEVELS } from "../../core/limits.ts";
import type { ToolCall, Turn } from "../session.ts";
import { withoutBinaryData } from "./binary-data.ts";
import { callBlock, type Detail, EVERYTHING, wordsBlock } from "./blocks.ts";
import { type Eventful, eventfulIn } from "./eventful.ts";
import { repeatedLater } from "./repeats.ts";
import { tokenWeight } from "./token-estimate.ts";

/**
 * How much a reader would miss it: nothing happened; words beside something that did; what a lesson
 * is made of; the user's first message, which says what it was all about.
 */
export type Weight = "uneventful" | "beside" | "eventful" | "task";

export interface Item {
  readonly turn: Turn;
  /** Null for the words of the turn. */
  readonly call: ToolCall | null;
  readonly weight: Weight;
  /** The first one of its turn. */
  readonly isFirst: boolean;
  /** All of it, but for binary data and repeated results. */
  whole(): string;
  /** @param level of RENDER_LEVELS, 0 the most generous */
  at(level: number): string;
}

export interface Items {
  readonly items: readonly Item[];
  /** False when something is left out even of the whole: binary data, or what was cut while reading. */
  readonly isComplete: boolean;
}

export function itemsOf(turns: readonly Turn[]): Items {
  const eventful = eventfulIn(turns);
  const repeated = repeatedLater(turns);
  // In a file of a sub-agent alone, what the agent told it to do.
  const task = turns.find(({ role, text }) => role === "user" && text.trim() !== "");
  let isComplete = true;
  const clean = (text: string) => {
    const kept = withoutBinaryData(text);
    isComplete &&= kept === text;
    return kept;
  };
  const items = turns.flatMap((turn): Item[] => {
    const text = clean(turn.text);
    const weight = turn === task ? "task" : weightOfWords(turn, eventful);
    const words = item(turn, null, weight, (detail) => wordsBlock(turn, text, detail));
    const calls = turn.toolCalls.map((call) => {
      const later = repeated.get(call);
      const again = `[the same result as later, at ${later}]`;
      const result = later === undefined ? clean(call.result ?? "") : again;
      const callWeight = eventful.calls.has(call) ? "eventful" : "uneventful";
      return item(turn, call, callWeight, (detail) => callBlock(turn.id, call, result, detail));
    });
    // A turn that says nothing has no line of its own: its calls bear its id.
    const all = words.whole() === "" ? calls : [words, ...calls];
    return all.map((each, index) => ({ ...each, isFirst: index === 0 }));
  });
  return { items, isComplete };
}

function weightOfWords(turn: Turn, eventful: Eventful): Weight {
  if (eventful.turns.has(turn)) return "eventful";
  const isBeside = turn.text !== "" && turn.toolCalls.some((call) => eventful.calls.has(call));
  return isBeside ? "beside" : "uneventful";
}

function item(
  turn: Turn,
  call: ToolCall | null,
  weight: Weight,
  show: (detail: Detail) => string,
): Omit<Item, "isFirst"> {
  return {
    turn,
    call,
    weight,
    whole: () => show(EVERYTHING),
    at: (level) => show(detailOf(turn.text, RENDER_LEVELS[level] ?? EVERYTHING)),
  };
}

/** A user's message is bounded in tokens, whatever its script: so many of its characters. */
function detailOf(text: string, detail: Detail): Detail {
  const tokens = tokenWeight(text);
  if (tokens <= FULL_USER_MAX_TOKENS) return detail;
  const most = Math.floor((text.length * FULL_USER_MAX_TOKENS) / tokens);
  return { ...detail, user: Math.min(detail.user, most) };
}

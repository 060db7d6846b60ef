import type { ModelAnswer } from "./model.ts";

/** What the answers of one conversation cost so far. */
export interface Spent {
  readonly turns: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly requestBytes: number;
}

export const NOTHING_SPENT: Spent = { turns: 0, inputTokens: 0, outputTokens: 0, requestBytes: 0 };

export function spentWith(spent: Spent, answer: ModelAnswer): Spent {
  return {
    turns: spent.turns + 1,
    inputTokens: spent.inputTokens + answer.inputTokens,
    outputTokens: spent.outputTokens + answer.outputTokens,
    requestBytes: spent.requestBytes + answer.requestBytes,
  };
}

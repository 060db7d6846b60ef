import { isRecord } from "../skills/skill-file.ts";

export interface TokenUse {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/**
 * What an answer cost, wherever the server says it: `usage` in the names of chat completions or of
 * the responses API, under the choice, as llama.cpp's `timings` or Ollama's own counts. Servers that
 * say nothing give zeros; of a mere total, what is not known to be output counts as input.
 */
export function readUsage(body: Readonly<Record<string, unknown>>): TokenUse {
  const choices = Array.isArray(body["choices"]) ? body["choices"] : [];
  const places = [body["usage"], ...choices.map(usageOf), usageOf(body["x_groq"])];
  for (const place of places) {
    const use = isRecord(place) ? fromUsage(place) : null;
    if (use !== null) return use;
  }
  const timings = isRecord(body["timings"]) ? body["timings"] : {};
  return {
    inputTokens: tokens(timings["prompt_n"]) ?? tokens(body["prompt_eval_count"]) ?? 0,
    outputTokens: tokens(timings["predicted_n"]) ?? tokens(body["eval_count"]) ?? 0,
  };
}

function usageOf(value: unknown): unknown {
  return isRecord(value) ? value["usage"] : undefined;
}

function fromUsage(usage: Readonly<Record<string, unknown>>): TokenUse | null {
  const input = tokens(usage["prompt_tokens"]) ?? tokens(usage["input_tokens"]);
  const output = tokens(usage["completion_tokens"]) ?? tokens(usage["output_tokens"]);
  const total = tokens(usage["total_tokens"]);
  if (input === null && output === null && total === null) return null;
  if (input === null) return { inputTokens: rest(total, output), outputTokens: output ?? 0 };
  return { inputTokens: input, outputTokens: output ?? rest(total, input) };
}

function rest(total: number | null, known: number | null): number {
  return Math.max(0, (total ?? 0) - (known ?? 0));
}

function tokens(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

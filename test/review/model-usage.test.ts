import { expect, test } from "vitest";
import { readUsage } from "../../src/review/model-usage.ts";

test.each([
  ["chat completions", { usage: { prompt_tokens: 5, completion_tokens: 2 } }, [5, 2]],
  ["responses", { usage: { input_tokens: 5, output_tokens: 2 } }, [5, 2]],
  ["only a total", { usage: { total_tokens: 7 } }, [7, 0]],
  ["total and input", { usage: { prompt_tokens: 5, total_tokens: 7 } }, [5, 2]],
  ["total and output", { usage: { completion_tokens: 2, total_tokens: 7 } }, [5, 2]],
  ["in the choice", { choices: [{ usage: { prompt_tokens: 5, completion_tokens: 2 } }] }, [5, 2]],
  ["in an extra", { x_groq: { usage: { prompt_tokens: 5, completion_tokens: 2 } } }, [5, 2]],
  ["timings", { timings: { prompt_n: 5, predicted_n: 2 } }, [5, 2]],
  ["own counts", { prompt_eval_count: 5, eval_count: 2 }, [5, 2]],
  ["null", { usage: null }, [0, 0]],
  ["nonsense", { usage: { prompt_tokens: "5", completion_tokens: -2 }, timings: 3 }, [0, 0]],
  ["nothing", {}, [0, 0]],
])("tokens: %s", (_, body, [inputTokens, outputTokens]) => {
  expect(readUsage(body)).toEqual({ inputTokens, outputTokens });
});

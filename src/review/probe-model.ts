import { SkillprError } from "../core/errors.ts";
import { MODEL_PROBE_TIMEOUT_MS } from "../core/limits.ts";
import { startDeadline } from "./deadline.ts";
import type { ModelClient } from "./model.ts";
import { toolSupportHint } from "./model-errors.ts";
import type { Tool } from "./tool.ts";

export type Probe =
  | { readonly ok: true; readonly model: string; readonly durationMs: number }
  /** `message`: what is wrong. `hint`: the setting to look at. */
  | { readonly ok: false; readonly message: string; readonly hint: string };

/** Offered to see whether calls come through; never run. */
const READY: Tool = {
  name: "report_ready",
  description: "Reports that you are ready.",
  parameters: { type: "object", properties: {} },
  prepare: () => ({ ok: true, args: {} }),
  execute: async () => ({ text: "", isError: false }),
};

/**
 * One tiny request, asked once: does the server answer, take the key, know the model, and do tool
 * calls come through?
 *
 * @param signal ends it early; the error then says by whom
 * @throws SkillprError code `interrupted` only
 */
export async function probeModel(
  model: ModelClient,
  signal: AbortSignal,
  timeoutMs = MODEL_PROBE_TIMEOUT_MS,
): Promise<Probe> {
  using deadline = startDeadline(timeoutMs, signal);
  const startedAt = performance.now();
  try {
    const { calls } = await model.complete({
      messages: [{ role: "user", content: "Call the tool report_ready once." }],
      tools: [READY],
      signal: deadline.signal,
      tries: 1,
    });
    const durationMs = Math.round(performance.now() - startedAt);
    if (calls.length > 0) return { ok: true, model: model.name, durationMs };
    const message = "the model answers, but did not call the tool that it was asked to call";
    return { ok: false, message, hint: toolSupportHint(model.name) };
  } catch (error) {
    if (!(error instanceof SkillprError) || error.code === "interrupted") throw error;
    if (deadline.signal.aborted)
      return {
        ok: false,
        message: `the model's server did not answer within ${timeoutMs / 1000} seconds`,
        hint: "is it still loading the model? Look at OPENAI_BASE_URL or --base-url",
      };
    return { ok: false, message: error.message, hint: error.hint };
  }
}

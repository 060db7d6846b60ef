import { SkillprError } from "../core/errors.ts";
import { safeLine } from "../core/text.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Ctrl-C ends a run at its next step, so that the workspace is removed; a second one ends it at
 * once, and the next run removes what is left.
 */
export function interruption(terminal: Pick<Terminal, "step" | "note">): {
  signal: AbortSignal;
  onStep: (step: string) => void;
  onNote: (note: string) => void;
} {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.once(name, () => controller.abort(name));
  return {
    signal: controller.signal,
    onStep: (step) => {
      if (controller.signal.aborted) {
        throw new SkillprError(
          "interrupted",
          `stopped by ${String(controller.signal.reason)} before ${step}`,
          "run the same command again",
        );
      }
      terminal.step(step);
    },
    onNote: (note) => terminal.note(`note: ${safeLine(note)}`),
  };
}

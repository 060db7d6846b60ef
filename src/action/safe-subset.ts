/** What may run when an event brings words or code of strangers: the check alone, which has no secret and obeys nobody. */
import type { WorkflowEvent } from "./event.ts";
import type { ActionCommand } from "./inputs.ts";

/** @returns why this command doesn't run here, and what does; null when it may */
export function whyNotHere(command: ActionCommand, { stranger }: WorkflowEvent): string | null {
  if (stranger === null || command === "verify") return null;
  return (
    `\`${command}\` does nothing here: ${stranger}. ` +
    "Of skillpr's commands only `verify` runs on what strangers bring; the others run on pushes, schedules, " +
    "dispatches and branches of this repository."
  );
}

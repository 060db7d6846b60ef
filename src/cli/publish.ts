import { exitCodeOf } from "../outcome.ts";
import { publishFolder } from "../publish-sealed.ts";
import { MODEL_KEY_VARIABLE, mustNotHold } from "../split-run.ts";
import { readTemplate } from "../templates.ts";
import { interruption } from "./interruption.ts";
import { isJson, openPlace } from "./open-place.ts";
import { printOutcome } from "./print-outcome.ts";
import type { Call } from "./program.ts";
import { pullRequestsOf } from "./pull-requests-of.ts";
import type { Terminal } from "./terminal.ts";

export async function runPublish(call: Call, terminal: Terminal): Promise<number> {
  if (process.env["CI"] && process.env[MODEL_KEY_VARIABLE])
    throw mustNotHold(MODEL_KEY_VARIABLE, "the publishing half in CI", "model key");
  delete process.env[MODEL_KEY_VARIABLE];
  const place = await openPlace(call, terminal);
  const pullRequests = await pullRequestsOf(place, interruption(terminal));
  const messageTemplate = readTemplate("commit-message.txt");
  const dir = call.positionals[0] ?? "";
  const outcome = await publishFolder(place, dir, { messageTemplate, pullRequests });
  if (isJson(call)) terminal.json(outcome);
  else printOutcome(outcome, { name: null, call }, terminal);
  return exitCodeOf(outcome);
}

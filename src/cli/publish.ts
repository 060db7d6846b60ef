import { homedir } from "node:os";
import { SkillprError } from "../core/errors.ts";
import { exitCodeOf } from "../outcome.ts";
import { publishFolder } from "../publish-sealed.ts";
import { pullRequestsFor } from "../publish-target.ts";
import { githubByHand } from "../resolve-github.ts";
import { readTemplate } from "../templates.ts";
import { interruption } from "./interruption.ts";
import { isJson, openPlace } from "./open-place.ts";
import { printOutcome } from "./print-outcome.ts";
import type { Call } from "./program.ts";
import type { Terminal } from "./terminal.ts";

const MODEL_KEY = "OPENAI_API_KEY";

export async function runPublish(call: Call, terminal: Terminal): Promise<number> {
  if (process.env["CI"] && process.env[MODEL_KEY]) {
    throw new SkillprError(
      "usage",
      `${MODEL_KEY} is set, and the publishing half must hold no model key in CI`,
      `remove ${MODEL_KEY} from this job; the reviewing job needs it, this one doesn't`,
    );
  }
  delete process.env[MODEL_KEY];
  const place = await openPlace(call, terminal);
  const access = () => githubByHand({ user: place.user.github, env: process.env, home: homedir() });
  const pullRequests = await pullRequestsFor({ ...place, ...interruption(terminal), access });
  const messageTemplate = readTemplate("commit-message.txt");
  const dir = call.positionals[0] ?? "";
  const outcome = await publishFolder(place, dir, { messageTemplate, pullRequests });
  if (isJson(call)) terminal.json(outcome);
  else printOutcome(outcome, { name: null, call }, terminal);
  return exitCodeOf(outcome);
}

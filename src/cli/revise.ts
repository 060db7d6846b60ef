/** `skillpr revise`: from a pull request's comments to its next commit. */

import { resolve } from "node:path";
import { requireEditor } from "../choose-reviewer.ts";
import { exitCodeOf, type Outcome } from "../outcome.ts";
import type { OpenOnGithub } from "../publish/proposals-on-github.ts";
import { tokenOf } from "../resolve-github.ts";
import { keyOf } from "../resolve-model.ts";
import { type RevisingRun, revise } from "../revise.ts";
import { askedInContext, askedOnGithub } from "../revise-asked.ts";
import { credentialsOf } from "../secrets/credentials.ts";
import { readTemplate } from "../templates.ts";
import { readUserSkills } from "../user-skills.ts";
import { interruption } from "./interruption.ts";
import { isJson, type OpenPlace, openPlace, text } from "./open-place.ts";
import { printOutcome, row } from "./print-outcome.ts";
import type { Call } from "./program.ts";
import { pullRequestsOf } from "./pull-requests-of.ts";
import { modelOf, outDirOf, refuseTokenInCi, reviewerOf } from "./review.ts";
import type { Terminal } from "./terminal.ts";

export async function runRevise(given: Call, terminal: Terminal): Promise<number> {
  const call = withTarget(given);
  const place = await openPlace(call, terminal);
  refuseTokenInCi(place);
  const told = interruption(terminal);
  const model = modelOf(call, place);
  const { repository, config, user } = place;
  const pullRequests = await pullRequestsOf(place, told);
  const run: RevisingRun = {
    ...told,
    repository,
    config,
    pullRequests,
    reviewer: requireEditor(reviewerOf(call, place, model)),
    credentials: [...credentialsOf(process.env), ...keyOf(model), ...tokenOf(user.github)],
    messageTemplate: readTemplate("commit-message.txt"),
    force: false,
    dryRun: false,
    outDir: await outDirOf(call),
    userSkills: readUserSkills(process.env),
  };
  const outcomes: [OpenOnGithub, Outcome][] = [];
  for (const asked of await askedOf(call, place, run)) {
    const outcome = await revise(asked, run);
    outcomes.push([asked, outcome]);
    if (!isJson(call)) print(asked, outcome, call, terminal);
  }
  const results = outcomes.map(([{ skill, number, waiting }, outcome]) => {
    return { skill, number, comments: waiting.length, ...outcome };
  });
  if (isJson(call)) terminal.json(results.length === 1 ? results[0] : { results });
  return Math.max(0, ...outcomes.map(([, outcome]) => exitCodeOf(outcome)));
}

/** The comments are on a pull request, so that is where the revision goes, unless the halves run apart. */
function withTarget(call: Call): Call {
  const target = text(call, "out") === undefined ? (text(call, "publish") ?? "pr") : "none";
  return { ...call, flags: { ...call.flags, publish: target } };
}

/** @throws SkillprError `config` without a token and without a file to read instead */
async function askedOf(call: Call, place: OpenPlace, run: RevisingRun): Promise<OpenOnGithub[]> {
  const named = call.positionals[0] ?? "";
  const context = text(call, "context");
  if (context !== undefined) return askedInContext(place, resolve(context), named);
  const asking = { ...place, config: { ...place.config, publish: "pr" as const } };
  const reading = run.pullRequests ?? (await pullRequestsOf(asking, run));
  if (reading === undefined) throw new Error("pull requests were asked for and not given");
  return askedOnGithub(place, reading, named);
}

function print(asked: OpenOnGithub, outcome: Outcome, call: Call, terminal: Terminal): void {
  const { skill, number, waiting } = asked;
  row(terminal, "revise", `${terminal.paint.bold(skill)} · #${number}`);
  row(terminal, "comments", waiting.length === 0 ? "none to work in" : String(waiting.length));
  if (waiting.length > 0) printOutcome(outcome, { name: null, call }, terminal);
}

/**
 * `command: revise`: comments on open proposals become their next commits. Without a token it is the half that talks to the
 * model, and hands over what it sealed; with one it is both halves in one job.
 */
import { resolve } from "node:path";
import { requireEditor } from "../choose-reviewer.ts";
import { SkillprError } from "../core/errors.ts";
import { makeFolders } from "../core/make-folders.ts";
import type { Outcome } from "../outcome.ts";
import type { OpenOnGithub } from "../publish/proposals-on-github.ts";
import type { PullRequests } from "../publish/pull-requests.ts";
import type { ResolvedPlace } from "../resolve-place.ts";
import { revise } from "../revise.ts";
import { askedInContext, askedOnGithub } from "../revise-asked.ts";
import { type ActionResult, type ActionRun, actionResult, openCheckout } from "./action-run.ts";
import { isAsked } from "./event.ts";
import { pullRequestsIn, setStatuses } from "./github-access.ts";
import { tokensOf } from "./outcome-rows.ts";
import { isOverBudget, overBudget, recall, reviewResult, reviewRun } from "./review.ts";
import { group, log } from "./runner.ts";

export async function runRevise(run: ActionRun): Promise<ActionResult> {
  const { inputs, credentials, workspace } = run;
  const isWhole = credentials.githubToken !== null;
  const publish = isWhole ? inputs.publish : "none";
  const place = await openCheckout(run, { ...inputs.flags, publish });
  await recall(place);
  const pullRequests = isWhole ? await pullRequestsIn(run, place) : undefined;
  const waiting = await waitingIn(run, place, pullRequests);
  if (waiting.length === 0) {
    const nothing = "No comment waits to be worked in.";
    log(nothing);
    return actionResult({ outcome: "nothing_to_save", advice: [nothing] });
  }
  const options = await reviewRun(run, place);
  const outDir = isWhole ? null : resolve(workspace, inputs.proposalDir);
  if (outDir !== null) makeFolders(outDir);
  const reviewer = requireEditor(options.reviewer);
  const outcomes: Outcome[] = [];
  let used = 0;
  for (const asked of waiting) {
    const outcome = isOverBudget(inputs, used)
      ? overBudget(inputs.tokenBudget, "the comments that are left")
      : await group(`Comments on #${asked.number}`, () =>
          revise(asked, { ...options, reviewer, outDir, pullRequests }),
        );
    used += tokensOf(outcome);
    log(`#${asked.number}: ${outcome.status}`);
    outcomes.push(outcome);
  }
  const result = reviewResult([], outcomes);
  if (isWhole) await setStatuses(run, place, result.proposals);
  return result;
}

/** Of the pull request that the event is about, or of all; without what nobody has said anything new of. */
async function waitingIn(
  { inputs, event, workspace }: ActionRun,
  place: ResolvedPlace,
  pullRequests: PullRequests | undefined,
): Promise<OpenOnGithub[]> {
  const asked = await askedOf(inputs.context, place, pullRequests, workspace);
  return asked.filter((one) => isAsked(one, event));
}

async function askedOf(
  context: string | null,
  place: ResolvedPlace,
  pullRequests: PullRequests | undefined,
  workspace: string,
): Promise<OpenOnGithub[]> {
  if (context !== null) return askedInContext(place, resolve(workspace, context), null);
  if (pullRequests !== undefined) return askedOnGithub(place, pullRequests, null);
  throw new SkillprError(
    "usage",
    "`revise` has neither the comments nor a token to read them with",
    "give it the input context, a file that `command: plan` wrote, or the input github-token for both halves in one job",
  );
}

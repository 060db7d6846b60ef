/** `command: run`: both halves in one job, for private repositories whose people trust each other; the docs say what that gives up. */
import { type ActionResult, type ActionRun, openCheckout } from "./action-run.ts";
import { pullRequestsIn, setStatuses } from "./github-access.ts";
import { recall, reviewEach, reviewResult, rowsOf, sourcesOf } from "./review.ts";

export async function runBoth(run: ActionRun): Promise<ActionResult> {
  const { inputs, workspace } = run;
  const place = await openCheckout(run, { ...inputs.flags, publish: inputs.publish });
  await recall(place);
  const sources = await sourcesOf(run);
  const pullRequests = await pullRequestsIn(run, place);
  const outcomes = await reviewEach(sources, run, place, { outDirOf: null, pullRequests });
  const result = reviewResult(rowsOf(sources, outcomes, workspace), outcomes);
  await setStatuses(run, place, result.proposals);
  return result;
}

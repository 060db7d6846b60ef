/** Where marks wait that no proposal brings: on GitHub where pull requests are wanted, since a runner's clone is thrown away; else in the git folder. */
import type { Repository } from "./git/repository.ts";
import type { PullRequests } from "./publish/pull-requests.ts";
import type { Operation } from "./skills/operation.ts";
import { forgetWaiting, keepBySession, listWaiting, type MarkSource } from "./waiting-tags.ts";

/**
 * In the git folder first: whatever stops the run, they are in one of both places, under the same names.
 */
export async function keepMarks(
  marks: readonly Operation[],
  source: MarkSource,
  run: {
    readonly repository: Repository;
    readonly pullRequests?: PullRequests | undefined;
    readonly onNote: (note: string) => void;
  },
): Promise<void> {
  const { repository, pullRequests, onNote } = run;
  await keepBySession(repository, marks, source);
  if (pullRequests === undefined) return;
  const waiting = await listWaiting(repository);
  if (waiting.length === 0) return;
  if (await pullRequests.keepMarks(waiting)) await forgetWaiting(waiting);
  else onNote("they are not lost while this clone is kept: the next run tries again");
}

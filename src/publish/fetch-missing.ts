/** Commits that are on a remote and not here. */
import { SkillprError } from "../core/errors.ts";
import type { ObjectReader } from "../git/objects.ts";
import type { Remote } from "../git/remote.ts";
import type { PullRequest } from "./github-answers.ts";
import type { PullRequestPlace } from "./pull-request-place.ts";

/** Brings commits here that aren't; those that are cost nothing. @throws SkillprError `git` */
export async function fetchMissing(
  remote: Remote,
  reader: ObjectReader,
  commits: readonly string[],
): Promise<void> {
  const missing: string[] = [];
  for (const id of commits) if ((await reader.info(id))?.type !== "commit") missing.push(id);
  await remote.fetch(missing);
}

/**
 * Brings the commit here that a pull request shows, which GitHub keeps although the branch may be gone.
 * @returns false, and a note, where it can't be had any more
 */
export async function fetchHead(
  { targetRemote, onNote }: PullRequestPlace,
  reader: ObjectReader,
  { number, head }: PullRequest,
): Promise<boolean> {
  try {
    await fetchMissing(targetRemote, reader, [head.sha]);
    return true;
  } catch (error) {
    if (!(error instanceof SkillprError) || error.code !== "git") throw error;
    onNote(`what #${number} held can't be fetched any more: ${error.message}`);
    return false;
  }
}

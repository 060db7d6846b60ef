/** Decisions that people took back on GitHub: what is open there again counts as not declined. */
import type { ObjectReader } from "../git/objects.ts";
import { contentKeyOfTree } from "./content-of.ts";
import { type Declined, forgetDeclined, listDeclined } from "./declined.ts";
import { fetchHead } from "./fetch-missing.ts";
import type { PullRequest } from "./github-answers.ts";
import { branchRef } from "./open-proposals.ts";
import type { PullRequestPlace } from "./pull-request-place.ts";

/**
 * Which of some decisions an open pull request with the same content takes back. One that was made here
 * (`skillpr reject`) stands, whatever is open.
 * @param pulls of any state; of other branches than proposals' too
 * @throws SkillprError `git`
 */
export async function takenBack(
  place: PullRequestPlace,
  reader: ObjectReader,
  decisions: readonly Declined[],
  pulls: readonly PullRequest[],
): Promise<Declined[]> {
  const found: Declined[] = [];
  for (const one of decisions) {
    if (one.pullRequest === undefined) continue;
    const ref = branchRef(one.skill);
    const open = pulls.filter(
      ({ state, head }) => state === "open" && `refs/heads/${head.branch}` === ref,
    );
    for (const pull of open)
      if ((await contentKeyOfHead(place, reader, pull, one.skill)) === one.contentKey)
        found.push(one);
  }
  return found;
}

/**
 * Forgets decisions that were taken back.
 * @returns the decisions that were forgotten
 * @throws SkillprError `git`
 */
export async function forgetTakenBack(
  place: PullRequestPlace,
  reader: ObjectReader,
  pulls: readonly PullRequest[],
): Promise<Declined[]> {
  const { stateDir, onNote } = place;
  const found = await takenBack(place, reader, await listDeclined(stateDir), pulls);
  for (const one of found) {
    await forgetDeclined(stateDir, one);
    onNote(`what #${one.pullRequest} declined of ${one.skill} is open on GitHub again`);
  }
  return found;
}

/** Of a skill's folder at the commit that a pull request shows; null where that can't be had. */
async function contentKeyOfHead(
  place: PullRequestPlace,
  reader: ObjectReader,
  pull: PullRequest,
  skill: string,
): Promise<string | null> {
  const folder = await folderOfHead(place, reader, pull, skill);
  return folder === null ? null : await contentKeyOfTree(reader, folder);
}

/** Tree of a skill's folder at the commit that a pull request shows; null where it has none, or the commit can't be had any more. */
export async function folderOfHead(
  place: PullRequestPlace,
  reader: ObjectReader,
  pull: PullRequest,
  skill: string,
): Promise<string | null> {
  if (!(await fetchHead(place, reader, pull))) return null;
  const { tree } = await reader.commit(pull.head.sha);
  return await reader.treeAt(tree, `${place.skillsRoot}/${skill}`);
}

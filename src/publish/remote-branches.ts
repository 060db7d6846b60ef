/** A fresh clone has the remote's proposals as remote-tracking branches alone; everything here reads the local ones. */
import { isAncestor, listRefs, moveRef } from "../git/refs.ts";
import { PROPOSAL_REFS, type Repository } from "../git/repository.ts";
import { isSkillName } from "../skills/skill-name.ts";
import { branchRef } from "./open-proposals.ts";

const REMOTE_PREFIX = "refs/remotes/origin/auto-skill/";

/**
 * Makes or forwards the local `auto-skill/<skill>` branches to where the remote's were last fetched. A local one
 * that has something else is left as it is. Nothing is fetched.
 * @returns names of the skills whose branch was made or moved
 */
export async function followRemoteBranches(repository: Repository): Promise<string[]> {
  const { git } = repository;
  const remote = await listRefs(git, REMOTE_PREFIX);
  const local = new Map((await listRefs(git, PROPOSAL_REFS)).map(({ name, id }) => [name, id]));
  const followed: string[] = [];
  for (const { name, id } of remote) {
    const skill = name.slice(REMOTE_PREFIX.length);
    if (!isSkillName(skill)) continue;
    const ref = branchRef(skill);
    const here = local.get(ref) ?? null;
    const isBehind = here === null || (here !== id && (await isAncestor(git, here, id)));
    if (isBehind && (await moveRef(git, ref, id, here)) === "moved") followed.push(skill);
  }
  return followed;
}

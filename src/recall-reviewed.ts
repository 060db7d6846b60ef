/** On a machine that reviewed nothing yet, what proposals and the base say of their sessions is the ledger. */
import { join } from "node:path";
import { openLedger } from "./gate/ledger.ts";
import { ObjectReader } from "./git/objects.ts";
import { listRefs } from "./git/refs.ts";
import { type Base, type Repository, stateDir } from "./git/repository.ts";
import { recallSessions } from "./publish/session-trailers.ts";

/**
 * Enters the sessions of all proposal branches and of the base's history that the ledger doesn't have.
 * @returns how many were entered
 * @throws SkillprError `git`; `config` when the ledger can't be written
 */
export async function recallReviewed(repository: Repository, base: Base): Promise<number> {
  const prefixes = ["refs/heads/auto-skill/", "refs/remotes/origin/auto-skill/"];
  const branches = await listRefs(repository.git, prefixes);
  const tips = await commitsAmong(
    repository,
    new Set(branches.map(({ id }) => id)).add(base.commit),
  );
  const ledger = openLedger(join(stateDir(repository), "reviewed"));
  let entered = 0;
  for (const { skill, reviewed, ...session } of await recallSessions(repository.git, tips)) {
    if ((await ledger.find(session.digest)) !== null) continue;
    const skills = skill === null ? [] : [skill];
    await ledger.record({
      ...session,
      skills,
      status: "proposed",
      ...(reviewed && { reviewed: { ...reviewed, last: null } }),
    });
    entered += 1;
  }
  return entered;
}

/** A ref may be made to point anywhere. */
async function commitsAmong(repository: Repository, ids: ReadonlySet<string>): Promise<string[]> {
  await using reader = new ObjectReader(repository.git, repository.objectFormat);
  const commits: string[] = [];
  for (const id of ids) if ((await reader.info(id))?.type === "commit") commits.push(id);
  return commits;
}

/** On a machine that reviewed nothing yet, what proposals and the base say of their sessions is the ledger. */
import { join } from "node:path";
import type { Config } from "./core/config.ts";
import { asFailure } from "./core/errors.ts";
import { LEDGER_MARKS_MAX } from "./core/limits.ts";
import { openLedger } from "./gate/ledger.ts";
import { resolveAcceptedBase } from "./git/accepted-base.ts";
import { ObjectReader } from "./git/objects.ts";
import { listRefs } from "./git/refs.ts";
import { type Base, PROPOSAL_REFS, type Repository, stateDir } from "./git/repository.ts";
import { type MarksBatch, marksAt } from "./publish/marks-branch.ts";
import type { PullRequests } from "./publish/pull-requests.ts";
import { recallSessions } from "./publish/session-trailers.ts";
import { listWaiting } from "./waiting-tags.ts";

/**
 * Enters the sessions of all proposal branches and of the base's history that the ledger doesn't have.
 * @returns how many were entered
 * @throws SkillprError `git`; `config` when the ledger can't be written
 */
export async function recallReviewed(repository: Repository, base: Base): Promise<number> {
  const prefixes = [PROPOSAL_REFS, "refs/remotes/origin/auto-skill/"];
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

/**
 * A run that was killed before the ledger knew, and a clone that is new: commits and marks that wait tell which
 * sessions were reflected on, and how far.
 */
export async function recallReflected(run: {
  readonly repository: Repository;
  readonly config: Pick<Config, "base" | "skillsRoot">;
  readonly pullRequests?: PullRequests | undefined;
  readonly onNote: (note: string) => void;
}): Promise<void> {
  const { repository, config, pullRequests } = run;
  try {
    const base = await resolveAcceptedBase(repository, config.base, config.skillsRoot);
    await recallReviewed(repository, base);
    await recallMarked(repository, (await pullRequests?.marks())?.batches ?? []);
  } catch (error) {
    // The review itself says what is wrong with the repository.
    run.onNote(`which sessions were reflected on before is not known: ${asFailure(error).message}`);
  }
}

/**
 * Enters the sessions whose marks wait, in the git folder, on GitHub, or there as it was last fetched: they have no
 * commit yet.
 * @param there on GitHub, where that can be asked
 */
async function recallMarked(repository: Repository, there: readonly MarksBatch[]): Promise<void> {
  const ledger = openLedger(join(stateDir(repository), "reviewed"));
  const fetched = await listRefs(repository.git, "refs/remotes/origin/skillpr/marks");
  const batches = [...there, ...(await listWaiting(repository))];
  for (const tip of await commitsAmong(repository, new Set(fetched.map(({ id }) => id))))
    batches.push(...(await marksAt(repository, tip)));
  for (const { session, operations } of batches) {
    if (session === undefined || (await ledger.find(session.digest)) !== null) continue;
    const { digest, id: sessionId, agent, reviewed } = session;
    const at = new Date().toISOString();
    const part = reviewed === undefined ? {} : { reviewed: { ...reviewed, last: null } };
    const marks = operations.slice(-LEDGER_MARKS_MAX).map(({ skill_id: id, metadata }) => ({
      id,
      delta: metadata.delta,
    }));
    await ledger.record({
      digest,
      sessionId,
      agent,
      at,
      skills: [],
      status: "nothing_to_save",
      marks,
      ...part,
    });
  }
}

/** A ref may be made to point anywhere. */
async function commitsAmong(repository: Repository, ids: ReadonlySet<string>): Promise<string[]> {
  await using reader = new ObjectReader(repository.git, repository.objectFormat);
  const commits: string[] = [];
  for (const id of ids) if ((await reader.info(id))?.type === "commit") commits.push(id);
  return commits;
}

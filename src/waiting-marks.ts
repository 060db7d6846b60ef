/** Which marks wait for the next change of the Skillbook, and where: for people who look at it. Nothing is fetched. */
import { SkillprError } from "./core/errors.ts";
import { count } from "./core/text.ts";
import { listRefs } from "./git/refs.ts";
import type { Repository } from "./git/repository.ts";
import { freshMarks, keyOfMarks, type MarksBatch, marksAt } from "./publish/marks-branch.ts";
import { listWaiting, waitingFolder, withoutApplied } from "./waiting-tags.ts";

export interface WaitingMarks {
  readonly marks: number;
  readonly places: readonly WaitingPlace[];
  /** Why not all of them can be told. */
  readonly problem?: string;
}

interface WaitingPlace {
  /** A folder, or a branch of a remote as it was when it was fetched last. */
  readonly where: string;
  readonly marks: number;
  /** One a session, or a file of operations. */
  readonly batches: number;
}

/**
 * @param tips commits in whose history is what came into the Skillbook already: the base, the open proposal
 * @throws SkillprError `git`
 */
export async function waitingMarks(
  repository: Repository,
  tips: readonly string[],
): Promise<WaitingMarks> {
  const here = await waitingHere(repository, tips);
  const known = new Set(here.batches.map(({ name }) => keyOfMarks(name)));
  const places = [placeOf(waitingFolder(repository), here.batches)];
  for (const { id, name } of await listRefs(repository.git, "refs/remotes/")) {
    if (!name.endsWith("/skillpr/marks")) continue;
    const there = { tip: id, batches: await marksAt(repository, id) };
    const fresh = (await freshMarks(repository, there, tips)).filter((each) => {
      return !known.has(keyOfMarks(each.name));
    });
    for (const each of fresh) known.add(keyOfMarks(each.name));
    places.push(placeOf(name.slice("refs/remotes/".length), fresh));
  }
  const filled = places.filter(({ batches }) => batches > 0);
  const marks = filled.reduce((sum, each) => sum + each.marks, 0);
  const { problem } = here;
  return { marks, places: filled, ...(problem !== undefined && { problem }) };
}

/** A file that is no batch must not hide all else that people look at. */
async function waitingHere(
  repository: Repository,
  tips: readonly string[],
): Promise<{ readonly batches: readonly MarksBatch[]; readonly problem?: string }> {
  try {
    const { fresh } = await withoutApplied(repository, await listWaiting(repository), tips);
    return { batches: fresh };
  } catch (error) {
    if (!(error instanceof SkillprError) || error.code !== "input") throw error;
    return { batches: [], problem: `${error.message}: ${error.hint}` };
  }
}

function placeOf(where: string, batches: readonly MarksBatch[]): WaitingPlace {
  const marks = batches.reduce((sum, { operations }) => sum + operations.length, 0);
  return { where, marks, batches: batches.length };
}

/** In words, a line each; none where nothing waits. */
export function waitingWords({ places, problem }: WaitingMarks): string[] {
  const said = places.map(({ where, marks: n }) => {
    const [verb, them] = n === 1 ? ["waits", "it"] : ["wait", "them"];
    return `${count(n, "mark")} ${verb} in ${where}; the next change of the Skillbook brings ${them}`;
  });
  return [...said, ...(problem === undefined ? [] : [problem])];
}

/** Which marks that waited come into the Skillbook with a change: those that no history has. */
import type { Base, Repository } from "./git/repository.ts";
import { freshMarks, isAmong, keysOf, type MarksThere } from "./publish/marks-branch.ts";
import type { SkillbookPlace } from "./skillbook-place.ts";
import {
  forgetAside,
  forgetWaiting,
  listWaiting,
  markedSessions,
  setAside,
  type WaitingTags,
  withoutApplied,
} from "./waiting-tags.ts";

/** All marks that wait, here and on GitHub, and those of them that this change brings. */
export async function waitingAt(
  change: Parameters<typeof markedSessions>[0],
  {
    place,
    base,
    isDry,
  }: { readonly place: SkillbookPlace; readonly base: Base; readonly isDry: boolean },
  run: { readonly repository: Repository; readonly dryRun: boolean; readonly there: MarksThere },
) {
  const { repository, dryRun, there } = run;
  const tips = tipsWith(place, base);
  if (!isDry && place.open === null) await forgetAside(repository);
  const waiting = await waitingFor({ tips, isDry, repository, there });
  const isHere = isAmong(keysOf(waiting));
  const elsewhere = await freshMarks(repository, there, tips);
  const all = [...waiting, ...elsewhere.filter((each) => !isHere(each))];
  const isMarked = await markedSessions(change, { waiting: all, tips, repository });
  // What is only sealed is published by somebody else, who has no marks to forget.
  return { joining: isDry && !dryRun ? [] : waiting, all, isMarked };
}

/** None, and none known. */
export const NO_MARKS: MarksThere = { tip: null, batches: [] };

/**
 * What waits in the git folder. Marks that are in the Skillbook already, or on GitHub, are forgotten here: a run
 * was killed when it had published and before it forgot them.
 */
async function waitingFor(at: {
  /** See tipsWith(). */
  readonly tips: readonly string[];
  readonly there: MarksThere;
  readonly isDry: boolean;
  readonly repository: Repository;
}): Promise<readonly WaitingTags[]> {
  const { tips, there, isDry, repository } = at;
  const { fresh, applied } = await withoutApplied(repository, await listWaiting(repository), tips);
  const sent = fresh.filter(isAmong(keysOf(there.batches)));
  if (!isDry) {
    await setAside(repository, applied);
    await forgetWaiting(sent);
  }
  return fresh.filter((each) => !sent.includes(each));
}

/** Commits in whose history is all that came into the Skillbook, proposed or accepted. */
function tipsWith({ open, continues }: SkillbookPlace, base: Base): readonly string[] {
  const tip = open?.tip ?? continues;
  return [base.commit, ...(tip === null ? [] : [tip])];
}

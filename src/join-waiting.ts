/** How marks that waited come into the Skillbook: before what is new, once, and those that still apply. */
import type { Base, Repository } from "./git/repository.ts";
import type { SkillbookPlace } from "./skillbook-place.ts";
import { applyUpdate } from "./skills/apply-update.ts";
import type { Skillbook } from "./skills/skillbook.ts";
import { forgetWaiting, listWaiting, type WaitingTags, withoutApplied } from "./waiting-tags.ts";

/**
 * What waits. Marks that are in the Skillbook already are forgotten: a run was killed when it had published
 * and before it forgot them.
 */
export async function waitingFor(
  place: SkillbookPlace,
  base: Base,
  isDry: boolean,
  repository: Repository,
): Promise<readonly WaitingTags[]> {
  const tips = tipsWith(place, base);
  const { fresh, applied } = await withoutApplied(repository, await listWaiting(repository), tips);
  if (!isDry) await forgetWaiting(applied);
  return fresh;
}

/** Commits in whose history is all that came into the Skillbook, proposed or accepted. */
export function tipsWith({ open, continues }: SkillbookPlace, base: Base): readonly string[] {
  const tip = open?.tip ?? continues;
  return [base.commit, ...(tip === null ? [] : [tip])];
}

/** Marks that waited come first; one whose strategy is gone is named and left out. */
export function withWaiting(
  skillbook: Skillbook,
  waiting: readonly WaitingTags[],
  skills: ReadonlySet<string>,
): { readonly skillbook: Skillbook; readonly dropped: readonly string[] } {
  const dropped: string[] = [];
  let current = skillbook;
  for (const operation of waiting.flatMap(({ operations }) => operations)) {
    const batch = { reasoning: "", operations: [operation] };
    const applied = applyUpdate(current, batch, { skills, at: new Date().toISOString() });
    if (applied.ok) current = applied.skillbook;
    else dropped.push(`a mark that waited for "${operation.skill_id}" no longer applies`);
  }
  return { skillbook: current, dropped };
}

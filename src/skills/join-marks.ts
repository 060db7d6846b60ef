/** How marks that waited come into the Skillbook: those that still apply. Pure. */
import { applyUpdate } from "./apply-update.ts";
import { withUses } from "./beside-operations.ts";
import { newSources } from "./occurrences.ts";
import type { TagOperation } from "./operation.ts";
import { COUNT_OF, type SkillTags } from "./skill-tags.ts";
import { type Skillbook, strategyOf } from "./skillbook.ts";

/**
 * @param skills folders of whole skills that may be marked
 * @returns with the marks; a sentence for each whose strategy is gone, which is left out
 */
export function withMarks(
  skillbook: Skillbook,
  batches: readonly { readonly operations: readonly TagOperation[] }[],
  skills: ReadonlySet<string>,
): { readonly skillbook: Skillbook; readonly dropped: readonly string[] } {
  const dropped: string[] = [];
  let current = skillbook;
  for (const operation of batches.flatMap(({ operations }) => operations)) {
    const batch = { reasoning: "", operations: [operation] };
    const applied = applyUpdate(current, batch, { skills, at: new Date().toISOString() });
    if (applied.ok) current = withUsesOf(applied.skillbook, operation);
    else dropped.push(`a mark that waited for "${operation.skill_id}" no longer applies`);
  }
  return { skillbook: current, dropped };
}

function withUsesOf(skillbook: Skillbook, { skill_id: id, used = 0 }: TagOperation): Skillbook {
  const strategy = strategyOf(skillbook, id);
  if (used === 0 || !strategy?.active) return skillbook;
  return { ...skillbook, skills: { ...skillbook.skills, [id]: withUses(strategy, used) } };
}

/** Takes marks back that were counted elsewhere already, with the sources that came with them: they are there too. */
export function withoutMarks(skillbook: Skillbook, marks: readonly TagOperation[]): Skillbook {
  const skills = new Map(Object.entries(skillbook.skills));
  const tags = new Map(Object.entries(skillbook.skill_tags ?? {}));
  for (const mark of marks) {
    const strategy = skills.get(mark.skill_id);
    const marked = tags.get(mark.skill_id);
    // As applyUpdate() reads it: of a strategy out of use, the skill of that name is meant.
    const isStrategy = strategy?.active === true || marked === undefined;
    if (strategy !== undefined && isStrategy)
      skills.set(mark.skill_id, withUses(withoutMark(strategy, mark), -(mark.used ?? 0)));
    else if (marked !== undefined) tags.set(mark.skill_id, withoutMark(marked, mark));
  }
  return {
    ...skillbook,
    skills: Object.fromEntries(skills),
    ...(tags.size > 0 && { skill_tags: Object.fromEntries(tags) }),
  };
}

function withoutMark<Marked extends SkillTags>(
  marked: Marked,
  { metadata, insight_source: source }: TagOperation,
): Marked {
  const count = COUNT_OF[metadata.delta];
  const sources = source === undefined ? [] : [source].flat();
  const occurrences = newSources(sources, marked.occurrences);
  return { ...marked, [count]: Math.max(0, marked[count] - 1), occurrences };
}

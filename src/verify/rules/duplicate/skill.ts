import { DUPLICATE_MIN_SIMILARITY, DUPLICATE_NEW_MAX } from "../../../core/limits.ts";
import { type SkillSummary, summarizeSkill } from "../../../skills/skill-summary.ts";
import type { ChangedFolder, VerifyContext } from "../../context.ts";
import { type Detail, defineRule, EVERY_PROFILE, quoted } from "../../rule.ts";
import { similarity, type WordSets, wordSetsOf } from "../../similarity.ts";

export const duplicateSkillRule = defineRule({
  id: "duplicate.skill",
  level: "warning",
  why: "Two skills for one thing are two that must be kept right, and an agent may load the older.",
  example: "a second skill that says how to release",
  profiles: EVERY_PROFILE,
  *check(context): Iterable<Detail> {
    const fresh = context.folders.filter(isNew);
    // A repository that takes in many at once is compared with what was there, not with itself.
    const others = fresh.length > DUPLICATE_NEW_MAX ? oldSkills(context, fresh) : context.skills();
    const sets = new Map(
      fresh.length === 0 ? [] : others.map((skill) => [skill, wordSetsOf(skill)]),
    );
    const told = new Set<string>();
    for (const folder of fresh) {
      const closest = closestTo(folder, sets, told);
      if (closest === null) continue;
      told.add(folder.skillPath);
      const { skill, score } = closest;
      yield {
        path: folder.skillPath,
        line: 1,
        message: `This says much of what ${quoted(skill.path)} says (likeness ${score.toFixed(2)} of 1).`,
        hint: `Add what is new to ${quoted(skill.name)} instead.`,
      };
    }
  },
});

function isNew({ parent, next, isSkillFileChanged }: ChangedFolder): boolean {
  return parent === null && next?.blob.kind === "text" && isSkillFileChanged;
}

function oldSkills(context: VerifyContext, fresh: readonly ChangedFolder[]): SkillSummary[] {
  const paths = new Set(fresh.map(({ skillPath }) => skillPath));
  return context.skills().filter(({ path }) => !paths.has(path));
}

/** @param told skills that were called a duplicate already: of two new ones, one is enough */
function closestTo(
  { folder, skillPath, next }: ChangedFolder,
  sets: ReadonlyMap<SkillSummary, WordSets>,
  told: ReadonlySet<string>,
): { skill: SkillSummary; score: number } | null {
  if (next?.blob.kind !== "text") return null;
  const mine = wordSetsOf(summarizeSkill(skillPath, folder, next.blob.text));
  let closest: { skill: SkillSummary; score: number } | null = null;
  for (const [skill, theirs] of sets) {
    if (skill.path === skillPath || told.has(skill.path)) continue;
    const score = similarity(mine, theirs);
    if (score >= DUPLICATE_MIN_SIMILARITY && score > (closest?.score ?? 0))
      closest = { skill, score };
  }
  return closest;
}

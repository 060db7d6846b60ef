/** The skills that a change stands beside. */
import { type SkillSummary, skillFolderOf, summarizeSkill } from "../skills/skill-summary.ts";
import type { VerifyInput } from "./change.ts";
import type { BlobText, VerifyContext } from "./context.ts";

/** Reads them once, and not before a rule asks: most changes have no new name. */
export function indexSkills(
  input: VerifyInput,
  text: (id: string) => BlobText,
): Pick<VerifyContext, "skills" | "skillsNamed"> {
  let known: readonly SkillSummary[] | null = null;
  let byName: Map<string, SkillSummary[]> | null = null;
  const skills = () => {
    known ??= [...skillsOf(input, text), ...(input.otherSkills ?? [])];
    return known;
  };
  const skillsNamed = (name: string) => {
    if (byName === null) {
      byName = new Map();
      for (const skill of skills()) {
        const fold = skill.name.toLowerCase();
        byName.set(fold, [...(byName.get(fold) ?? []), skill]);
      }
    }
    return byName.get(name) ?? [];
  };
  return { skills, skillsNamed };
}

function* skillsOf(
  { next, skillsRoot }: VerifyInput,
  text: (id: string) => BlobText,
): Iterable<SkillSummary> {
  for (const { path, id, mode } of next) {
    const folder = mode.startsWith("100") ? skillFolderOf(path, skillsRoot) : null;
    const blob = folder === null ? null : text(id);
    if (folder !== null && blob?.kind === "text") yield summarizeSkill(path, folder, blob.text);
  }
}

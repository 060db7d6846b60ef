/** Reading skills of other folders for the verifier. */
import { SKILL_FILE_MAX_BYTES } from "../core/limits.ts";
import { isTree } from "../git/object-format.ts";
import type { ObjectReader } from "../git/objects.ts";
import { SKILL_FILE_NAME } from "../skills/skill-path.ts";
import { type SkillSummary, summarizeSkill } from "../skills/skill-summary.ts";

/**
 * The skills of folders of a tree, e.g. `.agents/skills`; a root that isn't there, or is a link, has none.
 * @throws SkillprError `git` when a tree there is damaged
 */
export async function skillsAt(
  reader: ObjectReader,
  rootTree: string,
  roots: readonly string[],
): Promise<SkillSummary[]> {
  const skills: SkillSummary[] = [];
  for (const root of roots) {
    const tree = await reader.treeAt(rootTree, root);
    for (const entry of tree === null ? [] : await reader.tree(tree)) {
      const file = isTree(entry) ? await reader.entry(entry.id, SKILL_FILE_NAME) : undefined;
      const bytes = file && (await reader.blob(file.id, SKILL_FILE_MAX_BYTES));
      const folder = entry.name.toString("utf8");
      if (bytes)
        skills.push(
          summarizeSkill(`${root}/${folder}/${SKILL_FILE_NAME}`, folder, bytes.toString("utf8")),
        );
    }
  }
  return skills;
}

/** The skills in place as a reviewer is told of them, so that it doesn't write the same again. */
import { SKILL_FILE_MAX_BYTES } from "./core/limits.ts";
import { listInPlaceFolders, readInPlaceFile } from "./git/in-place-folders.ts";
import type { Repository } from "./git/repository.ts";
import type { ExistingSkill, InPlaceSkill } from "./review/reviewer.ts";
import { parseSkillFile } from "./skills/skill-file.ts";
import { SKILL_FILE_NAME } from "./skills/skill-path.ts";

/**
 * Reads the SKILL.md of each, marked or not; one that can't be read safely is not told of.
 * @param options.existing what is committed or proposed: what has the same folder is that skill
 * @param options.redact replaces secrets: nobody has looked through these files
 */
export async function inPlaceSkills(options: {
  readonly repository: Repository;
  readonly skillsRoot: string;
  readonly existing: readonly ExistingSkill[];
  readonly redact: (text: string) => Promise<string>;
}): Promise<InPlaceSkill[]> {
  const { repository, skillsRoot, existing, redact } = options;
  const { root } = repository;
  if (root === null) return [];
  const known = new Set(existing.map(({ folder }) => folder));
  const skills: InPlaceSkill[] = [];
  for (const { path, folder } of (await listInPlaceFolders(repository, skillsRoot)).folders) {
    const bytes = readInPlaceFile(root, `${path}/${SKILL_FILE_NAME}`, SKILL_FILE_MAX_BYTES);
    if (bytes === null || known.has(folder)) continue;
    const text = await redact(bytes.toString("utf8"));
    const parsed = parseSkillFile(text);
    const { name = null, description = null } = parsed.ok ? parsed.skill : {};
    skills.push({
      path: await redact(path),
      folder: await redact(folder),
      name: name ?? folder,
      description: description ?? "",
      text,
    });
  }
  return skills;
}

/** The skills of a folder listing, as reviewers are told of them. */
import { readMarker } from "./marker.ts";
import { parseSkillFile } from "./skill-file.ts";
import { parseSkillPath, SKILL_FILE_NAME } from "./skill-path.ts";
import { isSkillbookPath, SKILLBOOK_FOLDER } from "./skillbook-files.ts";

export interface ListedSkill {
  readonly folder: string;
  /** The frontmatter's name, else the folder. */
  readonly name: string;
  readonly description: string;
  readonly isAutoSkill: boolean;
  /** True when it is only proposed so far. */
  readonly isOpenProposal: boolean;
}

/**
 * @param files path from the repository's root and bytes; what is no SKILL.md is passed over
 * @param proposed folders that are open proposals
 * @returns one entry a skill folder, also for a SKILL.md that can't be parsed (it is somebody's)
 */
export function listSkills(
  files: Iterable<readonly [path: string, bytes: Uint8Array]>,
  skillsRoot: string,
  proposed: ReadonlySet<string>,
): ListedSkill[] {
  const skills: ListedSkill[] = [];
  const all = [...files];
  const hasSkillbook = all.some(([path]) => isSkillbookPath(path, skillsRoot));
  for (const [path, bytes] of all) {
    const place = parseSkillPath(path, skillsRoot);
    if (place?.rest !== SKILL_FILE_NAME) continue;
    const text = Buffer.from(bytes).toString("utf8");
    const parsed = parseSkillFile(text);
    skills.push({
      folder: place.folder,
      name: (parsed.ok ? parsed.skill.name : null) ?? place.folder,
      description: (parsed.ok ? parsed.skill.description : null) ?? "",
      // The Skillbook changes by update operations only.
      isAutoSkill:
        readMarker(text).isAutoSkill && !(hasSkillbook && place.folder === SKILLBOOK_FOLDER),
      isOpenProposal: proposed.has(place.folder),
    });
  }
  return skills;
}

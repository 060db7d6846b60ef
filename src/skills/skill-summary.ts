/** A skill as others are compared with it, however its SKILL.md is written. */
import { parseSkillFile } from "./skill-file.ts";
import { parseSkillPath, SKILL_FILE_NAME } from "./skill-path.ts";

/** Folders that Qwen Code reads a project's skills from, the first first; others are another agent's. */
const PROJECT_ROOTS: readonly string[] = [".qwen/skills", ".agents/skills"];

export interface SkillSummary {
  /** Path of its SKILL.md from the repository's root (for a user's skill: as people write it). */
  readonly path: string;
  /** The frontmatter's name as the most forgiving reader finds it, else the folder. */
  readonly name: string;
  readonly description: string;
  readonly body: string;
}

/** The other folders of a project that the same agent takes skills from. */
export function otherRoots(skillsRoot: string): readonly string[] {
  if (!PROJECT_ROOTS.includes(skillsRoot)) return [];
  return PROJECT_ROOTS.filter((root) => root !== skillsRoot);
}

/** The folder of a path that is a skill's SKILL.md under a root; null for every other path. */
export function skillFolderOf(path: string, skillsRoot: string): string | null {
  const place = parseSkillPath(path, skillsRoot);
  return place?.rest === SKILL_FILE_NAME ? place.folder : null;
}

/**
 * Reads leniently, line by line: an agent loads a skill that strict YAML refuses too, and its name
 * is taken all the same. Never throws on any text.
 */
export function summarizeSkill(path: string, folder: string, text: string): SkillSummary {
  const parsed = text.startsWith("---\n") && isPlain(text) ? null : parseSkillFile(text);
  if (parsed?.ok) {
    const { name, description, body } = parsed.skill;
    return { path, name: name ?? folder, description: description ?? "", body };
  }
  const [head, body] = split(text);
  const name = fieldOf(head, "name");
  return { path, name: name || folder, description: fieldOf(head, "description"), body };
}

/** True where reading line by line gives what YAML gives: most files, and it costs a tenth. */
function isPlain(text: string): boolean {
  const [head] = split(text);
  return /^name: +[\w.-]+$/m.test(head) && /^description: +[A-Za-z][^:#"'\\]*$/m.test(head);
}

function split(text: string): readonly [head: string, body: string] {
  const plain = text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  const end = plain.startsWith("---\n") ? plain.indexOf("\n---", 3) : -1;
  if (end < 0) return ["", plain];
  const line = plain.indexOf("\n", end + 1);
  return [plain.slice(4, end), line < 0 ? "" : plain.slice(line + 1)];
}

function fieldOf(head: string, key: "name" | "description"): string {
  const line = head.split("\n").find((one) => one.startsWith(`${key}:`));
  const value = line?.slice(key.length + 1).trim() ?? "";
  return /^(["']).*\1$/.test(value) ? value.slice(1, -1) : value;
}

/** Tells whether two versions of a skill are the same lesson. */
import { createHash } from "node:crypto";
import { isRecord, parseSkillFile } from "./skill-file.ts";
import { SKILL_FILE_NAME } from "./skill-path.ts";

/** Frontmatter keys that say when a skill was written, not what it teaches. */
const OCCASION_KEYS: ReadonlySet<string> = new Set(["version", "extracted_at"]);

/**
 * @param files the files of one skill, paths relative to its folder (`SKILL.md`, `references/a.md`),
 *   in any order
 * @returns sha256 in hex; the same when only `version`, `extracted_at` (top-level or under
 *   `metadata`) or the order of keys in SKILL.md's frontmatter differ
 */
export function contentKey(files: readonly { path: string; content: string }[]): string {
  const parts = files
    .map(({ path, content }) => [path, path === SKILL_FILE_NAME ? lessonOf(content) : content])
    .sort(([a = ""], [b = ""]) => (a < b ? -1 : a > b ? 1 : 0));
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/** A SKILL.md that can't be parsed is compared byte for byte. */
function lessonOf(content: string): string {
  const parsed = parseSkillFile(content);
  if (!parsed.ok) return content;
  const { frontmatter, body } = parsed.skill;
  const { metadata, ...others } = withoutOccasion(frontmatter);
  const lasting = isRecord(metadata) ? withoutOccasion(metadata) : metadata;
  return JSON.stringify([sortKeys({ ...others, metadata: lasting }), body]);
}

function withoutOccasion(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !OCCASION_KEYS.has(key)));
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sortKeys(inner)]),
  );
}

/** What is wrong with a Skillbook as it lies on disk, and the files that it should consist of. */
import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { writeFileAtomically } from "./core/atomic-file.ts";
import { hasCode } from "./core/errors.ts";
import { parseSkillbook, type SkillbookProblem } from "./skills/skillbook.ts";
import { renderSkillbookFiles, SKILLBOOK_FILE_NAME } from "./skills/skillbook-files.ts";
import { limitWarnings } from "./skills/skillbook-limits.ts";

export interface SkillbookCheck {
  readonly ok: boolean;
  readonly problems: readonly SkillbookProblem[];
  /** What was read as something else, and which limits are near. */
  readonly warnings: readonly string[];
  /** Files of the folder that aren't what the JSON gives, paths relative to it. */
  readonly stale: readonly string[];
  /** Of these, the ones that were written now. */
  readonly fixed: readonly string[];
}

/**
 * @param file absolute path; where it is a `skillbook.json`, the files beside it are looked at too
 * @param fix write the files in their one form, where the JSON can be read
 * @throws what the system refuses
 */
export async function checkSkillbook(file: string, fix: boolean): Promise<SkillbookCheck> {
  const parsed = parseSkillbook(await readFile(file, "utf8"));
  if (!parsed.ok)
    return { ok: false, problems: parsed.problems, warnings: [], stale: [], fixed: [] };
  const { skillbook } = parsed;
  const warnings = [...parsed.warnings, ...limitWarnings(skillbook)];
  const isFolder = file.endsWith(`/${SKILLBOOK_FILE_NAME}`);
  const stale: string[] = [];
  const fixed: string[] = [];
  for (const { path, content } of isFolder ? renderSkillbookFiles(skillbook) : []) {
    const place = join(dirname(file), path);
    if ((await textOf(place)) === content) continue;
    stale.push(path);
    if (!fix) continue;
    await mkdir(dirname(place), { recursive: true });
    await writeFileAtomically(place, content, 0o644);
    fixed.push(path);
  }
  return { ok: stale.length === fixed.length, problems: [], warnings, stale, fixed };
}

async function textOf(path: string): Promise<string | null> {
  return readFile(path, "utf8").catch((error: unknown) => {
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  });
}

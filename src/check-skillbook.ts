/** What is wrong with a Skillbook as it lies on disk, and the files that it should consist of. */
import { lstat, mkdir, readdir, readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { writeFileAtomically } from "./core/atomic-file.ts";
import { hasCode, SkillprError } from "./core/errors.ts";
import { safeLine } from "./core/text.ts";
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
  /** What else lies in the folder, paths relative to it: no file of the Skillbook's, so the verifier refuses it. It is left where it is. */
  readonly foreign: readonly string[];
}

/**
 * @param file absolute path; where it is a `skillbook.json`, the files beside it are looked at too
 * @param fix write the files in their one form, where the JSON can be read
 * @throws SkillprError `input` when there is no such file; else what the system refuses
 */
export async function checkSkillbook(file: string, fix: boolean): Promise<SkillbookCheck> {
  const parsed = parseSkillbook(await bookText(file));
  if (!parsed.ok)
    return {
      ok: false,
      problems: parsed.problems,
      warnings: [],
      stale: [],
      fixed: [],
      foreign: [],
    };
  const { skillbook } = parsed;
  const warnings = [...parsed.warnings, ...limitWarnings(skillbook)];
  const isFolder = file.endsWith(`/${SKILLBOOK_FILE_NAME}`);
  const expected = isFolder ? renderSkillbookFiles(skillbook) : [];
  const stale: string[] = [];
  const fixed: string[] = [];
  for (const { path, content } of expected) {
    const place = join(dirname(file), path);
    if ((await textOf(place)) === content) continue;
    stale.push(path);
    if (!fix) continue;
    await mkdir(dirname(place), { recursive: true });
    await writeFileAtomically(place, content, 0o644);
    fixed.push(path);
  }
  const own = new Set(expected.map(({ path }) => path));
  const foreign = isFolder ? (await filesIn(dirname(file))).filter((path) => !own.has(path)) : [];
  const ok = stale.length === fixed.length && foreign.length === 0;
  return { ok, problems: [], warnings, stale, fixed, foreign };
}

async function bookText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
    throw new SkillprError(
      "input",
      `there is no Skillbook at ${safeLine(file)}`,
      "the first operation that is applied makes one (skillpr apply, skillpr skillbook import); another file is named behind the command",
      { cause: error },
    );
  }
}

/** All that git would see there; a link is one entry, and isn't followed. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .sort();
}

/** Null where there is no file, or something else, like a link: the verifier takes regular files only. */
async function textOf(path: string): Promise<string | null> {
  try {
    return (await lstat(path)).isFile() ? await readFile(path, "utf8") : null;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  }
}

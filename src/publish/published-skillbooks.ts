/**
 * Which version of the Skillbook here stands on the remote as which: where the remote's base or its branch
 * is another one, the same operations give another file. An empty file for each pair, `<here>-<there>`.
 */
import { join } from "node:path";
import { writeFileAtomically } from "../core/atomic-file.ts";
import { makeFolders } from "../core/make-folders.ts";
import { namesIn } from "../core/names-in.ts";

/** Trees of the folder here → trees of it there. */
export type PublishedSkillbooks = ReadonlyMap<string, ReadonlySet<string>>;

/** @param stateDir skillpr's folder in the git common dir */
export async function listPublishedSkillbooks(stateDir: string): Promise<PublishedSkillbooks> {
  const pairs = new Map<string, Set<string>>();
  for (const name of await namesIn(folderOf(stateDir))) {
    const [, here, there] = /^([0-9a-f]{40,64})-([0-9a-f]{40,64})$/.exec(name) ?? [];
    if (here === undefined || there === undefined) continue;
    pairs.set(here, (pairs.get(here) ?? new Set()).add(there));
  }
  return pairs;
}

/**
 * Noted before it is pushed: one that never gets there is found nowhere, and does no harm.
 * @param here tree of the folder here; `there`: on the remote
 */
export async function notePublishedSkillbook(
  stateDir: string,
  here: string,
  there: string,
): Promise<void> {
  const dir = folderOf(stateDir);
  makeFolders(dir);
  await writeFileAtomically(join(dir, `${here}-${there}`), "");
}

function folderOf(stateDir: string): string {
  return join(stateDir, "skillbook", "published");
}

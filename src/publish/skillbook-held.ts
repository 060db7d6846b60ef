/**
 * Which commits of the Skillbook's branch a base holds, told by the Skillbook's file alone: a squash may have lost the
 * trailers, and somebody may have edited what it merged. What a run does to the Skillbook has the moment of that run
 * on it, and the words of its marks; neither comes to be twice.
 */
import { SkillprError } from "../core/errors.ts";
import type { ObjectReader } from "../git/objects.ts";
import { canonical } from "../skills/occurrences.ts";
import { reasonsOf } from "../skills/reasons.ts";
import type { Skillbook } from "../skills/skillbook.ts";
import { SKILLBOOK_FOLDER } from "../skills/skillbook-files.ts";
import { readSkillbookFolder } from "./skillbook-at.ts";

interface At {
  readonly reader: ObjectReader;
  readonly skillsRoot: string;
}

interface BranchCommit {
  readonly tree: string;
  readonly parents: readonly string[];
}

/**
 * @param versions trees of the Skillbook's folder in the base's history since the branch left it
 * @returns whether something that a commit of the branch did, and none of its parents had, is in one of them
 */
export async function heldBy(
  at: At,
  versions: ReadonlySet<string>,
): Promise<(commit: BranchCommit) => Promise<boolean>> {
  const held = new Set<string>();
  for (const folder of versions) for (const trace of await tracesIn(at, folder)) held.add(trace);
  return async ({ tree, parents }) => {
    const before = new Set<string>();
    for (const id of parents) {
      const parent = await at.reader.commit(id);
      for (const trace of await tracesIn(at, await folderOf(at, parent.tree))) before.add(trace);
    }
    const own = await tracesIn(at, await folderOf(at, tree));
    return own.some((trace) => !before.has(trace) && held.has(trace));
  };
}

async function folderOf({ reader, skillsRoot }: At, tree: string): Promise<string | null> {
  return reader.treeAt(tree, `${skillsRoot}/${SKILLBOOK_FOLDER}`);
}

/** What runs left in a version; nothing of one that somebody broke. */
async function tracesIn({ reader, skillsRoot }: At, folder: string | null): Promise<string[]> {
  try {
    const path = `${skillsRoot}/${SKILLBOOK_FOLDER}`;
    return tracesOf(await readSkillbookFolder(reader, folder, path));
  } catch (error) {
    if (!(error instanceof SkillprError) || error.code !== "input") throw error;
    return [];
  }
}

function tracesOf({ skills, skill_tags: tags = {} }: Skillbook): string[] {
  const added = Object.values(skills).flatMap(({ created_at: moment }) =>
    moment === undefined ? [] : [`added ${moment}`],
  );
  const changed = [...Object.entries(skills), ...Object.entries(tags)].flatMap(([id, each]) => {
    const said = reasonsOf(each).filter(({ type, from }) => type === "TAG" && from !== undefined);
    const moment = each.updated_at === undefined ? [] : [`changed ${id} ${each.updated_at}`];
    return [...moment, ...said.map((reason) => `said of ${id} ${canonical(reason)}`)];
  });
  return [...added, ...changed];
}

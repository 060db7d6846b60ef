/** What is known already of a skill in place: then it is not proposed. */
import * as adoption from "./adoption.ts";
import * as limits from "./core/limits.ts";
import { cut, safeLine } from "./core/text.ts";
import type { InPlaceContent, InPlaceFolder } from "./git/in-place-folders.ts";
import type { ObjectReader } from "./git/objects.ts";
import type { Base } from "./git/repository.ts";
import type { Workspace } from "./git/workspace.ts";
import { buildFolderTree } from "./proposal/folder-tree.ts";
import type { Declined } from "./publish/declined.ts";
import type { ProposalBranch } from "./publish/open-proposals.ts";
import { contentKey } from "./skills/content-key.ts";
import { listSkills } from "./skills/list-skills.ts";
import { parseSkillFile } from "./skills/skill-file.ts";
import { SKILL_FILE_NAME } from "./skills/skill-path.ts";

export interface KnownInput {
  readonly place: InPlaceFolder;
  readonly content: InPlaceContent;
  readonly base: Base;
  readonly branch: ProposalBranch | undefined;
  readonly declined: readonly Declined[];
  readonly reader: ObjectReader;
  readonly skillsRoot: string;
}

/** Why this content needs no proposal: the base has it, a person declined it, or a branch has or had it. */
export async function whatIsKnown(input: KnownInput): Promise<adoption.Adoption | null> {
  const { place, content, base, branch, reader, skillsRoot } = input;
  const path = `${skillsRoot}/${place.folder}`;
  const files = adoption.folderFiles(content, reader.objectFormat);
  const { tree } = buildFolderTree(files, reader.objectFormat);
  if ((await reader.treeAt(base.tree, path)) === tree)
    return adoption.skippedAs(place, "already_accepted", "the base holds it");
  const texts = [...content.files].map(([name, bytes]) => ({
    path: name,
    content: bytes.toString("utf8"),
  }));
  const key = contentKey(texts);
  const turnedDown = input.declined.find(
    (one) => one.skill === place.folder && one.contentKey === key,
  );
  if (turnedDown !== undefined) {
    const { reason } = turnedDown;
    const why = reason === null ? "" : `: "${cut(safeLine(reason), limits.QUOTE_MAX_CHARS)}"`;
    return adoption.skippedAs(place, "declined", `a person declined it${why}`);
  }
  // Also where the branch went on from it since: what it learned must not be taken back.
  for (const commit of branch?.commits ?? [])
    if ((await reader.treeAt(commit.tree, path)) === tree)
      return adoption.skippedAs(place, "already_proposed", `auto-skill/${place.folder} holds it`);
  return null;
}

/** Another folder whose skill has the same name, if there is one. */
export function otherOfName(
  place: InPlaceFolder,
  { files }: InPlaceContent,
  workspace: Workspace,
  skillsRoot: string,
): adoption.Adoption | null {
  const parsed = parseSkillFile(files.get(SKILL_FILE_NAME)?.toString("utf8") ?? "");
  const name = parsed.ok ? parsed.skill.name : null;
  const other = listSkills(workspace.sourceFiles(), skillsRoot, new Set()).find(
    (skill) => skill.folder !== place.folder && skill.name.toLowerCase() === name?.toLowerCase(),
  );
  if (name === null || other === undefined) return null;
  const at = `${skillsRoot}/${other.folder}`;
  return adoption.refusedFor(place, [adoption.nameTaken(place, name, at)]);
}

/** The whole content of a skill, as a branch or a proposal would have it: for "is this the same lesson?". */
import * as limits from "../core/limits.ts";
import type { ObjectReader } from "../git/objects.ts";
import { listTree } from "../git/skills-tree.ts";
import type { Proposal } from "../proposal/proposal.ts";
import { contentKey } from "../skills/content-key.ts";
import { parseSkillFile } from "../skills/skill-file.ts";
import { SKILL_FILE_NAME } from "../skills/skill-path.ts";

/** @param folderTree tree id of the skill's folder */
export async function contentKeyOfTree(reader: ObjectReader, folderTree: string): Promise<string> {
  return contentKey(await textsOf(reader, folderTree));
}

/** What a skill says of itself; null when it has no SKILL.md that can be parsed. */
export async function descriptionOfTree(
  reader: ObjectReader,
  folderTree: string,
): Promise<string | null> {
  const texts = await textsOf(reader, folderTree);
  const manifest = texts.find(({ path }) => path === SKILL_FILE_NAME);
  const parsed = manifest === undefined ? null : parseSkillFile(manifest.content);
  return parsed?.ok ? parsed.skill.description : null;
}

/** Key of the folder after the proposal: its files over those of the parent. */
export async function contentKeyOfProposal(
  reader: ObjectReader,
  proposal: Proposal,
): Promise<string> {
  const { tree } = await reader.commit(proposal.parent);
  const folder = await reader.treeAt(tree, `${proposal.skillsRoot}/${proposal.skill}`);
  const before = folder === null ? [] : await textsOf(reader, folder);
  const files = new Map(before.map(({ path, content }) => [path, content]));
  for (const { path, content } of proposal.files) files.set(path, content);
  return contentKey([...files].map(([path, content]) => ({ path, content })));
}

async function textsOf(
  reader: ObjectReader,
  folderTree: string,
): Promise<{ path: string; content: string }[]> {
  const texts = [];
  for (const { path, id, mode } of await listTree(reader, folderTree, "")) {
    const bytes = mode.startsWith("100")
      ? await reader.blob(id, limits.VERIFY_BLOB_MAX_BYTES)
      : null;
    // What isn't text to compare is compared by its id.
    texts.push({ path, content: bytes === null ? id : Buffer.from(bytes).toString("utf8") });
  }
  return texts;
}

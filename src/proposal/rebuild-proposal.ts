/**
 * The trusted half's first step: from a Proposal, which may come from anywhere, make the tree
 * again on the actual parent and verify that. Nothing in the Proposal is believed (invariant 3).
 */

import { SkillprError } from "../core/errors.ts";
import { shortCommit } from "../core/text.ts";
import { hashObject, ObjectReader, writeObjects } from "../git/objects.ts";
import type { Quarantine } from "../git/quarantine.ts";
import type { Repository } from "../git/repository.ts";
import { listTree, replaceFolder } from "../git/skills-tree.ts";
import { type Finding, hasError } from "../verify/finding.ts";
import { buildFolderTree, type FolderFile, type GitObject } from "./folder-tree.ts";
import type { Proposal } from "./proposal.ts";
import { type VerifyExtras, verifyTrees } from "./verify-trees.ts";

/** `rebuilt`: verified; `stale`: the parent's folder isn't the one that was proposed on; `refused`: see findings. */
export type Rebuilt =
  | { status: "rebuilt"; tree: string; objects: readonly GitObject[]; findings: readonly Finding[] }
  | { status: "stale" }
  | { status: "refused"; findings: readonly Finding[] };

/**
 * The folder that a proposal's files make of the one that a tree has.
 * @throws SkillprError `input` when the proposal is for another object format
 */
async function proposedFolder(
  { objectFormat }: Repository,
  reader: ObjectReader,
  proposal: Proposal,
  parentTree: string,
) {
  if (proposal.tree.length !== (objectFormat === "sha1" ? 40 : 64)) {
    throw new SkillprError(
      "input",
      `the proposal for "${proposal.skill}" was made in a repository of another object format`,
      `this repository uses ${objectFormat}: make the proposal in a clone of it`,
    );
  }
  const folderPath = `${proposal.skillsRoot}/${proposal.skill}`;
  const parentFolder = await reader.treeAt(parentTree, folderPath);
  const files = new Map<string, FolderFile>();
  if (parentFolder !== null)
    for (const file of await listTree(reader, parentFolder, "")) files.set(file.path, file);
  const blobs: GitObject[] = [];
  for (const { path, content } of proposal.files) {
    const bytes = Buffer.from(content, "utf8");
    const id = hashObject("blob", bytes, objectFormat);
    files.set(path, { path, mode: "100644", id });
    blobs.push({ type: "blob", id, bytes });
  }
  return { blobs, ...buildFolderTree([...files.values()], objectFormat) };
}

/**
 * Whether a proposal still is what was sealed: on the very commit that it names, its files make its tree.
 * @throws SkillprError `input` naming what is wrong: another repository's, or changed since
 */
export async function requireSealed(repository: Repository, proposal: Proposal): Promise<void> {
  const { skill, parent, tree } = proposal;
  await using reader = new ObjectReader(repository.git, repository.objectFormat);
  if ((await reader.info(parent))?.type !== "commit") {
    throw new SkillprError(
      "input",
      `the proposal for "${skill}" was made on the commit ${shortCommit(parent)}, which this repository doesn't have`,
      "publish it in the repository that it was made for, in a checkout that has that commit",
    );
  }
  const parentTree = (await reader.commit(parent)).tree;
  const folder = await proposedFolder(repository, reader, proposal, parentTree);
  if (folder.tree === tree) return;
  throw new SkillprError(
    "input",
    `the files of the proposal for "${skill}" are not the ones that were sealed`,
    "somebody or something changed it after the review: review the session again, and look at who could",
  );
}

/**
 * @param parentTree root tree of the commit that the new commit will be on top of
 * @param quarantine where the objects are written for verification; the repository's own store stays as it is
 * @throws SkillprError `input` when the proposal is for another object format
 */
export async function rebuildProposal(
  repository: Repository,
  proposal: Proposal,
  parentTree: string,
  quarantine: Quarantine,
  extras: VerifyExtras = {},
): Promise<Rebuilt> {
  const { objectFormat } = repository;
  await using reader = new ObjectReader(repository.git, objectFormat);
  const folderPath = `${proposal.skillsRoot}/${proposal.skill}`;
  const folder = await proposedFolder(repository, reader, proposal, parentTree);
  const objects: GitObject[] = [...folder.blobs];
  if (folder.tree !== proposal.tree) return { status: "stale" };
  const root = await replaceFolder(reader, parentTree, folderPath, folder.tree);
  objects.push(...folder.objects, ...root.objects);

  const git = quarantine.gitFor(repository);
  await writeObjects(git, objects);
  await using quarantined = new ObjectReader(git, objectFormat);
  const { findings, changes } = await verifyTrees({
    git,
    reader: quarantined,
    skillsRoot: proposal.skillsRoot,
    profile: "proposal",
    parentTree,
    newTree: root.tree,
    extras,
  });
  const strays = changes.filter(({ path }) => !path.startsWith(`${folderPath}/`));
  if (strays.length > 0) throw new Error(`rebuilt ${folderPath} but ${strays[0]?.path} changed`);
  if (hasError(findings)) return { status: "refused", findings };
  return { status: "rebuilt", tree: root.tree, objects, findings };
}

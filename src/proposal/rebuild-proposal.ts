/**
 * The trusted half's first step: from a Proposal, which may come from anywhere, make the tree
 * again on the actual parent and verify that. Nothing in the Proposal is believed (invariant 3).
 */
import { SkillprError } from "../core/errors.ts";
import { hashObject, ObjectReader, writeObjects } from "../git/objects.ts";
import type { Quarantine } from "../git/quarantine.ts";
import type { Repository } from "../git/repository.ts";
import { listTree, replaceFolder } from "../git/skills-tree.ts";
import type { Finding } from "../verify/finding.ts";
import { buildFolderTree, type FolderFile, type GitObject } from "./folder-tree.ts";
import type { Proposal } from "./proposal.ts";
import { type VerifyExtras, verifyTrees } from "./verify-trees.ts";

/** `rebuilt`: verified; `stale`: the parent's folder isn't the one that was proposed on; `refused`: see findings. */
export type Rebuilt =
  | { status: "rebuilt"; tree: string; objects: readonly GitObject[]; findings: readonly Finding[] }
  | { status: "stale" }
  | { status: "refused"; findings: readonly Finding[] };

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
  if (proposal.tree.length !== (objectFormat === "sha1" ? 40 : 64)) {
    throw new SkillprError(
      "input",
      `the proposal for "${proposal.skill}" was made in a repository of another object format`,
      `this repository uses ${objectFormat}: make the proposal in a clone of it`,
    );
  }
  await using reader = new ObjectReader(repository.git, objectFormat);
  const folderPath = `${proposal.skillsRoot}/${proposal.skill}`;
  const parentFolder = await reader.treeAt(parentTree, folderPath);
  const files = new Map<string, FolderFile>();
  if (parentFolder !== null)
    for (const file of await listTree(reader, parentFolder, "")) files.set(file.path, file);
  const objects: GitObject[] = [];
  for (const { path, content } of proposal.files) {
    const bytes = Buffer.from(content, "utf8");
    const id = hashObject("blob", bytes, objectFormat);
    files.set(path, { path, mode: "100644", id });
    objects.push({ type: "blob", id, bytes });
  }
  const folder = buildFolderTree([...files.values()], objectFormat);
  if (folder.tree !== proposal.tree) return { status: "stale" };
  const root = await replaceFolder(reader, parentTree, folderPath, folder.tree);
  objects.push(...folder.objects, ...root.objects);

  const git = quarantine.gitFor(repository);
  await writeObjects(git, objects, quarantine.scratchDir);
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
  if (findings.some(({ level }) => level === "error")) return { status: "refused", findings };
  return { status: "rebuilt", tree: root.tree, objects, findings };
}

/** Makes the commit that is pushed: the skill's folder on the actual parent, verified there. */
import { ObjectReader, writeObjects } from "../git/objects.ts";
import { openQuarantine } from "../git/quarantine.ts";
import { replaceFolder } from "../git/skills-tree.ts";
import type { Proposal } from "../proposal/proposal.ts";
import { hasError, verifyTrees } from "../proposal/verify-trees.ts";
import type { Finding } from "../verify/finding.ts";
import { commitMessage } from "./commit-message.ts";
import { commitAsSkillpr } from "./identity.ts";
import type { PullRequestPlace } from "./pull-request-place.ts";

export interface BuiltTree {
  /** Root tree with the skill's folder replaced. */
  readonly tree: string;
  readonly findings: readonly Finding[];
}

/**
 * Lays the folder over a commit's tree and verifies the difference. The objects are kept only when
 * nothing is wrong with it.
 * @param folderTree tree whose objects are in the repository
 */
export async function buildTree(
  place: PullRequestPlace,
  skill: string,
  parentTree: string,
  folderTree: string,
): Promise<BuiltTree> {
  const { repository, skillsRoot, levels } = place;
  await using quarantine = await openQuarantine(repository);
  const git = quarantine.gitFor(repository);
  await using reader = new ObjectReader(git, repository.objectFormat);
  const path = `${skillsRoot}/${skill}`;
  const { tree, objects } = await replaceFolder(reader, parentTree, path, folderTree);
  await writeObjects(git, objects);
  const { findings } = await verifyTrees({
    git,
    reader,
    skillsRoot,
    profile: "proposal",
    parentTree,
    newTree: tree,
    extras: { levels },
  });
  if (!hasError(findings)) await writeObjects(repository.git, objects);
  return { tree, findings };
}

/** Commits a tree on its parents in skillpr's name. */
export async function buildCommit(
  { repository, messageTemplate }: PullRequestPlace,
  proposal: Proposal,
  tree: string,
  parents: readonly string[],
): Promise<string> {
  const message = commitMessage(messageTemplate, proposal);
  return commitAsSkillpr(repository.git, { tree, parents, message });
}

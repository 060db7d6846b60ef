import type { Git } from "./git.ts";
import { isAncestor } from "./refs.ts";
import { type Base, type Repository, resolveBase } from "./repository.ts";
import { diffTrees } from "./skills-tree.ts";

/**
 * What skills are proposed against (resolveBase), except that a skill which was accepted here and
 * not pushed yet counts: when the local branch of the same name is ahead of a remote's branch by
 * changes under the skills root alone, it is the base.
 * @param ref as written; null: the default
 */
export async function resolveAcceptedBase(
  repository: Repository,
  ref: string | null,
  skillsRoot: string,
): Promise<Base> {
  const base = await resolveBase(repository, ref ?? undefined);
  const [, name] = /^refs\/remotes\/[^/]+\/(.+)$/.exec(base.ref ?? "") ?? [];
  if (name === undefined) return base;
  const local = await branch(repository, `refs/heads/${name}`);
  if (local === null || local.commit === base.commit) return base;
  return (await isAheadBySkills(repository.git, base, local, skillsRoot)) ? local : base;
}

async function branch(repository: Repository, ref: string): Promise<Base | null> {
  const { git } = repository;
  const named = await git.text(["for-each-ref", "--format=%(refname)", ref]);
  return named === ref ? resolveBase(repository, ref) : null;
}

async function isAheadBySkills(git: Git, base: Base, local: Base, root: string): Promise<boolean> {
  if (!(await isAncestor(git, base.commit, local.commit))) return false;
  const changes = await diffTrees(git, base.tree, local.tree);
  return changes.every(({ path }) => path.startsWith(`${root}/`));
}

import { SkillprError } from "../core/errors.ts";

/**
 * The local branch that a base stands for: `refs/remotes/origin/main` is accepted into `main`.
 * @throws SkillprError `input` when the base is no branch (a detached HEAD, a tag, a commit)
 */
export function localBranchOf(baseRef: string | null): string {
  const [, local] = /^refs\/heads\/(.+)$/.exec(baseRef ?? "") ?? [];
  const [, remote] = /^refs\/remotes\/[^/]+\/(.+)$/.exec(baseRef ?? "") ?? [];
  const name = local ?? remote;
  if (name === undefined) {
    throw new SkillprError(
      "input",
      "the base is not a branch, so there is nothing to accept into",
      "name the branch with --base, e.g. --base main",
    );
  }
  return `refs/heads/${name}`;
}

/** Verification of a range of commits: a story of its own, so that `verify` loads nothing of publishing. */
import type { Config } from "./core/config.ts";
import { SkillprError } from "./core/errors.ts";
import { safeLine } from "./core/text.ts";
import { ObjectReader } from "./git/objects.ts";
import { mergeBase } from "./git/refs.ts";
import { type Repository, resolveBase } from "./git/repository.ts";
import { type TreeVerification, verifyTrees } from "./proposal/verify-trees.ts";
import type { SkillSummary } from "./skills/skill-summary.ts";
import type { Profile } from "./verify/change.ts";

/** Verifies what lies between the merge base of two revisions and the second. */
export async function verifyRange(
  place: {
    readonly repository: Repository;
    readonly config: Pick<Config, "base" | "rules" | "skillsRoot">;
  },
  range: {
    base: string | null;
    head: string;
    profile: Profile;
    /** Whose names a new skill would hide. */
    userSkills?: readonly Pick<SkillSummary, "name" | "path">[];
  },
): Promise<TreeVerification> {
  const { repository, config } = place;
  const base = await resolveBase(repository, range.base ?? config.base ?? undefined);
  const head = await resolveBase(repository, range.head);
  if (base.commit === head.commit && range.base === null) {
    throw new SkillprError(
      "usage",
      `the base and ${safeLine(range.head)} are the same commit, so there is nothing to verify`,
      "name where the range starts, e.g. --base HEAD~1 or --base origin/main",
    );
  }
  await using reader = new ObjectReader(repository.git, repository.objectFormat);
  const fork =
    (await mergeBase(repository.git, base.commit, head.commit)) ??
    (await shallowParent(repository, reader, base.commit, head.commit));
  if (fork === null) {
    throw new SkillprError(
      "input",
      `${safeLine(range.head)} and the base share no history here`,
      repository.isShallow
        ? "the clone is shallow, fetch more of it: git fetch --unshallow (with actions/checkout: fetch-depth: 0)"
        : "name another --base",
    );
  }
  return await verifyTrees({
    git: repository.git,
    reader,
    skillsRoot: config.skillsRoot,
    profile: range.profile,
    parentTree: (await reader.commit(fork)).tree,
    newTree: head.tree,
    extras: { levels: config.rules, userSkills: range.userSkills ?? [] },
  });
}

/**
 * The base, where a shallow clone has cut the line between it and a head that was made on it: the head
 * itself still names its parents. So is the merge that a pull request's check looks at.
 */
async function shallowParent(
  { isShallow }: Repository,
  reader: ObjectReader,
  base: string,
  head: string,
): Promise<string | null> {
  if (!isShallow) return null;
  return (await reader.commit(head)).parents.includes(base) ? base : null;
}

/** Verification of a range of commits: a story of its own, so that `verify` loads nothing of publishing. */
import type { Config } from "./core/config.ts";
import { SkillprError } from "./core/errors.ts";
import { safeLine } from "./core/text.ts";
import { ObjectReader } from "./git/objects.ts";
import { mergeBase } from "./git/refs.ts";
import { type Base, type Repository, resolveBase } from "./git/repository.ts";
import type { TreeVerification } from "./proposal/verify-trees.ts";
import type { SkillSummary } from "./skills/skill-summary.ts";
import type { Profile } from "./verify/change.ts";

/**
 * Verifies what lies between the merge base of two revisions and the second.
 * @param range `base` null: the config's, else the default branch; `head`: any revision
 * @returns every changed path, and what the rules of the profile say
 * @throws SkillprError `usage` when both are the same commit and no base was named, `input` when one can't be found
 *   or they share no history here, `git`
 */
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
  // Open from here on, so that all that follows shares its process.
  await using reader = new ObjectReader(repository.git, repository.objectFormat);
  reader.start();
  const looking = bothEnds(repository, range.base ?? config.base, range.head);
  looking.catch(() => {}); // it is heard below, where it is awaited
  // The rules are loaded while git answers.
  const { verifyTrees } = await import("./proposal/verify-trees.ts");
  const [base, head] = await looking;
  if (base.commit === head.commit && range.base === null) {
    throw new SkillprError(
      "usage",
      `the base and ${safeLine(range.head)} are the same commit, so there is nothing to verify`,
      "name where the range starts, e.g. --base HEAD~1 or --base origin/main",
    );
  }
  const fork =
    (await nearAncestor(reader, base.commit, head.commit)) ??
    (await mergeBase(repository.git, base.commit, head.commit));
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

/** Both are looked up at once; of two that are wrong, the base is told. */
async function bothEnds(
  repository: Repository,
  base: string | null,
  head: string,
): Promise<[Base, Base]> {
  const looking = resolveBase(repository, head, "head");
  looking.catch(() => {}); // it is heard below, where it is awaited
  return [await resolveBase(repository, base ?? undefined), await looking];
}

/**
 * The base, when it is the head itself or one of its parents: then nothing else is their merge base, and git
 * needn't be started to say so. A shallow clone may have cut the line between a base and a head that was made
 * on it (so is the merge that a pull request's check looks at): the head itself still names its parents.
 */
async function nearAncestor(
  reader: ObjectReader,
  base: string,
  head: string,
): Promise<string | null> {
  if (base === head) return base;
  return (await reader.commit(head)).parents.includes(base) ? base : null;
}

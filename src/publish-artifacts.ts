/**
 * The trusted half of a fan-out: the folder that many reviewing jobs left is read, proposals of one skill are
 * joined, and each that is left is published by itself, so that a bad one keeps none of the others back.
 */
import { SkillprError } from "./core/errors.ts";
import { PUBLISH_PROPOSALS_MAX } from "./core/limits.ts";
import { count } from "./core/text.ts";
import { failed, type Outcome, published } from "./outcome.ts";
import { type Joined, joinProposals } from "./proposal/join-proposals.ts";
import type { Proposal } from "./proposal/proposal.ts";
import { collectProposals } from "./proposal/proposal-files.ts";
import type { Place } from "./proposals.ts";
import { type PublishWith, publishSealed, requireUsable } from "./publish-sealed.ts";
import { isSealedSkillbook, publishSkillbooks } from "./publish-skillbooks.ts";

export interface PublishedArtifacts extends Pick<Joined, "joined" | "conflicts"> {
  /** Of each proposal that was kept, in the order of publishing. */
  readonly published: readonly { readonly proposal: Proposal; readonly outcome: Outcome }[];
  /** Of each file that is no proposal for this repository. */
  readonly unusable: readonly { readonly file: string; readonly outcome: Outcome }[];
  /** Paths of the files named `otherName`. */
  readonly others: readonly string[];
}

/**
 * @param dir folder with the jobs' folders, or one job's
 * @param options.otherName name of files beside the proposals whose paths are wanted too
 * @throws SkillprError `input` when the folder can't be read or holds too much; `config`, `git`
 */
export async function publishArtifacts(
  place: Place,
  dir: string,
  options: Omit<PublishWith, "areApart"> & { readonly otherName: string },
): Promise<PublishedArtifacts> {
  const { proposals, damaged, others } = await collectProposals(dir, options.otherName);
  if (proposals.length > PUBLISH_PROPOSALS_MAX)
    throw new SkillprError(
      "input",
      `${dir} holds ${count(proposals.length, "proposal")}; at most ${PUBLISH_PROPOSALS_MAX} are published at once`,
      "publish the artifacts of fewer jobs at once",
    );
  const unusable = damaged.map(({ file, error }) => ({ file, outcome: failed(error) }));
  const usable: Proposal[] = [];
  for (const proposal of proposals) {
    // Before they are compared: a forged one must not push a true one aside.
    const error = await whyUnusable(place, proposal);
    if (error === null) usable.push(proposal);
    else unusable.push({ file: proposal.skill, outcome: failed(error) });
  }
  const skillbooks = usable.filter(isSealedSkillbook);
  const { kept, conflicts, joined } = joinProposals(
    usable.filter((proposal) => !skillbooks.includes(proposal)),
  );
  const results = await publishSealed(place, kept, { ...options, areApart: true });
  const publishedEach = results.map((result) => ({
    proposal: result.proposal,
    outcome: published([result], { findings: [], diffs: new Map() }),
  }));
  const together = { published: publishedEach, joined, conflicts, unusable, others };
  if (skillbooks.length === 0) return together;
  const one = await publishSkillbooks(place, skillbooks, options.pullRequests);
  return {
    ...together,
    published: [...publishedEach, { proposal: one.kept, outcome: one.outcome }],
    joined: [...joined, ...one.joined.map((proposal) => ({ proposal, kept: one.kept }))],
  };
}

async function whyUnusable(place: Place, proposal: Proposal): Promise<SkillprError | null> {
  try {
    await requireUsable(place, proposal);
    return null;
  } catch (error) {
    if (error instanceof SkillprError && error.code === "input") return error;
    throw error;
  }
}

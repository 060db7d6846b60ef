/** The trusted half of a split run: publishes what another process sealed, and believes none of it. */
import { SkillprError } from "./core/errors.ts";
import { safeLine, shortCommit } from "./core/text.ts";
import { resolveAcceptedBase } from "./git/accepted-base.ts";
import { ObjectReader } from "./git/objects.ts";
import { type Repository, stateDir } from "./git/repository.ts";
import { pruneWorkspaces } from "./git/workspace.ts";
import { type Outcome, published } from "./outcome.ts";
import type { Proposal } from "./proposal/proposal.ts";
import { readProposals } from "./proposal/proposal-files.ts";
import { requireSealed } from "./proposal/rebuild-proposal.ts";
import type { Place } from "./proposals.ts";
import { listDeclined } from "./publish/declined.ts";
import { type Published, publishProposals } from "./publish/publish-proposals.ts";
import type { PullRequests } from "./publish/pull-requests.ts";
import { isSealedSkillbook, publishSkillbooks } from "./publish-skillbooks.ts";
import { readTemplate } from "./templates.ts";

export interface PublishWith {
  /** templates/commit-message.txt */
  readonly messageTemplate: string;
  /** Absent: what is published stays on local branches. */
  readonly pullRequests?: PullRequests | undefined;
  /** The proposals are of several reviews: one that is refused keeps none of the others back. */
  readonly areApart?: boolean;
}

/**
 * Publishes sealed proposals from a folder, trusting none of it.
 * @param dir what `review` wrote with `outDir`: a folder for each proposal
 * @returns one Outcome for all of them; its findings are those of this verification
 * @throws SkillprError `input` when the folder or a proposal in it can't be used here; `config` where publishing
 *   is switched off
 */
export async function publishFolder(
  place: Place,
  dir: string,
  using: PublishWith,
): Promise<Outcome> {
  const proposals = await readProposals(dir);
  const skillbooks = proposals.filter(isSealedSkillbook);
  const others = proposals.filter((proposal) => !skillbooks.includes(proposal));
  for (const proposal of skillbooks) await requireUsable(place, proposal);
  const results = await publishSealed(place, others, using);
  // Findings are those of this verification: what the folder claims of itself is not repeated.
  const outcome = published(results, { findings: [], diffs: new Map() });
  if (skillbooks.length === 0) return outcome;
  const one = await publishSkillbooks(place, skillbooks, using.pullRequests);
  return others.length === 0 ? one.outcome : together(outcome, one.outcome);
}

/** The Skillbook's and the other skills': the graver of both, with all that either did. */
function together(skills: Outcome, skillbook: Outcome): Outcome {
  const error = skills.error ?? skillbook.error;
  const isRefused = [skills, skillbook].some(({ status }) => status === "refused");
  return {
    ...skills,
    status: isRefused ? "refused" : skills.status,
    operations: [...skills.operations, ...skillbook.operations],
    proposals: [...skills.proposals, ...skillbook.proposals],
    findings: [...skills.findings, ...skillbook.findings],
    evidence: [...skills.evidence, ...skillbook.evidence],
    ...(error !== undefined && { error }),
  };
}

/**
 * Publishes proposals that another process sealed, trusting none of them.
 * @throws SkillprError `input` when one can't be used here; `config` where publishing is switched off
 */
export async function publishSealed(
  place: Place,
  proposals: readonly Proposal[],
  using: PublishWith,
): Promise<Published[]> {
  const { repository, config } = place;
  if (config.publish === "none") {
    throw new SkillprError(
      "config",
      "publishing is switched off here (`publish: none`)",
      "change that in .skillpr.yml or in your own config",
    );
  }
  await pruneWorkspaces(repository);
  const { skillsRoot, base: wanted, rules: levels } = config;
  const base = await resolveAcceptedBase(repository, wanted, skillsRoot);
  for (const proposal of proposals) await requireUsable(place, proposal);
  const declined = await listDeclined(stateDir(repository));
  const skillbookTemplate = readTemplate("skillbook-commit-message.txt");
  const at = { repository, base, declined, levels, skillbookTemplate };
  const target = { ...using, ...at, isDryRun: false };
  return publishProposals(proposals, target);
}

/** @throws SkillprError `input` when it is another repository's or another root's, or was changed since it was sealed */
export async function requireUsable(
  { repository, config }: Place,
  proposal: Proposal,
): Promise<void> {
  const { skill, skillsRoot } = proposal;
  if (skillsRoot !== config.skillsRoot)
    throw new SkillprError(
      "input",
      `the proposal for "${skill}" is for the skills root ${safeLine(skillsRoot)}, not ${config.skillsRoot}`,
      `name it with --skills-root if that is where skills belong here`,
    );
  await requireSealed(repository, proposal);
  if (proposal.continues !== undefined) await requireCommit(repository, proposal.continues, skill);
}

/** The tip that a Skillbook's proposal goes on from is not in the base's history. */
async function requireCommit(repository: Repository, id: string, skill: string): Promise<void> {
  await using reader = new ObjectReader(repository.git, repository.objectFormat);
  if ((await reader.info(id))?.type === "commit") return;
  throw new SkillprError(
    "input",
    `the proposal for "${skill}" goes on from the commit ${shortCommit(id)}, which this repository doesn't have`,
    "fetch the branch that was open when it was made, then publish it again",
  );
}

/** Looks at the remote: what planPullRequest decides from. Reads only. */

import { SkillprError } from "../core/errors.ts";
import * as limits from "../core/limits.ts";
import { safeLine } from "../core/text.ts";
import type { ObjectReader } from "../git/objects.ts";
import { type Ref, shortRef } from "../git/refs.ts";
import { PROPOSAL_REFS } from "../git/repository.ts";
import { diffTrees } from "../git/skills-tree.ts";
import { contentKeyOfTree } from "./content-of.ts";
import { fetchHead, fetchMissing } from "./fetch-missing.ts";
import type { PullRequest } from "./github-answers.ts";
import { isOurs } from "./identity.ts";
import {
  branchRef,
  describeBranch,
  isOpen,
  type ProposalBranch,
  type ProposalContext,
} from "./open-proposals.ts";
import type { PullRequestSituation } from "./plan-pull-request.ts";
import type { PullRequestPlace } from "./pull-request-place.ts";
import type { OfferedSkillbook, RemoteSkillbook } from "./skillbook-offer.ts";

/** What is proposed. */
export interface Offered {
  readonly skill: string;
  /** Tree of its folder. */
  readonly folderTree: string;
  /** The folder at the base that it was reviewed against; null when there was none. */
  readonly startFolder: string | null;
  /** See skills/content-key.ts; absent: the tree's objects are here, and it is worked out. */
  readonly contentKey?: string;
}

/** What is proposed, where that depends on what the remote has. */
export interface Offering {
  readonly skill: string;
  readonly offer: (remote: RemoteSkillbook) => Promise<OfferedSkillbook>;
}

export interface Seen extends PullRequestSituation {
  /** The base as it is on the remote now. */
  readonly context: ProposalContext;
  /** Of the Skillbook: the marks that had waited there. */
  readonly waited?: Pick<OfferedSkillbook, "marks" | "marksTip">;
}

/** A branch of this name leaves no room for those below it. */
const PREFIX_ALONE = PROPOSAL_REFS.slice(0, -1);

/** @throws SkillprError `git`, `github`; `input` when the base isn't on the remote */
export async function seePullRequest(
  place: PullRequestPlace,
  reader: ObjectReader,
  given: Offered | Offering,
): Promise<Seen> {
  const { targetRemote, sourceRemote, base, config } = place;
  const ref = branchRef(given.skill);
  const baseRef = `refs/heads/${base}`;
  // Where things are comes before everything else: a push expects exactly what was seen here.
  const names = [PREFIX_ALONE, PROPOSAL_REFS];
  const isOne = targetRemote === sourceRemote;
  const refs = await sourceRemote.list(isOne ? [baseRef, ...names] : names);
  const bases = isOne ? refs : await targetRemote.list([baseRef]);
  const at = (name: string) => refs.find((one) => one.name === name)?.id ?? null;
  const baseCommit = bases.find(({ name }) => name === baseRef)?.id;
  if (baseCommit === undefined) throw baseMissing(place);
  const tip = at(ref);
  await fetchMissing(targetRemote, reader, [baseCommit]);
  await fetchMissing(sourceRemote, reader, tip === null ? [] : [tip]);

  const { tree } = await reader.commit(baseCommit);
  const { repository, skillsRoot } = place;
  const context = { repository, reader, base: { commit: baseCommit, tree }, skillsRoot };
  const pullRequests = await pullRequestsOf(place, ref);
  const others = refs.filter(({ name }) => name.startsWith(PROPOSAL_REFS) && name !== ref);
  // What is open already isn't counted; and without as many branches there can't be as many pull requests.
  const isOpen = pullRequests.some(({ state }) => state === "open");
  const mayBeTooMany = !isOpen && others.length >= config.maxOpen;
  const folder = `${skillsRoot}/${given.skill}`;
  const branch = tip === null ? null : await describeBranch(context, ref, tip);
  const proposed = openOnBranch(branch, pullRequests);
  const baseFolder = await reader.treeAt(tree, folder);
  const about = { context, open: proposed, pulls: pullRequests };
  const skillbook = "offer" in given ? await given.offer(about) : null;
  const offered: Offered =
    "offer" in given
      ? { skill: given.skill, folderTree: skillbook?.folderTree ?? "", startFolder: baseFolder }
      : given;
  const { earlier = [] } = skillbook ?? {};
  return {
    ...offered,
    ...(skillbook !== null && { waited: skillbook }),
    ref,
    context,
    base: { branch: base, commit: baseCommit, folderTree: baseFolder },
    branch,
    strayPath: branch === null ? null : await strayPath(context, branch),
    isMadeAgain: skillbook !== null && (await leftAnotherBase(context, proposed, folder)),
    signsCommits: config.signCommits,
    isOnBranch: branch !== null && (await holds(context, branch, offered)),
    nameConflict: conflictIn(refs, ref),
    pullRequests,
    declinedIn: await declinedIn(place, context, offered, { pullRequests, earlier }),
    openCount: mayBeTooMany ? await countOpen(place, ref) : 0,
    maxOpen: config.maxOpen,
    stopLabel: config.stopLabel,
  };
}

/** A ref that can't be there beside ours. */
function conflictIn(refs: readonly Ref[], ref: string): string | null {
  const isInTheWay = (name: string) => name === PREFIX_ALONE || name.startsWith(`${ref}/`);
  return refs.find(({ name }) => isInTheWay(name))?.name ?? null;
}

/** The branch, where it proposes something that nobody else worked on and nobody closed. */
function openOnBranch(
  branch: ProposalBranch | null,
  pullRequests: readonly PullRequest[],
): ProposalBranch | null {
  if (branch === null || !isOpen(branch) || branch.foreign !== null) return null;
  const isClosed = pullRequests[0]?.state !== "open" && pullRequests[0]?.head.sha === branch.tip;
  return isClosed ? null : branch;
}

/** The base's version of the folder isn't the one that the branch left. */
async function leftAnotherBase(
  { reader, base }: ProposalContext,
  branch: ProposalBranch | null,
  folder: string,
): Promise<boolean> {
  if (branch === null || branch.forkPoint === null) return false;
  const { tree } = await reader.commit(branch.forkPoint);
  return (await reader.treeAt(tree, folder)) !== (await reader.treeAt(base.tree, folder));
}

/** One of our commits on the branch has exactly this. */
async function holds(
  { reader, skillsRoot }: ProposalContext,
  { commits, skill }: ProposalBranch,
  { folderTree }: Offered,
): Promise<boolean> {
  for (const commit of commits.filter(isOurs))
    if ((await reader.treeAt(commit.tree, `${skillsRoot}/${skill}`)) === folderTree) return true;
  return false;
}

/** A path beside the skill's folder that a branch of ours changes, as a run that was stopped while it checked one would leave it. */
async function strayPath(
  { repository, reader, skillsRoot }: ProposalContext,
  { commits, foreign, forkPoint, skill, tree }: ProposalBranch,
): Promise<string | null> {
  // Of a shallow history it can't be told where the branch began.
  if (commits.length === 0 || foreign !== null || forkPoint === null || repository.isShallow)
    return null;
  const start = await reader.commit(forkPoint);
  const changes = await diffTrees(repository.git, start.tree, tree);
  const stray = changes.find(({ path }) => !path.startsWith(`${skillsRoot}/${skill}/`));
  return stray?.path ?? null;
}

/** The base as it is on the remote now. @throws SkillprError `git`; `input` when it isn't there */
export async function remoteBase(
  place: PullRequestPlace,
  reader: ObjectReader,
): Promise<{ readonly commit: string; readonly tree: string }> {
  const ref = `refs/heads/${place.base}`;
  const at = (await place.targetRemote.list([ref])).find(({ name }) => name === ref);
  if (at === undefined) throw baseMissing(place);
  await fetchMissing(place.targetRemote, reader, [at.id]);
  return { commit: at.id, tree: (await reader.commit(at.id)).tree };
}

function baseMissing({ base, target }: PullRequestPlace): SkillprError {
  return new SkillprError(
    "input",
    `the base branch ${safeLine(base)} is not in ${target.owner}/${target.name}`,
    "push it first, or name one that is there with --base",
  );
}

/** Those of one branch, newest first. @param ref full name @throws SkillprError `github` */
export async function pullRequestsOf(place: PullRequestPlace, ref: string): Promise<PullRequest[]> {
  const { github, target, source } = place;
  const branch = shortRef(ref);
  const isOurs = ({ head }: PullRequest) =>
    head.branch === branch && (head.repositoryId === source.id || head.repositoryId === null);
  // GitHub's filter knows owners, not repositories: of two with one owner it may mean the other.
  const isSibling = source.id !== target.id && source.owner === target.owner;
  const all = limits.PULL_REQUEST_PAGES_MAX;
  const listed = isSibling
    ? await github.pullRequests(target, { state: "all" }, all)
    : await github.pullRequests(target, { state: "all", head: `${source.owner}:${branch}` }, 1);
  return listed.filter(isOurs);
}

/** Open pull requests of other proposals. */
async function countOpen(place: PullRequestPlace, ref: string): Promise<number> {
  const { github, target, source } = place;
  const open = await github.pullRequests(target, { state: "open" }, limits.PULL_REQUEST_PAGES_MAX);
  const isProposal = ({ head }: PullRequest) =>
    head.repositoryId === source.id &&
    `refs/heads/${head.branch}`.startsWith(PROPOSAL_REFS) &&
    `refs/heads/${head.branch}` !== ref;
  return open.filter(isProposal).length;
}

/** The newest pull request that was closed without a merge and held this content at one of its commits. */
async function declinedIn(
  place: PullRequestPlace,
  context: ProposalContext,
  offered: Offered,
  {
    pullRequests,
    earlier,
  }: { readonly pullRequests: readonly PullRequest[]; readonly earlier: readonly string[] },
): Promise<PullRequest | null> {
  const { reader } = context;
  const closed = pullRequests.filter(({ state }) => state === "closed");
  if (closed.length === 0) return null;
  const wanted = offered.contentKey ?? (await contentKeyOfTree(reader, offered.folderTree));
  for (const pull of closed.slice(0, limits.CLOSED_PULL_REQUESTS_MAX)) {
    const commits = await commitsOf(place, context, pull);
    for (const commit of commits) {
      const { tree } = await reader.commit(commit);
      const folder = await reader.treeAt(tree, `${place.skillsRoot}/${offered.skill}`);
      if (folder === null) continue;
      // As it was offered then: with the marks that waited, on the base of that time.
      if (earlier.includes(folder)) return pull;
      if ((await contentKeyOfTree(reader, folder)) === wanted) return pull;
    }
  }
  return null;
}

/** Our commits of a closed pull request, which GitHub keeps although the branch may be gone. */
async function commitsOf(
  place: PullRequestPlace,
  { repository, reader, base }: ProposalContext,
  pull: PullRequest,
): Promise<string[]> {
  if (!(await fetchHead(place, reader, pull))) return [];
  const count = `--max-count=${limits.CLOSED_COMMITS_MAX}`;
  const listing = await repository.git.text(["rev-list", count, pull.head.sha, `^${base.commit}`]);
  const ours: string[] = [];
  for (const id of listing.split("\n").filter((line) => line !== ""))
    if (isOurs(await reader.commit(id))) ours.push(id);
  return ours;
}

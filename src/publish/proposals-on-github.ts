/** What people decided and said about proposals on GitHub: for reviewers that have no token to look there themselves. */
import * as limits from "../core/limits.ts";
import { cut } from "../core/text.ts";
import { ObjectReader } from "../git/objects.ts";
import { checkedOutAt, shortRef } from "../git/refs.ts";
import { PROPOSAL_REFS } from "../git/repository.ts";
import { isSkillName } from "../skills/skill-name.ts";
import { contentKeyOfTree, descriptionOfTree } from "./content-of.ts";
import { type Declined, listDeclined, recordDeclined } from "./declined.ts";
import type { PullRequest } from "./github-answers.ts";
import { findProposalBranch, isOpen, type ProposalContext } from "./open-proposals.ts";
import { isStopped } from "./plan-pull-request.ts";
import type { PullRequestPlace } from "./pull-request-place.ts";
import { rejectProposal } from "./reject.ts";
import { folderOfHead, takenBack } from "./reopened.ts";
import { type Feedback, readFeedback } from "./review-feedback.ts";

export interface OpenOnGithub {
  readonly skill: string;
  readonly number: number;
  /** Of owners, members and collaborators, oldest first; cut. */
  readonly words: readonly string[];
  /** What of it nobody worked in yet; none where the stop label is set. */
  readonly waiting: readonly Feedback[];
}

export interface ProposalsOnGithub {
  readonly open: readonly OpenOnGithub[];
  /** Closed without a merge; the reason is what was said, the last words first. */
  readonly declined: readonly Declined[];
}

const BRANCH = shortRef(PROPOSAL_REFS);

/**
 * Looks through the newest proposals, and through what was said about at most CONTEXT_PROPOSALS_MAX of each kind.
 * @throws SkillprError `github`, `git`
 */
export async function readProposalsOnGithub(place: PullRequestPlace): Promise<ProposalsOnGithub> {
  const ours = await readProposals(place, "all");
  const ofState = (wanted: PullRequest["state"]) =>
    ours.filter(({ state }) => state === wanted).slice(0, limits.CONTEXT_PROPOSALS_MAX);
  const open: OpenOnGithub[] = [];
  for (const pull of ofState("open")) open.push(await openAs(place, pull));
  const declined: Declined[] = [];
  for (const pull of ofState("closed")) {
    const one = await declinedAs(place, pull);
    if (one !== null && !(await isTakenBack(place, one, ours))) declined.push(one);
  }
  return { open, declined };
}

/**
 * Open proposals and what is to be worked in there.
 * @param named a pull request's number or a skill; null: all
 * @throws SkillprError `github`
 */
export async function readOpenOnGithub(
  place: PullRequestPlace,
  named: string | null,
): Promise<OpenOnGithub[]> {
  const ours = await readProposals(place, "open");
  const isMeant = (pull: PullRequest) => named === null || isNamed(toNames(pull), named);
  const open: OpenOnGithub[] = [];
  for (const pull of ours.filter(isMeant).slice(0, limits.CONTEXT_PROPOSALS_MAX))
    open.push(await openAs(place, pull));
  return open;
}

/** @param named `12`, `#12`, a skill, or its branch */
export function isNamed(
  { skill, number }: Pick<OpenOnGithub, "skill" | "number">,
  named: string,
): boolean {
  const name = named.replace(/^(?:#|auto-skill\/)/, "");
  return String(number) === name || skill === name;
}

function toNames(pull: PullRequest) {
  return { skill: skillOf(pull), number: pull.number };
}

/** Pull requests of proposals, newest first; a request per page. @throws SkillprError `github` */
export async function readProposals(
  { github, target, source }: PullRequestPlace,
  state: "open" | "all",
): Promise<PullRequest[]> {
  const all = await github.pullRequests(target, { state }, limits.PULL_REQUEST_PAGES_MAX);
  return all.filter(
    ({ head }) =>
      (head.repositoryId === source.id || head.repositoryId === null) &&
      head.branch.startsWith(BRANCH) &&
      isSkillName(head.branch.slice(BRANCH.length)),
  );
}

function skillOf({ head }: PullRequest): string {
  return head.branch.slice(BRANCH.length);
}

async function openAs(place: PullRequestPlace, pull: PullRequest): Promise<OpenOnGithub> {
  const { words, waiting } = await readFeedback(place, pull);
  const isLeftAlone = isStopped(pull, place.config.stopLabel);
  if (isLeftAlone && waiting.length > 0)
    place.onNote(`#${pull.number} has the label "${place.config.stopLabel}", and is left alone`);
  return { ...toNames(pull), words: lastOf(words), waiting: isLeftAlone ? [] : waiting };
}

function lastOf(words: readonly string[]): string[] {
  return words
    .slice(-limits.CONTEXT_WORDS_MAX)
    .map((one) => cut(one, limits.CONTEXT_WORD_MAX_CHARS));
}

/** Why a pull request was closed, as far as anybody who may decide said it: the last words first. */
export async function whyDeclined(place: PullRequestPlace, pull: PullRequest): Promise<string> {
  const { words } = await readFeedback(place, pull);
  const said = lastOf(words).toReversed().join(" — before that: ");
  return cut(said, limits.CONTEXT_WORD_MAX_CHARS) || `pull request #${pull.number} was closed`;
}

/**
 * Remembers what was declined on GitHub and isn't known here, and removes its branch here: at most
 * DECLINED_LEARNED_MAX, the newest.
 * @param pulls of any state and any branch
 * @param context the base as it is known here
 * @throws SkillprError `github`, `git`
 */
export async function learnDeclined(
  place: PullRequestPlace,
  context: ProposalContext,
  pulls: readonly PullRequest[],
): Promise<void> {
  const { repository, stateDir } = place;
  const known = await listDeclined(stateDir);
  const commits = new Set(known.map(({ commit }) => commit));
  const keys = new Set(known.map(({ contentKey }) => contentKey));
  const isNew = ({ state, head }: PullRequest) => state === "closed" && !commits.has(head.sha);
  for (const pull of pulls.filter(isNew).slice(0, limits.DECLINED_LEARNED_MAX)) {
    const one = await declinedAs(place, pull);
    if (one === null || keys.has(one.contentKey)) continue;
    if (await isTakenBack(place, one, pulls)) continue;
    const { skill, contentKey, description, reason } = one;
    await recordDeclined(stateDir, one);
    place.onNote(`#${pull.number} was closed without a merge: ${skill} is not proposed again`);
    const branch = await findProposalBranch(context, skill);
    if (branch === null || !isOpen(branch) || branch.foreign !== null) continue;
    const isSame = (await contentKeyOfTree(context.reader, branch.folderTree)) === contentKey;
    if (!isSame || (await checkedOutAt(repository.git, branch.ref)) !== null) continue;
    const { pullRequest } = one;
    const why = { contentKey, description, reason, pullRequest };
    await rejectProposal({ repository, branch, ...why, stateDir });
  }
}

/** The same content is open in another one. */
async function isTakenBack(
  place: PullRequestPlace,
  one: Declined,
  pulls: readonly PullRequest[],
): Promise<boolean> {
  const { repository } = place;
  await using reader = new ObjectReader(repository.git, repository.objectFormat);
  return (await takenBack(place, reader, [one], pulls)).length > 0;
}

/** Null where its commit can't be had any more. */
async function declinedAs(place: PullRequestPlace, pull: PullRequest): Promise<Declined | null> {
  const { repository } = place;
  const { sha } = pull.head;
  const skill = skillOf(pull);
  await using reader = new ObjectReader(repository.git, repository.objectFormat);
  const folder = await folderOfHead(place, reader, pull, skill);
  if (folder === null) return null;
  const { committer } = await reader.commit(sha);
  return {
    skill,
    contentKey: await contentKeyOfTree(reader, folder),
    description: await descriptionOfTree(reader, folder),
    reason: await whyDeclined(place, pull),
    commit: sha,
    pullRequest: pull.number,
    at: committer.date ?? "",
  };
}

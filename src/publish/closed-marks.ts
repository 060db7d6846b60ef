/**
 * Marks that pull requests had brought which were closed without a merge: who turns the text down doesn't turn
 * down what sessions observed. The closed pull requests themselves say which those are, so that any clone
 * finds them, and the next change of the Skillbook brings them.
 */
import { SkillprError } from "../core/errors.ts";
import { CLOSED_PULL_REQUESTS_MAX } from "../core/limits.ts";
import { ObjectReader } from "../git/objects.ts";
import { marksBetween, shareOut } from "../skills/marks-between.ts";
import type { TagOperation } from "../skills/operation.ts";
import { rebaseSkillbook } from "../skills/rebase-skillbook.ts";
import type { Skillbook } from "../skills/skillbook.ts";
import { SKILLBOOK_FOLDER } from "../skills/skillbook-files.ts";
import { appliedMarks } from "./applied-marks.ts";
import type { PullRequest } from "./github-answers.ts";
import {
  hashOf,
  isAmong,
  isMarksName,
  keyOfMarks,
  keysOf,
  type MarksBatch,
  namesOf,
} from "./marks-branch.ts";
import { branchRef, describeBranch, type ProposalContext } from "./open-proposals.ts";
import type { PullRequestPlace } from "./pull-request-place.ts";
import { pullRequestsOf, remoteBase } from "./see-pull-request.ts";
import { readSkillbookAt } from "./skillbook-at.ts";
import { marksIn } from "./skillbook-message.ts";

/** The marks of one closed pull request, as one batch with the names of all that it had. */
export interface ClosedMarks extends MarksBatch {
  readonly number: number;
  /** The Skillbook that the pull request had left. */
  readonly from: Skillbook;
}

/** Those of all closed pull requests that the base doesn't have. @throws SkillprError `git`, `github`, `input` */
export async function returnedMarks(place: PullRequestPlace): Promise<MarksBatch[]> {
  const { repository, skillsRoot } = place;
  const pulls = await pullRequestsOf(place, branchRef(SKILLBOOK_FOLDER));
  if (pulls.every(({ state }) => state !== "closed")) return [];
  await using reader = new ObjectReader(repository.git, repository.objectFormat);
  const base = await remoteBase(place, reader);
  const closed = await closedMarks(place, { repository, reader, base, skillsRoot }, pulls);
  const now = await readSkillbookAt(reader, base.tree, skillsRoot);
  return freshClosedMarks(place, closed, { pulls, tips: [base.commit], now, waiting: [] });
}

/**
 * @param context with the base as it is on the remote
 * @param pulls of the Skillbook's branch, the newest first
 * @throws SkillprError `git`; `input` when a Skillbook can't be read
 */
export async function closedMarks(
  place: PullRequestPlace,
  context: ProposalContext,
  pulls: readonly PullRequest[],
): Promise<ClosedMarks[]> {
  const closed = pulls.filter(({ state }) => state === "closed").slice(0, CLOSED_PULL_REQUESTS_MAX);
  const found: ClosedMarks[] = [];
  for (const pull of closed) {
    const one = (await isHad(place, pull)) ? await marksOfOne(place, context, pull) : null;
    if (one !== null) found.push(one);
  }
  return found;
}

async function marksOfOne(
  place: PullRequestPlace,
  context: ProposalContext,
  { number, head }: PullRequest,
): Promise<ClosedMarks | null> {
  const { skillsRoot, repository } = place;
  const { reader, base } = context;
  const ref = branchRef(SKILLBOOK_FOLDER);
  let branch = await describeBranch(context, ref, head.sha);
  // What it changed is told from where it began, which a shallow clone may not have.
  if (branch.forkPoint === null && repository.isShallow) {
    await place.targetRemote.unshallow(head.sha);
    branch = await describeBranch(context, ref, head.sha);
  }
  if (branch.forkPoint === null || branch.folderTree === null) return null;
  const bookAt = (tree: string) => readSkillbookAt(reader, tree, skillsRoot);
  const from = await bookAt((await reader.commit(branch.forkPoint)).tree);
  const now = await bookAt(base.tree);
  const made = rebaseSkillbook(from, await bookAt(branch.tree), now);
  const operations = marksBetween(now, made.skillbook);
  if (operations.length === 0) return null;
  const messages = branch.commits.map(({ message }) => message).join("\n");
  const [name = `0-${hashOf(head.sha)}`, ...also] = marksIn(messages).filter(isMarksName);
  return { name, also, operations, number, from };
}

/**
 * Those that came nowhere else since.
 * @param at.tips commits in whose history the Skillbook came to be what it is
 * @param at.now that Skillbook
 * @param at.waiting batches that come anyway
 */
export async function freshClosedMarks(
  place: PullRequestPlace,
  closed: readonly ClosedMarks[],
  at: {
    readonly pulls: readonly PullRequest[];
    readonly tips: readonly string[];
    readonly now: Skillbook;
    readonly waiting: readonly MarksBatch[];
  },
): Promise<MarksBatch[]> {
  const taken: MarksBatch[] = [...at.waiting];
  const fresh: MarksBatch[] = [];
  for (const one of closed) {
    const merged = await mergedSince(place, one, at.pulls);
    const applied = await appliedMarks(place.repository, [...at.tips, ...merged]);
    const isKnown = (name: string) =>
      applied.has(keyOfMarks(name)) || keysOf(taken).has(keyOfMarks(name));
    const [name, ...also] = namesOf(one).filter((each) => !isKnown(each));
    if (name === undefined) continue;
    const isWhole = namesOf(one).length === also.length + 1;
    const operations = isWhole ? one.operations : withoutKnown(one, taken, at.now);
    if (operations.length === 0) continue;
    const batch = { name, also, operations };
    taken.push(batch);
    fresh.push(batch);
  }
  return fresh;
}

/** Some of its batches came elsewhere: their marks are in what waits, or seen in the Skillbook. */
function withoutKnown(
  { operations, from, ...one }: ClosedMarks,
  taken: readonly MarksBatch[],
  now: Skillbook,
): readonly TagOperation[] {
  const isOfIt = isAmong(keysOf([one]));
  const seen = { operations: marksBetween(from, now) };
  return shareOut(operations, [...taken.filter(isOfIt), seen]).rest;
}

/** Heads of pull requests that were merged later: a squash may have lost what their commits say. */
async function mergedSince(
  place: PullRequestPlace,
  { number }: ClosedMarks,
  pulls: readonly PullRequest[],
): Promise<string[]> {
  const merged = pulls.filter((pull) => pull.state === "merged" && pull.number > number);
  const heads: string[] = [];
  for (const pull of merged.slice(0, CLOSED_PULL_REQUESTS_MAX))
    if (await isHad(place, pull)) heads.push(pull.head.sha);
  return heads;
}

/** Whether its commit is here, now at the latest. */
async function isHad(
  { repository, targetRemote, onNote }: PullRequestPlace,
  { number, head }: PullRequest,
): Promise<boolean> {
  await using reader = new ObjectReader(repository.git, repository.objectFormat);
  if ((await reader.info(head.sha))?.type === "commit") return true;
  try {
    await targetRemote.fetch([head.sha]);
    return true;
  } catch (error) {
    if (!(error instanceof SkillprError) || error.code !== "git") throw error;
    onNote(`what #${number} held can't be fetched any more: ${error.message}`);
    return false;
  }
}

/**
 * What of the Skillbook is offered as a pull request. A skill's folder is carried over as it is; the
 * Skillbook's operations are applied to what the remote has now: its base, and what its branch proposes.
 */
import { ObjectReader } from "../git/objects.ts";
import { mergeBase } from "../git/refs.ts";
import { listSkillsRoot } from "../git/skills-tree.ts";
import { withMarks, withoutMarks } from "../skills/join-marks.ts";
import { marksBetween, sharedMarks } from "../skills/marks-between.ts";
import { rebaseSkillbook } from "../skills/rebase-skillbook.ts";
import { EMPTY_SKILLBOOK, renderSkillbook, type Skillbook } from "../skills/skillbook.ts";
import { SKILLBOOK_FOLDER, skillFolders } from "../skills/skillbook-files.ts";
import { closedMarks, freshClosedMarks } from "./closed-marks.ts";
import type { PullRequest } from "./github-answers.ts";
import { freshMarks, keyOfMarks, type MarksBatch, readMarks } from "./marks-branch.ts";
import type { OpenProposal, ProposalBranch, ProposalContext } from "./open-proposals.ts";
import { listPublishedSkillbooks, notePublishedSkillbook } from "./published-skillbooks.ts";
import type { PullRequestPlace } from "./pull-request-place.ts";
import { folderVersions, readSkillbookAt, writeSkillbookFolder } from "./skillbook-at.ts";
import { heldBy } from "./skillbook-held.ts";
import { foldersIn, marksIn } from "./skillbook-message.ts";
import { isSquashed, squashedIn } from "./skillbook-squash.ts";

/** The remote, as it was seen. */
export interface RemoteSkillbook {
  /** With the remote's base. */
  readonly context: ProposalContext;
  /** The remote's branch, where it proposes something that nobody else worked on. */
  readonly open: ProposalBranch | null;
  /** Of that branch, the newest first. */
  readonly pulls: readonly PullRequest[];
}

/** What is offered. */
export interface OfferedSkillbook {
  /** Tree of the folder on the remote's base. */
  readonly folderTree: string;
  /** The batches of marks that had waited on the remote and are in it. */
  readonly marks: readonly MarksBatch[];
  /** Where those lie, to be cleared once this is pushed; null: none do. */
  readonly marksTip: string | null;
  /** What the local branch's Skillbook was offered as before. */
  readonly earlier: readonly string[];
}

/** @throws SkillprError `input` when a Skillbook can't be read, `git` */
export async function offerSkillbook(
  place: PullRequestPlace,
  local: OpenProposal,
  remote: RemoteSkillbook,
): Promise<OfferedSkillbook> {
  const { repository, stateDir, onNote } = place;
  await using reader = new ObjectReader(repository.git, repository.objectFormat);
  const looking = { place, reader, local, remote };
  const there = await readMarks(place);
  const tips = [
    remote.context.base.commit,
    local.tip,
    ...(remote.open === null ? [] : [remote.open.tip]),
  ];
  const waiting = await freshMarks(repository, there, tips);
  const closed = await closedMarks(place, { ...remote.context, reader }, remote.pulls);
  const earlier = [...((await listPublishedSkillbooks(stateDir)).get(local.folderTree) ?? [])];
  const start = await folderAt(looking, local.forkPoint);
  const base = await folderAt(looking, remote.context.base.commit);
  const isAsItIs = start === base && (await isContinued(looking));
  const about = { marksTip: there.tip, earlier };
  const asItIs = { ...about, marks: [], folderTree: local.folderTree };
  if (isAsItIs && waiting.length === 0 && closed.length === 0) return asItIs;
  const again = await madeAgain(looking);
  const { pulls } = remote;
  const at = { pulls, tips, now: again.skillbook, waiting };
  const marks = [...waiting, ...(await freshClosedMarks(place, closed, at))];
  if (isAsItIs && marks.length === 0) return asItIs;
  const skills = await skillsAt(looking, remote.context.base.tree);
  const { skillbook, dropped } = withMarks(again.skillbook, marks, skills);
  for (const what of [...again.dropped, ...dropped]) onNote(`the Skillbook on the remote: ${what}`);
  const folder = await writeSkillbookFolder(repository, skillbook);
  if (folder !== local.folderTree) await notePublishedSkillbook(stateDir, local.folderTree, folder);
  return { ...about, marks, folderTree: folder };
}

/** The folders of skills that a mark may be about. */
async function skillsAt({ place, reader }: Looking, tree: string): Promise<ReadonlySet<string>> {
  const { skillsRoot } = place;
  return skillFolders(await listSkillsRoot(reader, tree, skillsRoot), skillsRoot);
}

interface Looking {
  readonly place: PullRequestPlace;
  readonly reader: ObjectReader;
  readonly local: OpenProposal;
  readonly remote: RemoteSkillbook;
}

/** The branch here goes on from all that the remote's proposes. */
async function isContinued(looking: Looking): Promise<boolean> {
  const { local, remote } = looking;
  if (remote.open === null) return true;
  for (const { id } of local.commits)
    if ((await folderAt(looking, id)) === remote.open.folderTree) return true;
  return false;
}

async function madeAgain(
  looking: Looking,
): Promise<{ readonly skillbook: Skillbook; readonly dropped: readonly string[] }> {
  const { local, remote } = looking;
  const base = await bookAt(looking, remote.context.base.commit);
  const { open } = remote;
  const proposed =
    open === null
      ? { skillbook: base, dropped: [] }
      : madeOn(base, await bookAt(looking, open.forkPoint), await bookAt(looking, open.tip));
  const { book: from, newer } = await knownThere(looking);
  const now = await bookAt(looking, local.tip);
  const twice = isNamedInBoth(newer, open?.commits ?? [])
    ? sharedMarks(marksBetween(from, now), marksBetween(base, proposed.skillbook))
    : [];
  const added = madeOn(proposed.skillbook, from, withoutMarks(now, twice));
  return { skillbook: added.skillbook, dropped: [...proposed.dropped, ...added.dropped] };
}

type Told = { readonly message: string };

/** Rejected here and still open there: marks that wait again here, and come with what is new, came there before. */
function isNamedInBoth(here: readonly Told[], there: readonly Told[]): boolean {
  const [ours, theirs] = [here, there].map((commits) => {
    return marksIn(commits.map(({ message }) => message).join("\n")).map(keyOfMarks);
  });
  return ours?.some((key) => theirs?.includes(key)) ?? false;
}

/** What was made of one version, made on another; where that is the same one, it is what was made. */
function madeOn(
  onto: Skillbook,
  from: Skillbook,
  to: Skillbook,
): { readonly skillbook: Skillbook; readonly dropped: readonly string[] } {
  if (renderSkillbook(from) === renderSkillbook(onto)) return { skillbook: to, dropped: [] };
  return rebaseSkillbook(from, to, onto);
}

/**
 * The newest state of the branch here that the remote has, on its branch or merged, as the same file or as
 * what became of it: what came later is new there. Where the base here moved in between, that state is made
 * again on it, or the base's own changes would count as the branch's.
 */
async function knownThere(
  looking: Looking,
): Promise<{ readonly book: Skillbook; readonly newer: OpenProposal["commits"] }> {
  const { local } = looking;
  const start = await bookAt(looking, local.forkPoint);
  const isThere = await thereBy(looking);
  for (const [at, commit] of local.commits.entries()) {
    const { id } = commit;
    if (!(await isThere(commit))) continue;
    const newer = local.commits.slice(0, at);
    const { git } = looking.place.repository;
    const fork = local.forkPoint === null ? null : await mergeBase(git, id, local.forkPoint);
    const state = await bookAt(looking, id);
    if ((await folderAt(looking, fork)) === (await folderAt(looking, local.forkPoint)))
      return { book: state, newer };
    const before = await bookAt(looking, fork);
    return { book: rebaseSkillbook(before, state, start).skillbook, newer };
  }
  return { book: start, newer: local.commits };
}

/** Whether the remote has what a commit of the branch here holds. */
async function thereBy(
  looking: Looking,
): Promise<(commit: OpenProposal["commits"][number]) => Promise<boolean>> {
  const { place, reader, local, remote } = looking;
  const { repository, skillsRoot, stateDir } = place;
  const range = { after: local.forkPoint, upTo: remote.context.base.commit, skillsRoot };
  const merged = await folderVersions(repository, reader, range);
  const there = await foldersThere(looking, merged);
  const published = await listPublishedSkillbooks(stateDir);
  const squashed = await squashedIn(repository, range);
  const isHeld = await heldBy({ reader, skillsRoot }, merged);
  return async (commit) => {
    const folder = await folderAt(looking, commit.id);
    const as = folder === null ? [] : [folder, ...(published.get(folder) ?? [])];
    if (as.some((each) => there.has(each)) || isSquashed(commit, squashed)) return true;
    return isHeld(commit);
  };
}

/** Trees of the Skillbook's folder that the remote has or had, on its base and on its branch. */
async function foldersThere(
  looking: Looking,
  merged: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const { remote } = looking;
  const there = new Set(merged);
  for (const { id, message } of remote.open?.commits ?? []) {
    const folder = await folderAt(looking, id);
    if (folder !== null) there.add(folder);
    for (const each of foldersIn(message)) there.add(each);
  }
  return there;
}

async function folderAt(
  { place, reader }: Pick<Looking, "place" | "reader">,
  commit: string | null,
): Promise<string | null> {
  if (commit === null) return null;
  const { tree } = await reader.commit(commit);
  return reader.treeAt(tree, `${place.skillsRoot}/${SKILLBOOK_FOLDER}`);
}

async function bookAt(
  { place, reader }: Pick<Looking, "place" | "reader">,
  commit: string | null,
): Promise<Skillbook> {
  if (commit === null) return EMPTY_SKILLBOOK;
  return readSkillbookAt(reader, (await reader.commit(commit)).tree, place.skillsRoot);
}

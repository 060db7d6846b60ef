/**
 * Brings open pull requests here before a review, so that it goes on from what is proposed already, and what was declined
 * there: from another machine, or in a fresh clone. Only `auto-skill/*` branches move, and they move by
 * content: a commit of ours on what is known here, since the remote's base may not be.
 */
import type { ObjectReader } from "../git/objects.ts";
import { checkedOutAt, moveRef, shortRef } from "../git/refs.ts";
import { PROPOSAL_REFS } from "../git/repository.ts";
import { hasError } from "../proposal/verify-trees.ts";
import { rebaseSkillbook } from "../skills/rebase-skillbook.ts";
import { SKILLBOOK_FOLDER } from "../skills/skillbook-files.ts";
import { buildTree } from "./build-commit.ts";
import { contentKeyOfTree } from "./content-of.ts";
import { listDeclined } from "./declined.ts";
import { fetchMissing } from "./fetch-missing.ts";
import type { PullRequest } from "./github-answers.ts";
import { commitAsSkillpr } from "./identity.ts";
import {
  describeBranch,
  findProposalBranch,
  type ProposalBranch,
  type ProposalContext,
} from "./open-proposals.ts";
import { learnDeclined, readProposals } from "./proposals-on-github.ts";
import { notePublishedSkillbook } from "./published-skillbooks.ts";
import { writePullRequestNote } from "./pull-request-notes.ts";
import type { PullRequestPlace } from "./pull-request-place.ts";
import { forgetTakenBack } from "./reopened.ts";
import { readSkillbookAt, writeSkillbookFolder } from "./skillbook-at.ts";
import { carriedTrailers, foldersIn } from "./skillbook-message.ts";

/**
 * @param context the base as it is known here
 * @throws SkillprError `git`, `github`
 */
export async function fetchOpenProposals(
  place: PullRequestPlace,
  context: ProposalContext,
): Promise<void> {
  const { sourceRemote, source } = place;
  const pulls = await readProposals(place, "all");
  await forgetTakenBack(place, context.reader, pulls);
  await learnDeclined(place, context, pulls);
  const refs = await sourceRemote.list([`refs/heads/${place.base}`, PROPOSAL_REFS]);
  const tips = new Map(refs.map(({ name, id }) => [name, id]));
  const base = tips.get(`refs/heads/${place.base}`);
  tips.delete(`refs/heads/${place.base}`);
  // A fork needn't have the base; then nothing is known of where its branches left it.
  if (tips.size === 0 || base === undefined) return;
  for (const pull of pulls) {
    if (pull.state !== "open") continue;
    const ref = `refs/heads/${pull.head.branch}`;
    const tip = tips.get(ref);
    if (tip !== undefined && pull.head.repositoryId === source.id)
      await fetchOne(place, context, { pull, ref, tip, base });
  }
}

interface OpenOnRemote {
  readonly pull: PullRequest;
  readonly ref: string;
  readonly tip: string;
  /** The remote's base. */
  readonly base: string;
}

async function fetchOne(
  place: PullRequestPlace,
  context: ProposalContext,
  { pull, ref, tip, base }: OpenOnRemote,
): Promise<void> {
  const { reader } = context;
  await fetchMissing(place.sourceRemote, reader, [tip, base]);
  const { tree } = await reader.commit(base);
  const atRemote = { ...context, base: { commit: base, tree } };
  let remote = await describeBranch(atRemote, ref, tip);
  // Its operations are told from where it began, which a shallow clone may not have.
  if (
    remote.skill === SKILLBOOK_FOLDER &&
    remote.forkPoint === null &&
    place.repository.isShallow
  ) {
    await place.sourceRemote.unshallow(tip);
    remote = await describeBranch(atRemote, ref, tip);
  }
  // What people changed on it is theirs to bring in.
  if (remote.folderTree === null || remote.foreign !== null) return;
  // Rejected here, whatever GitHub shows.
  const key = await contentKeyOfTree(reader, remote.folderTree);
  const declined = await listDeclined(place.stateDir);
  if (declined.some((one) => one.skill === remote.skill && one.contentKey === key)) return;
  const local = await findProposalBranch(context, remote.skill);
  const start = await startOf(place, context, remote, local);
  if (start === null || (await checkedOutAt(context.repository.git, ref)) !== null) return;
  const commit = await copyTo(place, reader, start.remote, start.parent);
  if (commit === null) return;
  const moved = await moveRef(context.repository.git, ref, commit, local?.tip ?? null);
  if (moved !== "moved") return;
  place.onNote(`${shortRef(ref)} goes on from #${pull.number}`);
  const { number, url } = pull;
  const note = { skill: remote.skill, state: "open", number, url, reason: null } as const;
  await writePullRequestNote(place.stateDir, note);
}

interface Start {
  /** What it is laid on here. */
  readonly parent: string;
  /** With the folder as it is here. */
  readonly remote: ProposalBranch;
}

/**
 * A skill comes as it is, where the base here has what it began on. The Skillbook's operations are applied to
 * the base here, whichever the remote's branch left.
 * @returns null when there is nothing to bring
 */
async function startOf(
  place: PullRequestPlace,
  context: ProposalContext,
  remote: ProposalBranch,
  local: ProposalBranch | null,
): Promise<Start | null> {
  const parent = await parentFor(place, context, remote, local);
  if (parent !== null) return { parent, remote };
  const isHere = local !== null && !local.isMerged;
  if (remote.skill !== SKILLBOOK_FOLDER || remote.forkPoint === null || isHere) return null;
  const { reader, base, repository } = context;
  const { skillsRoot, stateDir, onNote } = place;
  const bookAt = async (commit: string) =>
    readSkillbookAt(reader, (await reader.commit(commit)).tree, skillsRoot);
  const here = await bookAt(base.commit);
  const made = rebaseSkillbook(await bookAt(remote.forkPoint), await bookAt(remote.tip), here);
  for (const what of made.dropped) onNote(`the Skillbook on the remote: ${what}`);
  const folderTree = await writeSkillbookFolder(repository, made.skillbook);
  const known = await reader.treeAt(base.tree, `${skillsRoot}/${remote.skill}`);
  if (folderTree === known || remote.folderTree === null) return null;
  await notePublishedSkillbook(stateDir, folderTree, remote.folderTree);
  return { parent: base.commit, remote: { ...remote, folderTree } };
}

/** What the remote's content is laid on here as it is; null when it can't be. */
async function parentFor(
  place: PullRequestPlace,
  { reader, base }: ProposalContext,
  remote: ProposalBranch,
  local: ProposalBranch | null,
): Promise<string | null> {
  const path = `${place.skillsRoot}/${remote.skill}`;
  const foldersOf = async (branch: ProposalBranch) => {
    const folders = [];
    for (const { tree, message } of branch.commits)
      folders.push(await reader.treeAt(tree, path), ...foldersIn(message));
    return folders;
  };
  if (local === null || local.isMerged) {
    const fork = remote.forkPoint === null ? null : (await reader.commit(remote.forkPoint)).tree;
    const before = fork === null ? null : await reader.treeAt(fork, path);
    // On another version of the skill it would say something else.
    return before === (await reader.treeAt(base.tree, path)) ? base.commit : null;
  }
  if (local.foreign !== null || local.folderTree === remote.folderTree) return null;
  // Only where the remote went on from what is here.
  const isBehind = (await foldersOf(remote)).includes(local.folderTree);
  return isBehind ? local.tip : null;
}

/** Of its newest commit, with what the others say of their sessions: here they are one. */
function messageOf({ skill, commits: [tip, ...others] }: ProposalBranch): string {
  const message = tip?.message ?? "";
  if (skill !== SKILLBOOK_FOLDER) return message;
  return `${message.trimEnd()}\n${carriedTrailers(others.map((each) => each.message))}`;
}

async function copyTo(
  place: PullRequestPlace,
  reader: ObjectReader,
  remote: ProposalBranch,
  parent: string,
): Promise<string | null> {
  const { tree } = await reader.commit(parent);
  const built = await buildTree(place, remote.skill, tree, remote.folderTree ?? "");
  // Whoever may push there may pretend to be us.
  if (hasError(built.findings)) return null;
  const commit = { tree: built.tree, parents: [parent], message: messageOf(remote) };
  return commitAsSkillpr(place.repository.git, commit);
}

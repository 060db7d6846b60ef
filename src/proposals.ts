/** The person's side of the story: what waits, what it says, and the decision about it. */
import { join } from "node:path";
import type { Config } from "./core/config.ts";
import { SkillprError } from "./core/errors.ts";
import { safeLine } from "./core/text.ts";
import { resolveAcceptedBase } from "./git/accepted-base.ts";
import { diffText } from "./git/diff-text.ts";
import { ObjectReader } from "./git/objects.ts";
import { acquireLock, type ProcessLock } from "./git/process-lock.ts";
import { type Base, type Repository, stateDir } from "./git/repository.ts";
import { pruneWorkspaces } from "./git/workspace.ts";
import type { Proposal } from "./proposal/proposal.ts";
import { recallProposal } from "./proposal/proposal-files.ts";
import { verifyTrees } from "./proposal/verify-trees.ts";
import { type Acceptance, acceptProposal, finishAccept, type Target } from "./publish/accept.ts";
import { contentKeyOfTree, descriptionOfTree } from "./publish/content-of.ts";
import { localBranchOf } from "./publish/local-branch.ts";
import {
  findProposalBranch,
  isOpen,
  listOpenProposals,
  type OpenProposal,
  type ProposalBranch,
  type ProposalContext,
} from "./publish/open-proposals.ts";
import { rejectProposal } from "./publish/reject.ts";
import { readSkillbookAt } from "./publish/skillbook-at.ts";
import { type ReturnedMarks, rejectWithMarks } from "./return-marks.ts";
import { skillbookLock } from "./skillbook-lock.ts";
import { makeAgainOn } from "./skillbook-place.ts";
import { changeLines, harmLines, PLAIN_LINES } from "./skills/operation-lines.ts";
import { isSkillName } from "./skills/skill-name.ts";
import type { SkillSummary } from "./skills/skill-summary.ts";
import { SKILLBOOK_FOLDER } from "./skills/skillbook-files.ts";
import { limitWarnings } from "./skills/skillbook-limits.ts";
import type { Finding } from "./verify/finding.ts";

/** What every question about proposals needs. */
export interface Place {
  readonly repository: Repository;
  readonly config: Pick<Config, "base" | "publish" | "rules" | "skillsRoot">;
}

async function withContext<T>(
  { repository, config }: Place,
  use: (context: ProposalContext & { base: Base }) => Promise<T>,
): Promise<T> {
  const base = await resolveAcceptedBase(repository, config.base, config.skillsRoot);
  await using reader = new ObjectReader(repository.git, repository.objectFormat);
  // Awaited here: the reader must outlive the use.
  return await use({ repository, reader, base, skillsRoot: config.skillsRoot });
}

/**
 * The open proposals of this clone's branches, by name; nothing is fetched.
 * @throws SkillprError `input` when the base can't be found, `git`
 */
export async function listProposals(place: Place): Promise<ProposalBranch[]> {
  return withContext(place, listOpenProposals);
}

/** What only the review could say, because it had the session. */
const OF_SESSION = /^(?:review|ungrounded)\./;

export interface ShownProposal {
  readonly branch: ProposalBranch;
  /** Unified diff of the skill's folder against where the branch left the base. */
  readonly diff: string;
  /** Verified now, not when it was proposed; before them what the review said of itself (`review.*`). */
  readonly findings: readonly Finding[];
  /** What was known when it was sealed; null when that happened in another clone. */
  readonly proposal: Proposal | null;
  /** Of the Skillbook: what the proposal does to it, in words; then what harms more than it helps, and which limits are near. */
  readonly operations: readonly string[];
}

/**
 * @param skill its folder's name, or its branch's (`auto-skill/<skill>`)
 * @param userSkills the user's own skills, which one of the same name would hide (`readUserSkills`)
 * @throws SkillprError `input` when there is no such open proposal
 */
export async function showProposal(
  place: Place,
  skill: string,
  userSkills: readonly Pick<SkillSummary, "name" | "path">[] = [],
): Promise<ShownProposal> {
  return withContext(place, async (context) => {
    const branch = await openBranch(context, skill);
    const from = await context.reader.commit(branch.forkPoint ?? context.base.commit);
    const { findings: verified } = await verifyTrees({
      git: context.repository.git,
      reader: context.reader,
      skillsRoot: context.skillsRoot,
      profile: branch.foreign === null ? "proposal" : "pull-request",
      parentTree: from.tree,
      newTree: branch.tree,
      extras: { levels: place.config.rules, userSkills },
    });
    const diff = await diffText(context.repository.git, from.tree, branch.tree);
    const proposal = await lastSealed(context.repository, branch);
    const ofReview = proposal?.findings.filter(({ rule }) => OF_SESSION.test(rule)) ?? [];
    const operations = await operationsOf(context, branch, from.tree);
    return { branch, diff, findings: [...ofReview, ...verified], proposal, operations };
  });
}

async function operationsOf(
  { reader, skillsRoot }: ProposalContext,
  { skill, tree }: ProposalBranch,
  fromTree: string,
): Promise<readonly string[]> {
  if (skill !== SKILLBOOK_FOLDER) return [];
  const before = await readSkillbookAt(reader, fromTree, skillsRoot);
  const after = await readSkillbookAt(reader, tree, skillsRoot);
  return [
    ...changeLines(before, after, PLAIN_LINES),
    ...harmLines(after, PLAIN_LINES),
    ...limitWarnings(after).map((each) => `- ${each}.`),
  ];
}

/** What was sealed for the newest commit of ours on a branch; people may have gone on from there. */
export async function lastSealed(
  repository: Repository,
  branch: ProposalBranch,
): Promise<Proposal | null> {
  for (const { id } of branch.commits) {
    // A damaged note of ours must not hide the branch.
    const proposal = await recallProposal(stateDir(repository), id).catch((error: unknown) => {
      if (error instanceof SkillprError) return null;
      throw error;
    });
    if (proposal !== null) return proposal;
  }
  return null;
}

/**
 * Merges a proposal into the branch that it was proposed against, or the one that --base names. Where the Skillbook
 * changed there, the operations are made again on it.
 * @param skill its folder's name, or its branch's
 * @returns where it was merged to, or the findings that refused it
 * @throws SkillprError `input` when there is no such open proposal, or the merge isn't clean; `git`, also while
 *   another process decides
 */
export async function accept(place: Place, skill: string): Promise<Acceptance> {
  await pruneWorkspaces(place.repository);
  await using _ = await decisionLock(place.repository);
  return await withContext(place, async (context) => {
    const done = await findProposalBranch(context, skillOf(skill));
    if (done?.isMerged && done.foreign === null && context.base.ref?.startsWith("refs/heads/"))
      return finishAccept(context.repository.git, done, context.base.ref, context.base.commit);
    const branch = await openBranch(context, skill);
    const sealed = place.config.base === null ? await lastSealed(place.repository, branch) : null;
    const targetRef = localBranchOf(sealed?.base.ref ?? context.base.ref);
    const isBook = branch.skill === SKILLBOOK_FOLDER;
    const makeAgain = (base: Target) => makeAgainOn({ ...context, base }, branch);
    const how = { ...context, branch, targetRef, levels: place.config.rules };
    return acceptProposal({ ...how, ...(isBook && { makeAgain }) });
  });
}

export interface Rejection {
  /** That the branch was at: with it the branch can be made again. */
  readonly commit: string;
  /** Of the Skillbook's proposal: what becomes of its marks. */
  readonly marks?: ReturnedMarks;
}

/**
 * Removes a proposal's branch and remembers its content as declined, so that it isn't proposed again. The marks
 * that the Skillbook's brought wait again.
 * @param skill its folder's name, or its branch's
 * @param reason for whoever reviews next
 * @throws SkillprError `input` when there is no such open proposal; `git`, also while another process decides
 */
export async function reject(
  place: Place,
  skill: string,
  reason: string | null,
): Promise<Rejection> {
  await using _ = await decisionLock(place.repository);
  return await withContext(place, async (context) => {
    const branch = await openBranch(context, skill);
    if (branch.skill !== SKILLBOOK_FOLDER) return { commit: await drop(context, branch, reason) };
    await using _ = await skillbookLock(place.repository);
    // Looked at again: a run may have gone on with it before this got its turn.
    const now = await openBranch(context, skill);
    const marks = await rejectWithMarks(context, now, async () => {
      await drop(context, now, reason);
    });
    return { commit: now.tip, marks };
  });
}

async function drop(
  { repository, reader }: ProposalContext,
  branch: OpenProposal,
  reason: string | null,
): Promise<string> {
  const contentKey = await contentKeyOfTree(reader, branch.folderTree);
  const description = await descriptionOfTree(reader, branch.folderTree);
  const what = { branch, contentKey, description, reason };
  await rejectProposal({ repository, ...what, stateDir: stateDir(repository) });
  return branch.tip;
}

/** One decision at a time: the same proposal can't be accepted and rejected at once. */
async function decisionLock(repository: Repository): Promise<ProcessLock> {
  const lock = await acquireLock(join(stateDir(repository), "locks", "decision"));
  if (lock !== null) return lock;
  throw new SkillprError(
    "git",
    "another process is accepting or rejecting a proposal here",
    "wait for it to end, then try again",
  );
}

/** Both names that people see: the skill's and its branch's. */
function skillOf(named: string): string {
  return named.replace(/^auto-skill\//, "");
}

async function openBranch(context: ProposalContext, named: string) {
  const skill = skillOf(named);
  const branch = isSkillName(skill) ? await findProposalBranch(context, skill) : null;
  if (branch !== null && isOpen(branch)) return branch;
  const open = (await listOpenProposals(context)).map((one) => one.skill);
  throw new SkillprError(
    "input",
    `there is no open proposal "${safeLine(skill)}"${branch === null ? "" : ": it is merged already"}`,
    open.length === 0 ? "no proposal is open here" : `open proposals: ${open.join(", ")}`,
  );
}

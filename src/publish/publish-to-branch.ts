/** Publishes one Proposal to its local branch: rebuild, verify again, commit by plumbing, move the ref. */

import { SkillprError } from "../core/errors.ts";
import * as limits from "../core/limits.ts";
import type { RuleLevels } from "../core/rule-levels.ts";
import { shortCommit } from "../core/text.ts";
import { ObjectReader, writeObjects } from "../git/objects.ts";
import { openQuarantine } from "../git/quarantine.ts";
import { checkedOutAt, isAncestor, moveRef, shortRef } from "../git/refs.ts";
import { type Repository, stateDir } from "../git/repository.ts";
import type { Proposal } from "../proposal/proposal.ts";
import { rememberProposal } from "../proposal/proposal-files.ts";
import { rebuildProposal } from "../proposal/rebuild-proposal.ts";
import { SKILLBOOK_FOLDER } from "../skills/skillbook-files.ts";
import type { Finding } from "../verify/finding.ts";
import { commitMessage } from "./commit-message.ts";
import { contentKeyOfProposal } from "./content-of.ts";
import type { Declined } from "./declined.ts";
import { commitAsSkillpr } from "./identity.ts";
import { branchRef, findProposalBranch } from "./open-proposals.ts";
import { type BlockedWhy, type BranchPlan, planBranch } from "./plan-branch.ts";
import { readSkillbookAt } from "./skillbook-at.ts";
import { fillBetween } from "./skillbook-message.ts";

/** What publishing did with one proposal: it is on its branch, something keeps it from there, or the verifier refused it. */
export type Receipt =
  | {
      status: "done";
      operation: "created" | "updated" | "unchanged";
      branch: string;
      /** Null after a dry run. */
      commit: string | null;
      parent: string;
      /** Warnings of the verification on the actual parent; none where nothing was built. */
      findings: readonly Finding[];
    }
  | { status: "blocked"; branch: string; why: BlockedWhy; reason: string; hint: string }
  | { status: "refused"; findings: readonly Finding[] };

export function isBlocked(receipt: Receipt, ...why: BlockedWhy[]): boolean {
  return receipt.status === "blocked" && why.includes(receipt.why);
}

export interface BranchTarget {
  readonly repository: Repository;
  /** What counts as accepted already. */
  readonly base: { readonly commit: string; readonly tree: string };
  readonly declined: readonly Declined[];
  /** templates/commit-message.txt */
  readonly messageTemplate: string;
  /** templates/skillbook-commit-message.txt, where the operations of a Skillbook are still to be told. */
  readonly skillbookTemplate?: string;
  /** How grave the verifier's rules are here. */
  readonly levels?: RuleLevels;
  /** Plan only: nothing is written. */
  readonly isDryRun: boolean;
}

/**
 * Reads the state, decides, then acts; when another process moved the branch in between, it looks
 * again instead of overwriting.
 * @throws SkillprError `git`, or `input` when the proposal belongs to another repository
 */
export async function publishToBranch(proposal: Proposal, target: BranchTarget): Promise<Receipt> {
  for (let tries = 0; tries < limits.REF_LOCK_TRIES; tries++) {
    const plan = await seePlan(proposal, target);
    const branch = shortRef(branchRef(proposal.skill));
    if (plan.operation === "blocked") return { ...plan, status: "blocked", branch };
    if (plan.operation === "unchanged")
      return {
        status: "done",
        operation: "unchanged",
        branch,
        commit: plan.commit,
        parent: proposal.parent,
        findings: [],
      };
    const receipt = await act(proposal, target, plan, branch);
    if (receipt !== "lost-race") return receipt;
  }
  return {
    status: "blocked",
    branch: branchRef(proposal.skill),
    why: "stale",
    reason: "other processes keep moving the branch",
    hint: "run this again",
  };
}

async function seePlan(proposal: Proposal, target: BranchTarget): Promise<BranchPlan> {
  const { repository, base } = target;
  await using reader = new ObjectReader(repository.git, repository.objectFormat);
  if ((await reader.read(proposal.parent))?.type !== "commit") {
    throw new SkillprError(
      "input",
      `the commit that "${proposal.skill}" was proposed on (${proposal.parent}) is not in this repository`,
      "fetch it first, or publish in a clone that has it",
    );
  }
  const context = { repository, reader, base, skillsRoot: proposal.skillsRoot };
  const branch = await findProposalBranch(context, proposal.skill);
  return planBranch({
    proposal,
    branch,
    checkedOutAt: branch === null ? null : await checkedOutAt(repository.git, branch.ref),
    declined: target.declined,
    contentKey: await contentKeyOfProposal(reader, proposal),
    isParentInBase: await isAncestor(repository.git, proposal.parent, base.commit),
    baseFolderTree: await reader.treeAt(base.tree, `${proposal.skillsRoot}/${proposal.skill}`),
  });
}

async function act(
  proposal: Proposal,
  target: BranchTarget,
  plan: Extract<BranchPlan, { operation: "created" | "updated" }>,
  branch: string,
): Promise<Receipt | "lost-race"> {
  const { repository, levels } = target;
  const extras = levels === undefined ? {} : { levels };
  const parentTree = await treeOf(repository, plan.parent);
  await using quarantine = await openQuarantine(repository);
  const rebuilt = await rebuildProposal(repository, proposal, parentTree, quarantine, extras);
  if (rebuilt.status === "refused") return { status: "refused", findings: rebuilt.findings };
  if (rebuilt.status === "stale") {
    return {
      status: "blocked",
      branch,
      why: "stale",
      reason: `the skill's folder at ${shortCommit(plan.parent)} is not the one that was reviewed`,
      hint: "review the session again",
    };
  }
  const { parent, operation } = plan;
  const { findings } = rebuilt;
  const done = { status: "done", operation, branch, parent, findings } as const;
  if (target.isDryRun) return { ...done, commit: null };
  await writeObjects(repository.git, rebuilt.objects);
  const commit = await commitAsSkillpr(repository.git, {
    tree: rebuilt.tree,
    parents: plan.continues === undefined ? [plan.parent] : [plan.continues, plan.parent],
    message: commitMessage(await templateFor(proposal, target, parentTree, rebuilt.tree), proposal),
  });
  // Before the branch moves: one that was killed here knows all the same where its commit came from.
  await rememberProposal(stateDir(repository), commit, proposal);
  const moved = await moveRef(repository.git, branchRef(proposal.skill), commit, plan.expectedTip);
  if (moved === "lost-race") return "lost-race";
  if (moved !== "moved")
    return {
      status: "blocked",
      branch,
      why: "in-the-way",
      reason: moved.blocked,
      hint: "then run this again",
    };
  return { ...done, commit };
}

/** Of a Skillbook that another process sealed, the operations are the difference of its two versions. */
async function templateFor(
  { skill, skillsRoot }: Proposal,
  { repository, messageTemplate, skillbookTemplate }: BranchTarget,
  parentTree: string,
  tree: string,
): Promise<string> {
  if (skill !== SKILLBOOK_FOLDER || skillbookTemplate === undefined) return messageTemplate;
  await using reader = new ObjectReader(repository.git, repository.objectFormat);
  const before = await readSkillbookAt(reader, parentTree, skillsRoot);
  const after = await readSkillbookAt(reader, tree, skillsRoot);
  return fillBetween(skillbookTemplate, { before, after });
}

async function treeOf(repository: Repository, commit: string): Promise<string> {
  await using reader = new ObjectReader(repository.git, repository.objectFormat);
  return (await reader.commit(commit)).tree;
}

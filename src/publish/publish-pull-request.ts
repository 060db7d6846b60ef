/** Publishes one proposal as a pull request: look, decide, act; look again when somebody else was faster. */

import { setTimeout as pause } from "node:timers/promises";
import type { SkillprError } from "../core/errors.ts";
import * as limits from "../core/limits.ts";
import { ObjectReader } from "../git/objects.ts";
import { shortRef } from "../git/refs.ts";
import type { Proposal } from "../proposal/proposal.ts";
import { hasError } from "../proposal/verify-trees.ts";
import type { Finding } from "../verify/finding.ts";
import { type BuiltTree, buildTree } from "./build-commit.ts";
import { compareUrl } from "./github-address.ts";
import type { PullRequest } from "./github-answers.ts";
import { clearMarks } from "./marks-branch.ts";
import type { OpenProposal } from "./open-proposals.ts";
import {
  type PullRequestBlock,
  type PullRequestPlan,
  type Push,
  planPullRequest,
} from "./plan-pull-request.ts";
import {
  addExtras,
  addMissedExtras,
  commentOnce,
  type ExtrasState,
} from "./pull-request-extras.ts";
import type { PullRequestPlace } from "./pull-request-place.ts";
import type { PullRequestText } from "./pull-request-text.ts";
import { wordingOf } from "./pull-request-wording.ts";
import { pushCommit } from "./push-commit.ts";
import { type Seen, seePullRequest } from "./see-pull-request.ts";
import { offeredBy, placeForCommit } from "./skillbook-request.ts";

/** What publishing as a pull request did. */
export type PullRequestReceipt =
  | {
      readonly status: "done";
      readonly operation: "created" | "updated" | "unchanged";
      /** Null: the base has this already, and no pull request of ours brought it. */
      readonly pullRequest: PullRequest | null;
      /** What the branch holds on the remote; null when nothing had to be there. */
      readonly commit: string | null;
      readonly findings: readonly Finding[];
    }
  | {
      readonly status: "blocked";
      readonly why: PullRequestBlock;
      readonly reason: string;
      readonly hint: string;
      readonly pullRequest: PullRequest | null;
      /** A page where a person goes on by hand. */
      readonly url: string | null;
    }
  | { readonly status: "refused"; readonly findings: readonly Finding[] }
  | { readonly status: "failed"; readonly error: SkillprError };

/** A proposal on its local branch. */
export interface LocalProposal {
  readonly branch: OpenProposal;
  /** The skill's folder where the branch left its base; null when there was none. */
  readonly startFolder: string | null;
  readonly proposal: Proposal;
  /** What is known here of the labels and reviewers of its pull request. */
  readonly extrasOf: (pullRequest: PullRequest) => ExtrasState;
  /** Called as soon as the pull request is there, before what is done to it at best effort. */
  readonly onPublished: (pullRequest: PullRequest, extras: ExtrasState) => Promise<void>;
}

/** @throws SkillprError `git`, `github` */
export async function publishPullRequest(
  place: PullRequestPlace,
  local: LocalProposal,
): Promise<PullRequestReceipt> {
  const { repository } = place;
  for (let tries = 1; tries <= limits.REF_LOCK_TRIES; tries++) {
    await using reader = new ObjectReader(repository.git, repository.objectFormat);
    const seen = await seePullRequest(place, reader, offeredBy({ place, local }));
    const receipt = await act({ place, local, reader, seen }, planPullRequest(seen));
    if (receipt === "again") {
      await pause(limits.REF_LOCK_PAUSE_MS * tries);
      continue;
    }
    const marksTip = seen.waited?.marksTip ?? null;
    // Only now: until they were pushed, a run that is stopped must find them there.
    if (marksTip !== null && receipt.status === "done" && receipt.commit !== null)
      await clearMarks(place, marksTip);
    return receipt;
  }
  return stale("other processes keep moving the branch", null);
}

type Publishing = Extract<PullRequestPlan, { operation: "publish" }>;

export interface Acting {
  readonly place: PullRequestPlace;
  readonly local: LocalProposal;
  readonly reader: ObjectReader;
  readonly seen: Seen;
}

async function act(acting: Acting, plan: PullRequestPlan): Promise<PullRequestReceipt | "again"> {
  const { place, seen } = acting;
  if (plan.operation === "unchanged") {
    const { pullRequest } = plan;
    return { status: "done", operation: "unchanged", pullRequest, commit: null, findings: [] };
  }
  if (plan.operation === "blocked") {
    const { why, reason, hint, pullRequest } = plan;
    if (why === "edited" && pullRequest !== null)
      await commentOnce(place, pullRequest, seen.branch?.foreign?.id ?? "");
    return { status: "blocked", why, reason, hint, pullRequest, url: pullRequest?.url ?? null };
  }
  const { branch, skill, folderTree } = seen;
  // All that the pull request changes, whatever lies between: what a reviewer reads.
  const whole = await buildTree(place, skill, seen.context.base.tree, folderTree);
  if (hasError(whole.findings)) return { status: "refused", findings: whole.findings };
  const isNewStart = plan.push?.parent === seen.context.base.commit;
  const previous = plan.pullRequest?.body.replaceAll("\r\n", "\n") ?? "";
  // Before anything is pushed: a template that can't be used is said first.
  const text = await wordingOf(acting, { findings: whole.findings, isNewStart, previous });
  const pushed =
    plan.push === null ? (branch?.tip ?? "") : await push(acting, plan, plan.push, whole);
  if (pushed === "lost-race") return "again";
  if (pushed === "unseen")
    return stale(
      `${shortRef(seen.ref)} on the remote holds files that were not seen`,
      plan.pullRequest,
    );
  const done = {
    commit: pushed,
    findings: whole.findings,
    hasPushed: plan.push !== null,
    ...{ text, previous },
  };
  return plan.pullRequest === null
    ? await create(acting, done)
    : await update(acting, plan.pullRequest, done);
}

/** @returns `unseen` when the branch's newest commit holds what this would take away */
async function push(
  acting: Acting,
  { pullRequest }: Publishing,
  wanted: Push,
  whole: BuiltTree,
): Promise<string | "lost-race" | "unseen"> {
  const { local, reader, seen } = acting;
  const { skill, folderTree, ref } = seen;
  const place = await placeForCommit(acting, wanted);
  let { tree } = whole;
  // What continues the base too was verified on it; ids may have changed since the branch.
  if (wanted.parent !== seen.context.base.commit && wanted.merges === undefined) {
    const parentTree = (await reader.commit(wanted.parent)).tree;
    const built = await buildTree(place, skill, parentTree, folderTree);
    if (hasError(built.findings)) return "unseen";
    tree = built.tree;
  }
  // Before the push: a run that is stopped in between leaves nothing that could be merged unread.
  if (pullRequest?.isDraft === false && isGrave(whole.findings))
    await place.github.toDraft(pullRequest);
  const isSame = wanted.merges === undefined && (await isPushable(acting, wanted.parent, tree));
  const localCommit = isSame ? local.branch.tip : null;
  const { proposal } = local;
  return await pushCommit({ place, reader, proposal, ref, push: wanted, tree, localCommit });
}

/** The local branch's commit is exactly this, on the same parent. */
async function isPushable(
  { local, reader }: Acting,
  parent: string,
  tree: string,
): Promise<boolean> {
  const { parents } = await reader.commit(local.branch.tip);
  return local.branch.tree === tree && parents.length === 1 && parents[0] === parent;
}

interface Done {
  readonly commit: string;
  readonly findings: readonly Finding[];
  readonly hasPushed: boolean;
  readonly text: PullRequestText;
  /** The body as it stands, with line feeds. */
  readonly previous: string;
}

/** Of GITHUB_TOKEN in a workflow, and of an app's installation. */
const WORKFLOW_TOKEN = "ghs_";

async function create(acting: Acting, done: Done): Promise<PullRequestReceipt | "again"> {
  const { place, local, seen } = acting;
  const { github, target, source, base, config } = place;
  const branch = shortRef(seen.ref);
  const { title, body } = done.text;
  const isFork = source.id !== target.id;
  const created = await github.create(target, {
    title,
    body,
    head: isFork ? `${source.owner}:${branch}` : branch,
    headRepository: isFork && source.owner === target.owner ? source.name : null,
    base,
    draft: config.draft || isGrave(done.findings),
  });
  // Another run was faster, with the branch or with the pull request.
  if (created === "already-exists" || created === "nothing-between") return "again";
  if (created === "creation-forbidden") {
    return {
      status: "blocked",
      why: "forbidden",
      reason: "the branch is pushed, but GitHub Actions may not create pull requests here",
      hint: 'open it at the address above, or let a person with the right switch on "Allow GitHub Actions to create and approve pull requests" (Settings, Actions, General, Workflow permissions)',
      pullRequest: null,
      url: compareUrl(github.server, target, base, isFork ? `${source.owner}:${branch}` : branch),
    };
  }
  await local.onPublished(created, "due");
  if (place.token.startsWith(WORKFLOW_TOKEN))
    place.onNote(
      `#${created.number} was opened with a workflow's or an app's token: its checks may wait for "Approve workflows to run"`,
    );
  await addExtras(place, created);
  const { commit, findings } = done;
  return { status: "done", operation: "created", pullRequest: created, commit, findings };
}

async function update(acting: Acting, open: PullRequest, done: Done): Promise<PullRequestReceipt> {
  const { place, local, seen } = acting;
  const { commit, findings, text, previous } = done;
  // A title that a person wrote stays.
  const isOurs = open.title.replace(/^skill: (?:add|update) /, "") === seen.skill;
  const title = isOurs ? text.title : open.title;
  const isSame = title === open.title && text.body === previous;
  const pullRequest = isSame
    ? open
    : await place.github.update(place.target, open.number, { title, body: text.body });
  const extras = local.extrasOf(open);
  await local.onPublished(pullRequest, extras);
  await addMissedExtras(place, open, extras);
  const operation = isSame && !done.hasPushed ? "unchanged" : "updated";
  return { status: "done", operation, pullRequest, commit, findings };
}

/** A warning of a kind that a person must have read before anybody merges. */
function isGrave(findings: readonly Finding[]): boolean {
  return findings.some(({ rule }) => /^(?:attack|hidden)\./.test(rule));
}

function stale(reason: string, pullRequest: PullRequest | null): PullRequestReceipt {
  const url = pullRequest?.url ?? null;
  const hint = "review the session again";
  return { status: "blocked", why: "stale", reason, hint, pullRequest, url };
}

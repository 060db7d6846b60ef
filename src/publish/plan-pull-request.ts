/** Decides what publishing as a pull request will do, from what is seen on the remote, before anything is written. */

import { AUTHOR_NAME_MAX_CHARS } from "../core/limits.ts";
import { cut, safeLine, shortCommit } from "../core/text.ts";
import { shortRef } from "../git/refs.ts";
import type { PullRequest } from "./github-answers.ts";
import type { ProposalBranch } from "./open-proposals.ts";

export interface PullRequestSituation {
  readonly skill: string;
  /** Full name of the branch. */
  readonly ref: string;
  /** Tree of the skill's folder as it is proposed. */
  readonly folderTree: string;
  /** The same at the base that it was reviewed against; null when there was none. */
  readonly startFolder: string | null;
  /** The base branch on the remote, as it is now. */
  readonly base: {
    readonly branch: string;
    readonly commit: string;
    readonly folderTree: string | null;
  };
  /** The branch on the remote. */
  readonly branch: ProposalBranch | null;
  /** A path beside the skill's folder that the branch changes although all of its commits are ours. */
  readonly strayPath: string | null;
  /**
   * Of the Skillbook: the base's changed since the branch left it, and what is offered was made again on
   * the base (skillbook-offer.ts).
   */
  readonly isMadeAgain: boolean;
  /** Commits can't have two parents: GitHub makes and signs them. */
  readonly signsCommits: boolean;
  /** The branch held this before somebody else worked on it: there is nothing to add. */
  readonly isOnBranch: boolean;
  /** A ref on the remote that can't exist beside ours. */
  readonly nameConflict: string | null;
  /** Pull requests of that branch, newest first. */
  readonly pullRequests: readonly PullRequest[];
  /** A closed one that nobody merged and that held this very content. */
  readonly declinedIn: PullRequest | null;
  /** Open proposals beside this one. */
  readonly openCount: number;
  readonly maxOpen: number;
  readonly stopLabel: string;
}

export interface Push {
  /** What the new commit is on top of. */
  readonly parent: string;
  /** Where the branch must be; null: it must not exist. */
  readonly expectedTip: string | null;
  /** The base, where the commit continues the branch and the base: its second parent. */
  readonly merges?: string;
  /** The branch begins again on the base while its pull request is open: it must never be without a commit. */
  readonly isReplaced?: true;
}

/**
 * `waiting`: too many are open. `stopped`: a person's label. `declined`: a person closed it.
 * `edited`: somebody else worked on the branch. `base-changed`: so did somebody on the skill itself.
 * `forbidden`: a setting. `in-the-way`: another ref. `stale`: the branch holds what wasn't seen.
 */
export type PullRequestBlock =
  | "waiting"
  | "stopped"
  | "declined"
  | "edited"
  | "base-changed"
  | "forbidden"
  | "in-the-way"
  | "stale";

export type PullRequestPlan =
  /** The base or the open pull request holds exactly this. */
  | { readonly operation: "unchanged"; readonly pullRequest: PullRequest | null }
  /** Push what is missing (null: it is there), then open a pull request, or bring `pullRequest` up to date. */
  | {
      readonly operation: "publish";
      readonly push: Push | null;
      readonly pullRequest: PullRequest | null;
    }
  | {
      readonly operation: "blocked";
      readonly why: PullRequestBlock;
      readonly reason: string;
      readonly hint: string;
      readonly pullRequest: PullRequest | null;
    };

export function planPullRequest(seen: PullRequestSituation): PullRequestPlan {
  const { base, pullRequests } = seen;
  const open = pullRequests.find(({ state }) => state === "open") ?? null;
  if (base.folderTree === seen.folderTree) {
    const merged = pullRequests.find(({ state }) => state === "merged") ?? null;
    return { operation: "unchanged", pullRequest: merged };
  }
  if (open !== null && (seen.branch?.foreign ?? null) !== null && seen.isOnBranch)
    return { operation: "unchanged", pullRequest: open };
  const inTheWay = somethingInTheWay(seen, open);
  if (inTheWay !== null) return inTheWay;
  const push = pushOf(seen, open);
  // What is open already is brought up to date, however many there are.
  if (open === null && seen.openCount >= seen.maxOpen) {
    return blocked(
      "waiting",
      `${seen.openCount} proposals are open, and at most ${seen.maxOpen} are (max-open)`,
      "merge or close one of them; the next run opens this one",
      null,
    );
  }
  // Also with nothing to push: the text may lack what a run that was killed didn't get to write.
  return { operation: "publish", push, pullRequest: open };
}

/** What a person has to decide first. */
function somethingInTheWay(
  seen: PullRequestSituation,
  open: PullRequest | null,
): PullRequestPlan | null {
  const { branch, declinedIn, stopLabel } = seen;
  if (seen.nameConflict !== null) {
    return blocked(
      "in-the-way",
      `${shortRef(seen.ref)} can't exist on the remote beside ${shortRef(safeLine(seen.nameConflict))}`,
      "rename or delete that branch",
      open,
    );
  }
  if (open !== null && isStopped(open, stopLabel)) {
    return blocked(
      "stopped",
      `#${open.number} carries the label "${safeLine(stopLabel)}"`,
      "remove the label, and the next run brings it up to date",
      open,
    );
  }
  if (branch !== null && branch.foreign !== null && !isMergedAt(seen, branch.tip)) {
    const { author, id } = branch.foreign;
    return blocked(
      "edited",
      `${shortRef(seen.ref)} has a commit by ${cut(safeLine(author.name), AUTHOR_NAME_MAX_CHARS)} on the remote (${shortCommit(id)})`,
      `merge or close the pull request, or take that commit off the branch to hand it back`,
      open,
    );
  }
  if (seen.strayPath !== null && branch !== null && !startsAnew(seen, open)) {
    return blocked(
      "stale",
      `${shortRef(seen.ref)} on the remote changes ${safeLine(seen.strayPath)} too, which nobody verified`,
      "close its pull request, delete that branch on the remote, and run this again",
      open,
    );
  }
  const moved = changedOnBase(seen, open);
  if (moved !== null) return moved;
  if (open === null && declinedIn !== null) {
    return blocked(
      "declined",
      `this was declined in #${declinedIn.number}, which was closed without a merge`,
      `reopen ${declinedIn.url} to take it up again`,
      declinedIn,
    );
  }
  return null;
}

/** The folder that was reviewed isn't the base's any more. */
function changedOnBase(
  { base, skill, startFolder }: PullRequestSituation,
  open: PullRequest | null,
): PullRequestPlan | null {
  if (base.folderTree !== startFolder) {
    return blocked(
      "base-changed",
      `the folder of "${skill}" has changed on ${safeLine(base.branch)} since this was proposed`,
      `the proposal is kept here; bring ${safeLine(base.branch)} up to date, reject it, and review the session again`,
      open,
    );
  }
  return null;
}

/** A person's label says to leave it alone. GitHub's labels have no case. */
export function isStopped({ labels }: PullRequest, stopLabel: string): boolean {
  return labels.some((label) => label.toLowerCase() === stopLabel.toLowerCase());
}

/** Null when the branch holds exactly this already. */
function pushOf(seen: PullRequestSituation, open: PullRequest | null): Push | null {
  const { base, branch } = seen;
  if (branch === null) return { parent: base.commit, expectedTip: null };
  if (startsAnew(seen, open)) return { parent: base.commit, expectedTip: branch.tip };
  // GitHub signs no commit with two parents, and without the base as one it couldn't be merged.
  if (seen.isMadeAgain && seen.signsCommits)
    return { parent: base.commit, expectedTip: branch.tip, isReplaced: true };
  if (seen.isMadeAgain) return { parent: branch.tip, expectedTip: branch.tip, merges: base.commit };
  if (branch.folderTree === seen.folderTree) return null;
  return { parent: branch.tip, expectedTip: branch.tip };
}

/** Merged, or declined with another content: a new start, from the base as it is now. */
function startsAnew({ branch, pullRequests }: PullRequestSituation, open: PullRequest | null) {
  if (branch === null || open !== null) return false;
  const last = pullRequests[0];
  const isClosed = last !== undefined && last.state !== "open" && last.head.sha === branch.tip;
  return branch.isMerged || isClosed;
}

/** A squash leaves the branch's commits out of the base, and people's work in it. */
function isMergedAt({ pullRequests }: PullRequestSituation, tip: string): boolean {
  const isOpen = pullRequests.some(({ state }) => state === "open");
  return !isOpen && pullRequests.some(({ state, head }) => state === "merged" && head.sha === tip);
}

function blocked(
  why: PullRequestBlock,
  reason: string,
  hint: string,
  pullRequest: PullRequest | null,
): PullRequestPlan {
  return { operation: "blocked", why, reason, hint, pullRequest };
}

/**
 * The pull requests of one run: opens the way to GitHub when it is first needed, publishes what lies
 * on local branches, and writes down what is known of each, so that nothing is left half done.
 */

import { SkillprError } from "../core/errors.ts";
import { ObjectReader } from "../git/objects.ts";
import { shortRef } from "../git/refs.ts";
import type { Base } from "../git/repository.ts";
import type { Proposal } from "../proposal/proposal.ts";
import { recallProposal } from "../proposal/proposal-files.ts";
import { returnedMarks } from "./closed-marks.ts";
import { declineHere } from "./decline-here.ts";
import { type Declined, listDeclined } from "./declined.ts";
import { fetchOpenProposals } from "./fetch-open.ts";
import { addMarks, type MarksBatch, type MarksThere, readMarks } from "./marks-branch.ts";
import { noteOf } from "./note-of.ts";
import { branchRef, findProposalBranch, isOpen, type ProposalContext } from "./open-proposals.ts";
import { type Preview, previewPullRequest } from "./preview-pull-request.ts";
import {
  type OpenOnGithub,
  type ProposalsOnGithub,
  readOpenOnGithub,
  readProposalsOnGithub,
} from "./proposals-on-github.ts";
import {
  type LocalProposal,
  type PullRequestReceipt,
  publishPullRequest,
} from "./publish-pull-request.ts";
import type { ExtrasState } from "./pull-request-extras.ts";
import {
  forgetPullRequestNote,
  listPullRequestNotes,
  type PullRequestNote,
  readPullRequestNote,
  writePullRequestNote,
} from "./pull-request-notes.ts";
import {
  openPullRequestPlace,
  type PullRequestOptions,
  type PullRequestPlace,
} from "./pull-request-place.ts";
import { forgetTakenBack, takenBack } from "./reopened.ts";
import { replyToFeedback } from "./reply-to-feedback.ts";
import { pullRequestsOf } from "./see-pull-request.ts";

type LocalBase = Pick<Base, "commit" | "tree">;

export interface PublishedPullRequest {
  readonly proposal: Proposal;
  readonly receipt: PullRequestReceipt;
  /** The local branch that it was published from. */
  readonly local: { readonly branch: string; readonly commit: string };
}

export class PullRequests {
  readonly #options: PullRequestOptions;
  #place: PullRequestPlace | null = null;

  constructor(options: PullRequestOptions) {
    this.#options = options;
  }

  /**
   * Brings what is open on GitHub here, so that a review goes on from it. Without a network the review
   * goes on from what is here.
   */
  async fetchOpen(base: LocalBase): Promise<void> {
    const { repository, skillsRoot } = this.#options;
    await this.#unlessUnreachable("open pull requests were not looked at", async () => {
      await using reader = new ObjectReader(repository.git, repository.objectFormat);
      await fetchOpenProposals(await this.#opened(), { repository, reader, base, skillsRoot });
    });
  }

  /** Once per run; a failure is no reason not to try again. */
  async #opened(): Promise<PullRequestPlace> {
    this.#place ??= await openPullRequestPlace(this.#options);
    return this.#place;
  }

  /**
   * Writes down that a skill is about to be published: whatever happens, a later run knows of it.
   * @returns what was known before, for `withdraw`
   */
  async announce(skill: string): Promise<PullRequestNote | null> {
    const { stateDir } = this.#options;
    const known = await readPullRequestNote(stateDir, skill);
    const { number = null, url = null, extras } = known ?? {};
    const note = { skill, state: "waiting", number, url, reason: null, extras } as const;
    await writePullRequestNote(stateDir, note);
    return known;
  }

  /** Nothing is to be published after all. */
  async withdraw(skill: string, known: PullRequestNote | null): Promise<void> {
    const { stateDir } = this.#options;
    if (known === null) await forgetPullRequestNote(stateDir, skill);
    else await writePullRequestNote(stateDir, known);
  }

  /** Skills that an earlier run left to be published. */
  async waiting(): Promise<string[]> {
    const notes = await listPullRequestNotes(this.#options.stateDir);
    return notes
      .filter(({ state }) => state !== "open" && state !== "settled")
      .map(({ skill }) => skill);
  }

  /**
   * Publishes what lies on a skill's local branch. A failure is an answer: the proposal is safe on its
   * branch, and the next run tries again.
   * @param base what counts as accepted here
   * @returns null when nothing is open here
   */
  async publish(skill: string, base: LocalBase): Promise<PublishedPullRequest | null> {
    const { repository, skillsRoot, stateDir } = this.#options;
    await using reader = new ObjectReader(repository.git, repository.objectFormat);
    const context = { repository, reader, base, skillsRoot };
    const local = await this.#localProposal(context, skill);
    if (local === null) {
      await forgetPullRequestNote(stateDir, skill);
      return null;
    }
    const receipt = await this.#tried(local);
    await this.#note(context, local, receipt);
    await this.#reply(local, receipt);
    const { proposal, branch } = local;
    return { proposal, receipt, local: { branch: shortRef(branch.ref), commit: branch.tip } };
  }

  /**
   * What `publish` would do with a proposal that isn't on its branch yet. Writes nothing, there or here;
   * null, and a note, where GitHub can't be asked.
   */
  preview(proposal: Proposal, base: LocalBase): Promise<Preview | null> {
    return this.#unlessUnreachable("GitHub was not looked at", async () =>
      previewPullRequest(await this.#opened(), proposal, base),
    );
  }

  /**
   * Decisions about a skill that were taken back on GitHub, where its pull request is open again.
   * @param isDryRun they are not forgotten here
   */
  async takenBack(skill: string, isDryRun: boolean): Promise<readonly Declined[]> {
    const { repository, stateDir } = this.#options;
    const known = (await listDeclined(stateDir)).filter((one) => one.skill === skill);
    // One that was made here stands, and nobody is asked.
    if (known.every(({ pullRequest }) => pullRequest === undefined)) return [];
    const found = await this.#unlessUnreachable(
      `whether ${skill} is open again is not known`,
      async () => {
        await using reader = new ObjectReader(repository.git, repository.objectFormat);
        const place = await this.#opened();
        const pulls = await pullRequestsOf(place, branchRef(skill));
        return isDryRun
          ? await takenBack(place, reader, known, pulls)
          : await forgetTakenBack(place, reader, pulls);
      },
    );
    return found ?? [];
  }

  async #unlessUnreachable<T>(what: string, look: () => Promise<T>): Promise<T | null> {
    try {
      return await look();
    } catch (error) {
      if (!(error instanceof SkillprError) || error.code === "interrupted") throw error;
      this.#options.onNote(`${what}: ${error.message}`);
      return null;
    }
  }

  /** The marks that wait there; null, and a note, where GitHub can't be asked. */
  marks(): Promise<MarksThere | null> {
    const what = "whether marks wait on GitHub is not known";
    return this.#unlessUnreachable(what, async () => {
      const place = await this.#opened();
      return { ...(await readMarks(place)), returned: await returnedMarks(place) };
    });
  }

  /** Keeps marks there, where this clone needn't be kept. @returns whether they are there */
  async keepMarks(batches: readonly MarksBatch[]): Promise<boolean> {
    const what = "marks wait in this clone alone";
    const isKept = await this.#unlessUnreachable(what, async () =>
      addMarks(await this.#opened(), batches),
    );
    return isKept === true;
  }

  /** What people decided and said there. @throws SkillprError `github`, `git` */
  async onGithub(): Promise<ProposalsOnGithub> {
    return readProposalsOnGithub(await this.#opened());
  }

  /**
   * Open proposals there, with what is to be worked in.
   * @param named a pull request's number or a skill; null: all
   * @throws SkillprError `github`
   */
  async open(named: string | null): Promise<OpenOnGithub[]> {
    return readOpenOnGithub(await this.#opened(), named);
  }

  /** Also where nothing was pushed: an earlier run may have been stopped before its replies. */
  async #reply({ proposal }: LocalProposal, receipt: PullRequestReceipt): Promise<void> {
    if (proposal.revision === undefined || receipt.status !== "done") return;
    const { pullRequest, commit } = receipt;
    const { number, answers } = proposal.revision;
    if (pullRequest?.state !== "open" || pullRequest.number !== number) return;
    const at = { answers, commit: commit ?? pullRequest.head.sha };
    await replyToFeedback(await this.#opened(), pullRequest, at);
  }

  async #localProposal(context: ProposalContext, skill: string): Promise<LocalProposal | null> {
    const { stateDir } = this.#options;
    const { reader, skillsRoot, base } = context;
    const branch = await findProposalBranch(context, skill);
    if (branch === null || !isOpen(branch) || branch.foreign !== null) return null;
    const proposal = await recallProposal(stateDir, branch.tip);
    if (proposal === null) return null;
    const { tree } = await reader.commit(branch.forkPoint ?? base.commit);
    const note = { skill, state: "open", reason: null } as const;
    const known = await readPullRequestNote(stateDir, skill);
    return {
      branch,
      startFolder: await reader.treeAt(tree, `${skillsRoot}/${skill}`),
      proposal,
      // An earlier pull request of the skill says nothing of this one.
      extrasOf: ({ number }) => (known?.number === number ? known.extras : null) ?? "unknown",
      onPublished: ({ number, url }, extras) =>
        writePullRequestNote(stateDir, { ...note, number, url, extras: knownOf(extras) }),
    };
  }

  async #tried(local: LocalProposal): Promise<PullRequestReceipt> {
    try {
      return await publishPullRequest(await this.#opened(), local);
    } catch (error) {
      if (!(error instanceof SkillprError) || error.code === "interrupted") throw error;
      return { status: "failed", error };
    }
  }

  async #note(
    context: ProposalContext,
    { branch }: LocalProposal,
    receipt: PullRequestReceipt,
  ): Promise<void> {
    const { stateDir } = this.#options;
    const { skill } = branch;
    if (receipt.status === "blocked" && receipt.why === "declined" && receipt.pullRequest !== null)
      await declineHere(await this.#opened(), context, branch, {
        pullRequest: receipt.pullRequest,
        reason: receipt.reason,
      });
    const known = await readPullRequestNote(stateDir, skill);
    const isDressed = receipt.status === "done" && receipt.commit !== null;
    const extras = isDressed ? "tried" : known?.extras;
    await writePullRequestNote(stateDir, { skill, ...noteOf(receipt, known), extras });
  }
}

/** Nothing is written down of what isn't known. */
function knownOf(extras: ExtrasState): PullRequestNote["extras"] {
  return extras === "unknown" ? undefined : extras;
}

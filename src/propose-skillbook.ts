/**
 * The Skillbook's story: operations are applied to where it stands, what is rendered from it is sealed
 * and verified like every skill, and waits on `auto-skill/skillbook` for a person. One at a time: runs
 * take turns, and none is lost.
 */
import type { Config } from "./core/config.ts";
import { REVIEW_TRIES } from "./core/limits.ts";
import { resolveAcceptedBase } from "./git/accepted-base.ts";
import { ObjectReader } from "./git/objects.ts";
import { type Base, type Repository, stateDir } from "./git/repository.ts";
import { openWorkspace, pruneWorkspaces, putFolder, type Workspace } from "./git/workspace.ts";
import { NO_MARKS, waitingAt } from "./join-waiting.ts";
import { keepMarks } from "./keep-marks.ts";
import type { Proposal } from "./proposal/proposal.ts";
import { writeProposals } from "./proposal/proposal-files.ts";
import { type Sealed, type SealInput, seal } from "./proposal/seal.ts";
import { listDeclined } from "./publish/declined.ts";
import { type MarksBatch, type MarksThere, namesOf } from "./publish/marks-branch.ts";
import { type Published, publishProposals } from "./publish/publish-proposals.ts";
import { isBlocked } from "./publish/publish-to-branch.ts";
import type { PullRequests } from "./publish/pull-requests.ts";
import { fillOperations, withSessions } from "./publish/skillbook-message.ts";
import { finishReturns } from "./return-marks.ts";
import { skillbookLock } from "./skillbook-lock.ts";
import { notProposed, proposedAs, type SkillbookOutcome, waits } from "./skillbook-outcome.ts";
import { findSkillbook, type SkillbookPlace } from "./skillbook-place.ts";
import { withMarks } from "./skills/join-marks.ts";
import type { BatchProblem, Operation } from "./skills/operation.ts";
import type { Skillbook } from "./skills/skillbook.ts";
import { renderSkillbookFiles, SKILLBOOK_FOLDER, skillFolders } from "./skills/skillbook-files.ts";
import { limitWarnings } from "./skills/skillbook-limits.ts";
import { keepAside, setAside } from "./waiting-tags.ts";

export interface SkillbookRun {
  readonly repository: Repository;
  readonly config: Pick<Config, "base" | "publish" | "rules" | "skillsRoot">;
  /** templates/skillbook-commit-message.txt */
  readonly messageTemplate: string;
  /** Absent: what is published stays on the local branch. */
  readonly pullRequests?: PullRequests | undefined;
  /** Everything but the branch; leaves no trace. */
  readonly dryRun: boolean;
  /** Also write the sealed proposal there. */
  readonly outDir: string | null;
  /** Told what is happening, one short phrase per step. */
  readonly onStep: (step: string) => void;
  /** Told what a person may want to know besides the outcome. */
  readonly onNote: (note: string) => void;
}

/** What is to be done, and where it comes from. */
export interface SkillbookChange
  extends Pick<SealInput, "session" | "usage" | "observed" | "redact" | "sessionTexts"> {
  /**
   * Pure: makes the new Skillbook of the one that stands now; it may be asked more than once.
   * `isMarked` tells by a session's digest that its marks are there or wait.
   */
  readonly make: (
    skillbook: Skillbook,
    skills: ReadonlySet<string>,
    isMarked: (digest: string) => boolean,
  ) => MadeChange;
  /** One or two sentences for whoever approves it. */
  readonly why: string;
  /** Other sessions that it comes from. */
  readonly alsoFrom?: readonly SealInput["session"][];
  /** What another process observed of the sessions when it sealed this. */
  readonly sealed?: Partial<Pick<Proposal, "alsoFrom" | "evidence" | "findings" | "signals">>;
  /** Digest of the session that a mark comes from, which gives it once; null: nothing that comes twice. */
  readonly digestOf: ((mark: Operation) => string) | null;
}

export type MadeChange =
  | {
      readonly ok: true;
      readonly skillbook: Skillbook;
      readonly operations: readonly Operation[];
      /** The strategy or skill that each operation is about. */
      readonly ids: readonly string[];
      readonly warnings: readonly string[];
      /** By which the commit says that it brought this, for whoever brings it again. */
      readonly names?: readonly string[];
    }
  | { readonly ok: false; readonly problems: readonly BatchProblem[] };

/** Brings what is open on GitHub here, so that what comes next goes on from it. @throws SkillprError `git` */
export async function fetchOpenSkillbook(
  run: Pick<SkillbookRun, "repository" | "config" | "dryRun" | "pullRequests">,
): Promise<void> {
  const { repository, config, dryRun, pullRequests } = run;
  if (dryRun || pullRequests === undefined) return;
  const base = await resolveAcceptedBase(repository, config.base, config.skillsRoot);
  await pullRequests.fetchOpen(base);
}

/** @throws SkillprError `input` when a Skillbook can't be read, `git` */
export async function proposeSkillbook(
  change: SkillbookChange,
  run: SkillbookRun,
): Promise<SkillbookOutcome> {
  const { repository, config } = run;
  await using _ = await skillbookLock(repository);
  await pruneWorkspaces(repository, { onNote: run.onNote });
  if (!run.dryRun) await finishReturns(repository);
  const there = run.dryRun ? undefined : await run.pullRequests?.marks();
  for (let tries = 1; ; tries++) {
    const base = await resolveAcceptedBase(repository, config.base, config.skillsRoot);
    const tried = await proposeOnce(change, base, { ...run, there: there ?? NO_MARKS });
    if (tried.isStale && tries < REVIEW_TRIES) continue;
    if (tried.keep === undefined) return tried.outcome;
    return keep(tried.keep, change, run);
  }
}

interface Tried {
  /** What to answer; of no meaning where marks are to be kept. */
  readonly outcome: SkillbookOutcome;
  /** Somebody else was faster: look again. */
  readonly isStale: boolean;
  /** Marks that found no open proposal to join, or one that is left alone. */
  readonly keep?: {
    readonly operations: readonly Operation[];
    /** What waited before. */
    readonly waiting: readonly MarksBatch[];
    readonly notes: readonly string[];
    readonly isDry: boolean;
    readonly base: Base;
  };
}

/** Marks alone wait; what an earlier run left to be published is published all the same. */
async function keep(
  { operations, waiting, notes, isDry, base }: NonNullable<Tried["keep"]>,
  change: SkillbookChange,
  run: SkillbookRun,
): Promise<SkillbookOutcome> {
  if (!isDry) await keepMarks(operations, change, run);
  const results = await publishAll([], { base, isDry, messageTemplate: run.messageTemplate }, run);
  return waits(operations, [...waiting, { operations }], notes, results);
}

async function proposeOnce(
  change: SkillbookChange,
  base: Base,
  run: SkillbookRun & { readonly there: MarksThere },
): Promise<Tried> {
  const { repository, config } = run;
  const { skillsRoot } = config;
  run.onStep("looking at the Skillbook");
  await using reader = new ObjectReader(repository.git, repository.objectFormat);
  const place = await findSkillbook({ repository, reader, base, skillsRoot });
  const { open, continues } = place;
  const overlays =
    open === null || continues !== null
      ? []
      : [{ folder: SKILLBOOK_FOLDER, tree: open.folderTree }];
  await using workspace = await openWorkspace(repository, { base, skillsRoot, overlays });
  const skills = skillFolders(workspace.source, skillsRoot);
  const isDry = run.dryRun || config.publish === "none";
  const { joining, all, isMarked } = await waitingAt(change, { place, base, isDry }, run);
  const caughtUp = withMarks(place.skillbook, joining, skills);
  const made = change.make(caughtUp.skillbook, skills, isMarked);
  if (!made.ok) return { outcome: notProposed(made.problems), isStale: false };
  const notes = [
    ...place.dropped,
    ...caughtUp.dropped,
    ...made.warnings,
    ...limitWarnings(made.skillbook),
  ];
  const { operations } = made;
  const kept = { operations, waiting: all, notes, isDry, base };
  const isMarks = isOnlyTags(operations);
  // What is sealed is handed on, marks too: this clone may be gone when it is published.
  const isHandedOn = run.outDir !== null && operations.length > 0;
  if (open === null && isMarks && !isHandedOn)
    return { outcome: waits(operations, all, notes), isStale: false, keep: kept };

  run.onStep("verifying");
  const files = renderSkillbookFiles(made.skillbook).map(
    ({ path, content }) => [path, content] as const,
  );
  await putFolder(workspace, SKILLBOOK_FOLDER, files);
  const sealed = await sealSkillbook(change, { workspace, base, place }, run);
  const result = { made, place, sealed, notes, skillsRoot, base };
  if (run.outDir !== null) await writeProposals(run.outDir, sealed.proposals);

  run.onStep("publishing");
  const isBrought = !isDry && sealed.proposals.length > 0;
  const own = isBrought ? await keepAside(repository, operations, change) : [];
  const names = [...new Set([...joining.flatMap(namesOf), ...own, ...(made.names ?? [])])];
  const template = withSessions(run.messageTemplate, joining);
  const messageTemplate = fillOperations(template, made, names);
  const results = await publishAll(sealed.proposals, { base, isDry, messageTemplate }, run);
  const receipt = sealed.proposals.length === 0 ? undefined : results[0]?.receipt;
  if (receipt?.status === "done" && !isDry) await setAside(repository, joining);
  const outcome = proposedAs(result, results);
  return triedAs({ outcome, isStale: false }, receipt, isMarks ? kept : null);
}

/** @param kept of marks alone: they wait where they can't join */
function triedAs(
  tried: Tried,
  receipt: Published["receipt"] | undefined,
  kept: NonNullable<Tried["keep"]> | null,
): Tried {
  if (receipt?.status !== "blocked") return tried;
  const isStale = isBlocked(receipt, "stale");
  if (kept === null) return { ...tried, isStale };
  const why = `the marks wait, because they can't join the open proposal: ${receipt.reason}`;
  return { ...tried, isStale, keep: { ...kept, notes: [...kept.notes, why] } };
}

async function publishAll(
  proposals: Sealed["proposals"],
  how: { readonly base: Base; readonly isDry: boolean; readonly messageTemplate: string },
  { repository, config, pullRequests }: SkillbookRun,
): Promise<Published[]> {
  return publishProposals(proposals, {
    repository,
    base: how.base,
    declined: await listDeclined(stateDir(repository)),
    messageTemplate: how.messageTemplate,
    levels: config.rules,
    isDryRun: how.isDry,
    pullRequests,
  });
}

async function sealSkillbook(
  change: SkillbookChange,
  at: { readonly workspace: Workspace; readonly base: Base; readonly place: SkillbookPlace },
  { repository, config, dryRun }: SkillbookRun,
): Promise<Sealed> {
  const sealed = await seal({
    ...change,
    repository,
    workspace: at.workspace,
    skillsRoot: config.skillsRoot,
    base: at.base,
    ...tipsOf(at.place),
    why: new Map([[SKILLBOOK_FOLDER, change.why]]),
    extras: { levels: config.rules },
    reviewFindings: [],
    withDiffs: dryRun,
  });
  if (change.sealed !== undefined) {
    const proposals = sealed.proposals.map((each) => ({ ...each, ...change.sealed }));
    return { ...sealed, proposals };
  }
  const others = change.alsoFrom ?? [];
  if (others.length === 0) return sealed;
  // Their commands are in the evidence of the first: what was observed is observed of all.
  const alsoFrom = others.map((session) => ({ session, evidence: [] }));
  return { ...sealed, proposals: sealed.proposals.map((each) => ({ ...each, alsoFrom })) };
}

/** Where the branch goes on: from its tip, or, where the base moved, from both. */
function tipsOf({ open, continues }: SkillbookPlace): Pick<SealInput, "openTips" | "continued"> {
  if (continues !== null)
    return { openTips: new Map(), continued: new Map([[SKILLBOOK_FOLDER, continues]]) };
  if (open === null) return { openTips: new Map() };
  return { openTips: new Map([[SKILLBOOK_FOLDER, { commit: open.tip, tree: open.tree }]]) };
}

/** Nothing at all is no change either: marks that wait don't come with it. */
function isOnlyTags(operations: readonly Operation[]): boolean {
  return operations.every(({ type }) => type === "TAG");
}

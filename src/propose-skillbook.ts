/**
 * The Skillbook's story: operations are applied to where it stands, what is rendered from it is sealed
 * and verified like every skill, and waits on `auto-skill/skillbook` for a person. One at a time: runs
 * take turns, and none is lost.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Config } from "./core/config.ts";
import { SkillprError } from "./core/errors.ts";
import {
  LOCK_RETRY_PAUSE_MS,
  REVIEW_TRIES,
  SKILLBOOK_LOCK_PAUSE_MS,
  SKILLBOOK_LOCK_WAIT_MS,
} from "./core/limits.ts";
import { resolveAcceptedBase } from "./git/accepted-base.ts";
import { ObjectReader } from "./git/objects.ts";
import { acquireLock, type ProcessLock } from "./git/process-lock.ts";
import { type Base, type Repository, stateDir } from "./git/repository.ts";
import { openWorkspace, pruneWorkspaces, type Workspace } from "./git/workspace.ts";
import { writeProposals } from "./proposal/proposal-files.ts";
import { type Sealed, type SealInput, seal } from "./proposal/seal.ts";
import { listDeclined } from "./publish/declined.ts";
import { publishProposals } from "./publish/publish-proposals.ts";
import { isBlocked } from "./publish/publish-to-branch.ts";
import {
  fillMessage,
  notProposed,
  proposedAs,
  type SkillbookOutcome,
  waits,
} from "./skillbook-outcome.ts";
import { findSkillbook, type SkillbookPlace } from "./skillbook-place.ts";
import { applyUpdate } from "./skills/apply-update.ts";
import type { BatchProblem, Operation } from "./skills/operation.ts";
import type { Skillbook } from "./skills/skillbook.ts";
import { renderSkillbookFiles, SKILLBOOK_FOLDER, skillFolders } from "./skills/skillbook-files.ts";
import { forgetWaiting, keepWaiting, listWaiting, type WaitingTags } from "./waiting-tags.ts";

export interface SkillbookRun {
  readonly repository: Repository;
  readonly config: Pick<Config, "base" | "publish" | "rules" | "skillsRoot">;
  /** templates/skillbook-commit-message.txt */
  readonly messageTemplate: string;
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
  /** Pure: makes the new Skillbook of the one that stands now; it may be asked more than once. */
  readonly make: (skillbook: Skillbook, skills: ReadonlySet<string>) => MadeChange;
  /** One or two sentences for whoever approves it. */
  readonly why: string;
}

export type MadeChange =
  | {
      readonly ok: true;
      readonly skillbook: Skillbook;
      readonly operations: readonly Operation[];
      /** The strategy or skill that each operation is about. */
      readonly ids: readonly string[];
      readonly warnings: readonly string[];
    }
  | { readonly ok: false; readonly problems: readonly BatchProblem[] };

/** @throws SkillprError `input` when a Skillbook can't be read, `git` */
export async function proposeSkillbook(
  change: SkillbookChange,
  run: SkillbookRun,
): Promise<SkillbookOutcome> {
  const { repository, config } = run;
  await using _ = await skillbookLock(repository);
  await pruneWorkspaces(repository, { onNote: run.onNote });
  for (let tries = 1; ; tries++) {
    const base = await resolveAcceptedBase(repository, config.base, config.skillsRoot);
    const { outcome, isStale } = await proposeOnce(change, base, run);
    if (!isStale || tries === REVIEW_TRIES) return outcome;
  }
}

async function skillbookLock(repository: Repository): Promise<ProcessLock> {
  const folder = join(stateDir(repository), "skillbook", "lock");
  const until = Date.now() + SKILLBOOK_LOCK_WAIT_MS;
  // Every look at the lock costs all who look at once: the more often it was in vain, the rarer.
  for (
    let most = LOCK_RETRY_PAUSE_MS;
    Date.now() < until;
    most = Math.min(2 * most, SKILLBOOK_LOCK_PAUSE_MS)
  ) {
    const lock = await acquireLock(folder, 1);
    if (lock !== null) return lock;
    await pause(most * Math.random());
  }
  throw new SkillprError(
    "git",
    "another run has been working on the Skillbook for minutes",
    "wait for it to end, then run this again",
  );
}

async function proposeOnce(change: SkillbookChange, base: Base, run: SkillbookRun) {
  const { repository, config } = run;
  const { skillsRoot } = config;
  run.onStep("looking at the Skillbook");
  await using reader = new ObjectReader(repository.git, repository.objectFormat);
  const place = await findSkillbook({ repository, reader, base, skillsRoot });
  const { open, isMadeAgain } = place;
  const overlays =
    open === null || isMadeAgain ? [] : [{ folder: SKILLBOOK_FOLDER, tree: open.folderTree }];
  await using workspace = await openWorkspace(repository, { base, skillsRoot, overlays });
  const skills = skillFolders(workspace.source, skillsRoot);
  const waiting = await listWaiting(repository);
  const caughtUp = withWaiting(place.skillbook, waiting, skills);
  const made = change.make(caughtUp.skillbook, skills);
  if (!made.ok) return { outcome: notProposed(made.problems), isStale: false };
  const notes = [...place.dropped, ...caughtUp.dropped, ...made.warnings];
  const isDry = run.dryRun || config.publish === "none";
  if (open === null && isOnlyTags(made.operations)) {
    const batch = { reasoning: "", operations: made.operations };
    if (!isDry && batch.operations.length > 0) await keepWaiting(repository, batch);
    return { outcome: waits(made.operations, waiting, notes), isStale: false };
  }

  run.onStep("verifying");
  await writeFiles(workspace, made.skillbook);
  const sealed = await sealSkillbook(change, { workspace, base, place }, run);
  const result = { made, place, sealed, notes, skillsRoot, base };
  if (run.outDir !== null) await writeProposals(run.outDir, sealed.proposals);
  if (sealed.proposals.length === 0) return { outcome: proposedAs(result, []), isStale: false };

  run.onStep("publishing");
  const results = await publishProposals(sealed.proposals, {
    repository,
    base,
    declined: await listDeclined(stateDir(repository)),
    messageTemplate: fillMessage(run.messageTemplate, made),
    levels: config.rules,
    isDryRun: isDry,
  });
  const isDone = results.every(({ receipt }) => receipt.status === "done");
  if (isDone && !isDry) await forgetWaiting(waiting);
  const isStale = results.some(({ receipt }) => isBlocked(receipt, "stale"));
  return { outcome: proposedAs(result, results), isStale };
}

function sealSkillbook(
  change: SkillbookChange,
  at: { readonly workspace: Workspace; readonly base: Base; readonly place: SkillbookPlace },
  { repository, config, dryRun }: SkillbookRun,
): Promise<Sealed> {
  return seal({
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
}

/** Where the branch goes on: from its tip, or, where the base moved, from both. */
function tipsOf({ open, isMadeAgain }: SkillbookPlace): Pick<SealInput, "openTips" | "continued"> {
  if (open === null) return { openTips: new Map() };
  if (isMadeAgain)
    return { openTips: new Map(), continued: new Map([[SKILLBOOK_FOLDER, open.tip]]) };
  return { openTips: new Map([[SKILLBOOK_FOLDER, { commit: open.tip, tree: open.tree }]]) };
}

/** Marks that waited come first; one whose strategy is gone is named and left out. */
function withWaiting(
  skillbook: Skillbook,
  waiting: readonly WaitingTags[],
  skills: ReadonlySet<string>,
): { readonly skillbook: Skillbook; readonly dropped: readonly string[] } {
  const dropped: string[] = [];
  let current = skillbook;
  for (const operation of waiting.flatMap(({ operations }) => operations)) {
    const batch = { reasoning: "", operations: [operation] };
    const applied = applyUpdate(current, batch, { skills, at: new Date().toISOString() });
    if (applied.ok) current = applied.skillbook;
    else dropped.push(`a mark that waited for "${operation.skill_id}" no longer applies`);
  }
  return { skillbook: current, dropped };
}

/** Nothing at all is no change either: marks that wait don't come with it. */
function isOnlyTags(operations: readonly Operation[]): boolean {
  return operations.every(({ type }) => type === "TAG");
}

/** The workspace is our own and fresh: nothing in it can lead elsewhere. */
async function writeFiles(workspace: Workspace, skillbook: Skillbook): Promise<void> {
  for (const { path, content } of renderSkillbookFiles(skillbook)) {
    const to = join(workspace.skillsDir, SKILLBOOK_FOLDER, path);
    await mkdir(dirname(to), { recursive: true });
    await writeFile(to, content, { mode: 0o644 });
  }
}

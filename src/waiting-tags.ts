/**
 * Marks that wait: a batch of nothing but TAGs opens no proposal of its own, so it is kept in the git
 * folder, one file a batch, until the Skillbook changes for another reason.
 */
import { randomBytes } from "node:crypto";
import { readFile, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { writeFileAtomically } from "./core/atomic-file.ts";
import { hasCode, SkillprError } from "./core/errors.ts";
import { RECALLED_COMMITS_MAX } from "./core/limits.ts";
import { makeFolders } from "./core/make-folders.ts";
import { namesIn } from "./core/names-in.ts";
import { requireId } from "./git/names.ts";
import { type Repository, stateDir } from "./git/repository.ts";
import type { Proposal } from "./proposal/proposal.ts";
import { appliedMarks } from "./publish/applied-marks.ts";
import {
  hashOf,
  isAmong,
  keyOfMarks,
  type MarksBatch,
  marksText,
  namesOf,
  parseMarks,
} from "./publish/marks-branch.ts";
import {
  digestsIn,
  MARKS_PATTERN,
  marksIn,
  REFLECTED_PATTERN,
} from "./publish/skillbook-message.ts";
import type { Operation, TagOperation } from "./skills/operation.ts";

export interface WaitingTags extends MarksBatch {
  /** The file that holds them. */
  readonly file: string;
}

/** All that wait, the oldest first. @throws SkillprError `input` for a file that is no batch of marks */
export async function listWaiting(repository: Repository): Promise<WaitingTags[]> {
  const dir = waitingFolder(repository);
  const waiting: WaitingTags[] = [];
  for (const name of await batchesIn(dir)) waiting.push(await readWaiting(join(dir, name)));
  return waiting;
}

/** The oldest first: the names begin with their time. */
async function batchesIn(dir: string): Promise<string[]> {
  return (await namesIn(dir)).filter((each) => each.endsWith(".json")).sort();
}

/**
 * Takes from a list what is in the Skillbook already: a run was killed after its commit was made, and before
 * it removed the file. The commit's trailer says so.
 * @param tips commits in whose history it may be
 */
export async function withoutApplied(
  repository: Repository,
  waiting: readonly WaitingTags[],
  tips: readonly string[],
): Promise<{ readonly fresh: readonly WaitingTags[]; readonly applied: readonly WaitingTags[] }> {
  if (waiting.length === 0) return { fresh: [], applied: [] };
  const isApplied = isAmong(await appliedMarks(repository, tips));
  return {
    fresh: waiting.filter((each) => !isApplied(each)),
    applied: waiting.filter(isApplied),
  };
}

/**
 * Tells of a session whether its marks are in the Skillbook already or wait to come into it: a run was
 * killed before the ledger knew, or two reflected on one session at once.
 * @param digestOf null: the change comes of no session, and nothing is looked up
 * @param at all that wait, kept with the session's digest as their key; the tips in whose history the Skillbook
 *   came to be: trailers there name sessions and batches of marks
 * @returns asked with a session's digest
 */
export async function markedSessions(
  { digestOf }: { readonly digestOf: ((mark: Operation) => string) | null },
  at: {
    readonly waiting: readonly MarksBatch[];
    readonly tips: readonly string[];
    readonly repository: Repository;
  },
): Promise<(digest: string) => boolean> {
  if (digestOf === null) return () => false;
  const { waiting, tips, repository } = at;
  for (const tip of tips) requireId(tip);
  const bound = `--max-count=${RECALLED_COMMITS_MAX}`;
  const grep = [`--grep=${MARKS_PATTERN}`, `--grep=${REFLECTED_PATTERN}`];
  const messages = await repository.git.text([
    "log",
    "--no-color",
    bound,
    ...grep,
    "--format=%B",
    ...tips,
    "--",
  ]);
  const digests = new Set(digestsIn(messages));
  const names = [...marksIn(messages), ...waiting.flatMap(namesOf)];
  const hashes = new Set(names.map(keyOfMarks));
  return (digest) => digests.has(digest) || hashes.has(hashOf(digest));
}

/**
 * Keeps a batch; it is on the disk when this returns.
 * @param key what it comes from, a session's digest: kept again after a kill, it is the same file. Null: nothing that comes twice
 */
export async function keepWaiting(
  repository: Repository,
  batch: Omit<MarksBatch, "name">,
  key: string | null,
): Promise<void> {
  await keepIn(waitingFolder(repository), batch, key);
}

async function keepIn(
  dir: string,
  batch: Omit<MarksBatch, "name">,
  key: string | null,
): Promise<string> {
  makeFolders(dir);
  const id = key === null ? randomBytes(8).toString("hex") : hashOf(key);
  const known = (await batchesIn(dir)).find((each) => each.endsWith(`-${id}.json`));
  const name = known ?? `${Date.now()}-${id}.json`;
  await writeFileAtomically(join(dir, name), marksText(batch));
  return basename(name, ".json");
}

/** Who gave marks. */
export interface MarkSource {
  /** Digest of the session that a mark comes from; null: nothing that comes twice. */
  readonly digestOf: ((mark: Operation) => string) | null;
  readonly session: Proposal["session"];
  readonly alsoFrom?: readonly Proposal["session"][] | undefined;
}

/** Keeps marks, a batch for each session, so that each can be known again by itself. */
export async function keepBySession(
  repository: Repository,
  marks: readonly Operation[],
  source: MarkSource,
): Promise<void> {
  await keepEach(waitingFolder(repository), marks, source);
}

/**
 * Keeps the marks that a proposal is about to bring itself, as those that waited are kept: who rejects it doesn't
 * reject them.
 * @returns the batches' names, for the commit
 */
export async function keepAside(
  repository: Repository,
  marks: readonly Operation[],
  source: MarkSource,
): Promise<string[]> {
  return keepEach(asideOf(repository), marks, source);
}

async function keepEach(
  dir: string,
  marks: readonly Operation[],
  { digestOf, session: first, alsoFrom = [] }: MarkSource,
): Promise<string[]> {
  const bySession = new Map<string | null, TagOperation[]>();
  for (const mark of marks) {
    if (mark.type !== "TAG") continue;
    const digest = digestOf?.(mark) ?? null;
    bySession.set(digest, [...(bySession.get(digest) ?? []), mark]);
  }
  const names: string[] = [];
  for (const [digest, operations] of bySession) {
    const session = [first, ...alsoFrom].find((each) => each.digest === digest);
    names.push(await keepIn(dir, { operations, session }, digest));
  }
  return names;
}

/** They are in the Skillbook now. */
export async function forgetWaiting(waiting: readonly WaitingTags[]): Promise<void> {
  for (const { file } of waiting) await rm(file, { force: true });
}

/** They are in the open proposal now: kept until that is decided, because who rejects it doesn't reject them. */
export async function setAside(
  repository: Repository,
  waiting: readonly WaitingTags[],
): Promise<void> {
  if (waiting.length > 0) makeFolders(asideOf(repository));
  for (const { name, file } of waiting)
    await moveIfThere(file, join(asideOf(repository), `${name}.json`));
}

/** No proposal is open: what was set aside for one is accepted, or waits again. */
export async function forgetAside(repository: Repository): Promise<void> {
  await rm(asideOf(repository), { recursive: true, force: true });
}

/** What was set aside; what can't be read is passed over, since the proposal has it too. */
export async function listAside(repository: Repository): Promise<MarksBatch[]> {
  const dir = asideOf(repository);
  const aside: MarksBatch[] = [];
  for (const name of await batchesIn(dir)) {
    const batch = parseMarks(await readFile(join(dir, name), "utf8"));
    if (batch !== null) aside.push({ name: basename(name, ".json"), ...batch });
  }
  return aside;
}

/** Keeps batches under their names; one that waits already waits once. */
export async function waitAgain(
  repository: Repository,
  batches: readonly MarksBatch[],
): Promise<void> {
  const dir = waitingFolder(repository);
  if (batches.length > 0) makeFolders(dir);
  const known = new Set((await batchesIn(dir)).map((each) => keyOfMarks(basename(each, ".json"))));
  for (const { name, ...batch } of batches)
    if (!known.has(keyOfMarks(name)))
      await writeFileAtomically(join(dir, `${name}.json`), marksText(batch));
}

async function moveIfThere(from: string, to: string): Promise<void> {
  await rename(from, to).catch((error: unknown) => {
    if (!hasCode(error, "ENOENT")) throw error;
  });
}

/** Where they lie, a file a batch. */
export function waitingFolder(repository: Repository): string {
  return join(stateDir(repository), "skillbook", "waiting");
}

function asideOf(repository: Repository): string {
  return join(stateDir(repository), "skillbook", "joined");
}

async function readWaiting(file: string): Promise<WaitingTags> {
  const batch = parseMarks(await readFile(file, "utf8"));
  if (batch !== null) return { name: basename(file, ".json"), file, ...batch };
  throw new SkillprError(
    "input",
    `${file} holds no marks that wait`,
    "look into it, then remove it: its marks are lost to the Skillbook",
  );
}

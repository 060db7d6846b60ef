/**
 * Marks that wait on the remote: a batch of nothing but TAGs opens no pull request, and a clone that is
 * thrown away would take it along. They lie on a branch of their own, a file a batch, until the
 * Skillbook's pull request brings them; proposals are other branches, so that none is open for marks alone.
 */
import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { SkillprError } from "../core/errors.ts";
import { jsonOrNull } from "../core/json-or-null.ts";
import * as limits from "../core/limits.ts";
import { ObjectReader } from "../git/objects.ts";
import { shortRef } from "../git/refs.ts";
import type { Repository } from "../git/repository.ts";
import { type Proposal, SessionSchema } from "../proposal/proposal.ts";
import type { TagOperation } from "../skills/operation.ts";
import { isCount } from "../skills/skill-tags.ts";
import { parseUpdateBatch } from "../skills/update-batch.ts";
import { appliedMarks } from "./applied-marks.ts";
import { commitAsSkillpr } from "./identity.ts";
import type { PullRequestPlace } from "./pull-request-place.ts";

const MARKS_REF = "refs/heads/skillpr/marks";
const FOLDER = "marks";
const MESSAGE = "skillpr: marks that wait for the next change of the Skillbook\n";

/** One batch of marks. */
export interface MarksBatch {
  /** By which the commit that brings them into the Skillbook is known again. */
  readonly name: string;
  /** Names of other batches whose marks are among these, where nobody knows which of them is whose. */
  readonly also?: readonly string[] | undefined;
  readonly operations: readonly TagOperation[];
  /** The session that gave them, and how far it was reviewed; absent where they come of none. */
  readonly session?: Proposal["session"] | undefined;
}

export interface MarksThere {
  /** The branch's commit; null: there is none. */
  readonly tip: string | null;
  /** The oldest first. */
  readonly batches: readonly MarksBatch[];
  /** Those of pull requests that were closed without a merge; see closed-marks.ts. */
  readonly returned?: readonly MarksBatch[];
}

/** @returns null for a text that is no batch of marks */
export function parseMarks(text: string): Omit<MarksBatch, "name"> | null {
  const value = text.length > limits.WAITING_BATCH_MAX_BYTES ? null : jsonOrNull(text);
  const parsed = parseUpdateBatch(value);
  if (!parsed.ok) return null;
  const marks = parsed.batch.operations.filter((each) => each.type === "TAG");
  if (marks.length < parsed.batch.operations.length) return null;
  const operations = withUses(marks, (value as { operations?: unknown }).operations ?? value);
  const { session, also } = value as { session?: unknown; also?: unknown };
  const known = SessionSchema.safeParse(session);
  const names = Array.isArray(also) ? also.filter(isMarksName) : [];
  return {
    operations,
    ...(known.success && { session: known.data }),
    ...(names.length > 0 && { also: names }),
  };
}

/** How often strategies were used, which an import kept with its marks: batches of others can't say it. */
function withUses(marks: readonly TagOperation[], raw: unknown): readonly TagOperation[] {
  return marks.map((mark, at) => {
    const used: unknown = Array.isArray(raw) ? raw[at]?.used : undefined;
    return isCount(used) && Number(used) > 0 ? { ...mark, used: Number(used) } : mark;
  });
}

/** What a batch of marks is called after: of the same session, the same. */
export function hashOf(key: string): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 16);
}

/** Names are made here, and read where others may have written them. */
export function isMarksName(value: unknown): value is string {
  return typeof value === "string" && /^\d{1,16}-[0-9a-f]{16}$/.test(value);
}

/** All names that a batch is known by. */
export function namesOf({ name, also = [] }: Pick<MarksBatch, "name" | "also">): string[] {
  return [name, ...also];
}

/** By what a batch is known in histories and among what waits. */
export function keysOf(batches: readonly Pick<MarksBatch, "name" | "also">[]): Set<string> {
  return new Set(batches.flatMap(namesOf).map(keyOfMarks));
}

/** Whether one of its names is among these: of one batch, all come at once. */
export function isAmong(
  keys: ReadonlySet<string>,
): (batch: Pick<MarksBatch, "name" | "also">) => boolean {
  return (batch) => namesOf(batch).some((name) => keys.has(keyOfMarks(name)));
}

interface FileThere extends MarksBatch {
  readonly id: string;
}

/**
 * What waits there. Whoever may push there may have written it: what is no batch of marks is passed over, and
 * the rest is checked like any operation when it is applied.
 * @throws SkillprError `git`
 */
export async function readMarks(place: PullRequestPlace): Promise<MarksThere> {
  const { sourceRemote, repository } = place;
  const [at] = await sourceRemote.list([MARKS_REF]);
  if (at === undefined) return { tip: null, batches: [] };
  await sourceRemote.fetch([at.id]);
  await using reader = new ObjectReader(repository.git, repository.objectFormat);
  return { tip: at.id, batches: await filesAt(reader, at.id) };
}

/** What lies in a commit of that branch which is here. */
export async function marksAt(repository: Repository, commit: string): Promise<MarksBatch[]> {
  await using reader = new ObjectReader(repository.git, repository.objectFormat);
  // Awaited here: the reader must outlive the use.
  return await filesAt(reader, commit);
}

async function filesAt(reader: ObjectReader, commit: string): Promise<FileThere[]> {
  const folder = await reader.treeAt((await reader.commit(commit, MARKS_REF)).tree, FOLDER);
  if (folder === null) return [];
  const files: FileThere[] = [];
  for (const { name: bytes, id, mode } of await reader.tree(folder)) {
    const name = /^(.*)\.json$/.exec(Buffer.from(bytes).toString("utf8"))?.[1];
    if (!isMarksName(name) || mode !== "100644" || files.length >= limits.WAITING_MARKS_MAX)
      continue;
    const blob = await reader.blob(id, limits.WAITING_BATCH_MAX_BYTES);
    const batch = blob === null ? null : parseMarks(Buffer.from(blob).toString("utf8"));
    if (batch !== null) files.push({ name, id, ...batch });
  }
  return files.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The name without its time: of the same session it is the same. */
export function keyOfMarks(name: string): string {
  return name.replace(/^\d+-/, "");
}

/**
 * Adds batches; those whose key waits there already are there. Runs at once lose nothing: the branch moves
 * only from where it was seen.
 * @throws SkillprError `git`, `github` when the remote refuses
 * @returns false when others kept moving the branch, or it is full
 */
export async function addMarks(
  place: PullRequestPlace,
  batches: readonly MarksBatch[],
): Promise<boolean> {
  for (let tries = 1; tries <= limits.MARKS_PUSH_TRIES; tries++) {
    const there = await readMarks(place);
    const isThere = isAmong(keysOf(there.batches));
    const fresh = batches.filter((each) => !isThere(each));
    if (fresh.length === 0) return true;
    if (there.batches.length + fresh.length > limits.WAITING_MARKS_MAX) return false;
    const added = place.config.signCommits
      ? await commitThere(place, there.tip, fresh)
      : await pushThere(place, there.tip, fresh);
    if (added) return true;
    await pause(limits.REF_LOCK_PAUSE_MS * tries * Math.random());
  }
  return false;
}

async function pushThere(
  { repository, sourceRemote }: PullRequestPlace,
  tip: string | null,
  fresh: readonly MarksBatch[],
): Promise<boolean> {
  const { git } = repository;
  const known = tip === null ? [] : await linesAt(repository, tip);
  const lines = [...known];
  for (const batch of fresh) {
    const args = ["hash-object", "-w", "--no-filters", "--stdin"];
    const blob = await git.text(args, { input: marksText(batch) });
    lines.push(`100644 blob ${blob}\t${batch.name}.json\n`);
  }
  const folder = await git.text(["mktree"], { input: lines.join("") });
  const tree = await git.text(["mktree"], { input: `040000 tree ${folder}\t${FOLDER}\n` });
  // On a tree of its own: no workflow of the base's runs for it.
  const parents = tip === null ? [] : [tip];
  const commit = await commitAsSkillpr(git, { tree, parents, message: MESSAGE });
  return (await sourceRemote.push({ commit, ref: MARKS_REF, expected: tip })) === "pushed";
}

async function linesAt(repository: Repository, tip: string): Promise<string[]> {
  await using reader = new ObjectReader(repository.git, repository.objectFormat);
  const files = await filesAt(reader, tip);
  return files.map(({ name, id }) => `100644 blob ${id}\t${name}.json\n`);
}

/** GitHub signs only what it puts on a commit that is there: the base, for the first batch. */
async function commitThere(
  { github, source, target, base, targetRemote, sourceRemote }: PullRequestPlace,
  tip: string | null,
  fresh: readonly MarksBatch[],
): Promise<boolean> {
  let head = tip;
  if (head === null) {
    const [at] = await targetRemote.list([`refs/heads/${base}`]);
    if (at === undefined) return false;
    await targetRemote.fetch([at.id]);
    const start = { commit: at.id, ref: MARKS_REF, expected: null };
    if ((await sourceRemote.push(start)) !== "pushed") return false;
    head = at.id;
  }
  const commit = await github.createCommit({
    repository: source ?? target,
    branch: shortRef(MARKS_REF),
    expectedHead: head,
    message: MESSAGE,
    files: fresh.map((batch) => ({
      path: `${FOLDER}/${batch.name}.json`,
      bytes: Buffer.from(marksText(batch)),
    })),
  });
  return commit !== "lost-race";
}

/** As a file. */
export function marksText({ operations, session, also }: Omit<MarksBatch, "name">): string {
  return `${JSON.stringify({ reasoning: "", operations, session, also }, null, 2)}\n`;
}

/**
 * What waits there and is in none of these histories.
 * @param tips commits that are here
 */
export async function freshMarks(
  repository: Repository,
  { batches, returned = [] }: MarksThere,
  tips: readonly string[],
): Promise<readonly MarksBatch[]> {
  const all = [...batches, ...returned];
  if (all.length === 0) return [];
  const isApplied = isAmong(await appliedMarks(repository, tips));
  return all.filter((each) => !isApplied(each));
}

/**
 * All that lay there was brought to the pull request: what others added since stays. Where it can't be
 * removed, the next run finds in the history that it is there.
 */
export async function clearMarks(
  { sourceRemote, onNote }: PullRequestPlace,
  tip: string,
): Promise<void> {
  try {
    await sourceRemote.remove(MARKS_REF, tip);
  } catch (error) {
    if (!(error instanceof SkillprError) || error.code === "interrupted") throw error;
    onNote(`${shortRef(MARKS_REF)} was not removed: ${error.message}`);
  }
}

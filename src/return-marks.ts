/**
 * Marks are observations of what happened, not proposals of text: who rejects the Skillbook's proposal doesn't
 * reject them. All that still apply wait again, each once, whatever is killed meanwhile.
 */
import { readdir, readFile, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { writeFileAtomically } from "./core/atomic-file.ts";
import { hasCode } from "./core/errors.ts";
import { WAITING_BATCH_MAX_BYTES } from "./core/limits.ts";
import { makeFolders } from "./core/make-folders.ts";
import { readRef } from "./git/refs.ts";
import { type Repository, stateDir } from "./git/repository.ts";
import { listSkillsRoot } from "./git/skills-tree.ts";
import { listDeclined } from "./publish/declined.ts";
import {
  hashOf,
  isAmong,
  isMarksName,
  keyOfMarks,
  keysOf,
  type MarksBatch,
  marksText,
  parseMarks,
} from "./publish/marks-branch.ts";
import { branchRef, type ProposalBranch, type ProposalContext } from "./publish/open-proposals.ts";
import { marksIn } from "./publish/skillbook-message.ts";
import { placeWith } from "./skillbook-place.ts";
import { marksBetween, shareOut } from "./skills/marks-between.ts";
import type { TagOperation } from "./skills/operation.ts";
import { COUNTS, tagsOf } from "./skills/skill-tags.ts";
import { type Skillbook, strategyOf } from "./skills/skillbook.ts";
import { SKILLBOOK_FOLDER, skillFolders } from "./skills/skillbook-files.ts";
import { listAside, waitAgain } from "./waiting-tags.ts";

/** How many marks a rejected proposal had brought. */
export interface ReturnedMarks {
  /** Those that wait again. */
  readonly waiting: number;
  /** Those of strategies and skills that only the proposal had. */
  readonly dropped: number;
}

/**
 * Rejects a Skillbook's proposal, and keeps its marks.
 * @param decide removes the branch, and remembers why
 */
export async function rejectWithMarks(
  context: ProposalContext,
  branch: ProposalBranch,
  decide: () => Promise<void>,
): Promise<ReturnedMarks> {
  const { repository } = context;
  const { batches, dropped } = await marksOf(context, branch);
  // First, and where they don't count yet: stopped anywhere, the next run finds what became of the branch.
  const dir = join(folderOf(repository), branch.tip);
  makeFolders(dir);
  for (const { name, ...batch } of batches)
    await writeFileAtomically(join(dir, `${name}.json`), marksText(batch));
  try {
    await decide();
  } finally {
    await finishReturns(repository);
  }
  const waiting = batches.reduce((sum, { operations }) => sum + operations.length, 0);
  return { waiting, dropped };
}

/** What a rejection that was killed left to do: its marks wait where the branch is gone, else there is nothing to do. */
export async function finishReturns(repository: Repository): Promise<void> {
  const tips = await namesIn(folderOf(repository));
  if (tips.length === 0) return;
  const declined = new Set((await listDeclined(stateDir(repository))).map(({ commit }) => commit));
  const tip = await readRef(repository.git, branchRef(SKILLBOOK_FOLDER));
  for (const each of tips) {
    const dir = join(folderOf(repository), each);
    if (declined.has(each) && tip !== each) await waitAgain(repository, await batchesIn(dir));
    await rm(dir, { recursive: true, force: true });
  }
}

async function batchesIn(dir: string): Promise<MarksBatch[]> {
  const batches: MarksBatch[] = [];
  for (const name of await namesIn(dir)) {
    const batch = parseMarks(await readFile(join(dir, name), "utf8"));
    if (batch !== null) batches.push({ name: basename(name, ".json"), ...batch });
  }
  return batches;
}

async function namesIn(dir: string): Promise<string[]> {
  return readdir(dir).catch((error: unknown) => {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  });
}

function folderOf(repository: Repository): string {
  return join(stateDir(repository), "skillbook", "returning");
}

/** The marks of a proposal that apply to its base, in the batches that brought them as far as those are known here. */
async function marksOf(
  context: ProposalContext,
  branch: ProposalBranch,
): Promise<{ readonly batches: readonly MarksBatch[]; readonly dropped: number }> {
  const { repository, reader, base, skillsRoot } = context;
  const place = await placeWith(context, branch);
  const skills = skillFolders(await listSkillsRoot(reader, base.tree, skillsRoot), skillsRoot);
  const marks = marksBetween(place.base, place.skillbook);
  const applying = marks.filter(({ skill_id: id }) => appliesTo(place.base, skills, id));
  const names = marksIn(branch.commits.map(({ message }) => message).join("\n"));
  const keys = new Set(names.map(keyOfMarks));
  const aside = (await listAside(repository)).filter(isAmong(keys));
  const shared = shareOut(applying, aside);
  const known = keysOf(aside);
  const others = names.filter((name) => isMarksName(name) && !known.has(keyOfMarks(name)));
  const [name = `${Date.now()}-${hashOf(branch.tip)}`, ...also] = others;
  const rest = inParts({ name, also, operations: shared.rest });
  const dropped = marks.length - applying.length + newMarks(place.base, place.skillbook);
  return { batches: [...shared.batches, ...rest], dropped };
}

function appliesTo(base: Skillbook, skills: ReadonlySet<string>, id: string): boolean {
  const strategy = strategyOf(base, id);
  return strategy === null ? skills.has(id) || tagsOf(base, id) !== null : strategy.active;
}

/** Marks of strategies that the base doesn't have. */
function newMarks(base: Skillbook, book: Skillbook): number {
  return Object.values(book.skills)
    .filter(({ id }) => strategyOf(base, id) === null)
    .reduce((sum, each) => sum + COUNTS.reduce((all, count) => all + each[count], 0), 0);
}

/** As many batches as it needs for each to be small enough to be read again; they share their names. */
function inParts({ name, also = [], operations }: MarksBatch): MarksBatch[] {
  if (operations.length === 0) return [];
  const batch = { name, also, operations };
  if (marksText(batch).length <= WAITING_BATCH_MAX_BYTES || operations.length === 1) return [batch];
  const half = Math.ceil(operations.length / 2);
  const parts: readonly (readonly TagOperation[])[] = [
    operations.slice(0, half),
    operations.slice(half),
  ];
  return parts.flatMap((part, at) =>
    inParts({
      name: `${name.replace(/-.*$/, "")}-${hashOf(`${name} ${at}`)}`,
      also: [name, ...also],
      operations: part,
    }),
  );
}

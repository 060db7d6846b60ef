/**
 * What of the Skillbook is offered as a pull request. A skill's folder is carried over as it is; the
 * Skillbook's operations are applied to what the remote has now: its base, and what its branch proposes.
 */
import { ObjectReader } from "../git/objects.ts";
import { mergeBase } from "../git/refs.ts";
import { rebaseSkillbook } from "../skills/rebase-skillbook.ts";
import { EMPTY_SKILLBOOK, type Skillbook } from "../skills/skillbook.ts";
import { SKILLBOOK_FOLDER } from "../skills/skillbook-files.ts";
import type { ProposalBranch, ProposalContext } from "./open-proposals.ts";
import { listPublishedSkillbooks, notePublishedSkillbook } from "./published-skillbooks.ts";
import type { PullRequestPlace } from "./pull-request-place.ts";
import { folderVersions, readSkillbookAt, writeSkillbookFolder } from "./skillbook-at.ts";

/** The remote, as it was seen. */
export interface RemoteSkillbook {
  /** With the remote's base. */
  readonly context: ProposalContext;
  /** The remote's branch, where it proposes something that nobody else worked on. */
  readonly open: ProposalBranch | null;
}

type Local = ProposalBranch & { readonly folderTree: string };

/**
 * @returns tree of the folder that is offered on the remote's base
 * @throws SkillprError `input` when a Skillbook can't be read
 */
export async function offerSkillbook(
  place: PullRequestPlace,
  local: Local,
  remote: RemoteSkillbook,
): Promise<string> {
  const { repository, stateDir, onNote } = place;
  await using reader = new ObjectReader(repository.git, repository.objectFormat);
  const looking = { place, reader, local, remote };
  const start = await folderAt(looking, local.forkPoint);
  const base = await folderAt(looking, remote.context.base.commit);
  if (start === base && (await isContinued(looking))) return local.folderTree;
  const { skillbook, dropped } = await madeAgain(looking);
  for (const what of dropped) onNote(`the Skillbook on the remote: ${what}`);
  const folder = await writeSkillbookFolder(repository, skillbook);
  if (folder !== local.folderTree) await notePublishedSkillbook(stateDir, local.folderTree, folder);
  return folder;
}

interface Looking {
  readonly place: PullRequestPlace;
  readonly reader: ObjectReader;
  readonly local: Local;
  readonly remote: RemoteSkillbook;
}

/** The branch here goes on from all that the remote's proposes. */
async function isContinued(looking: Looking): Promise<boolean> {
  const { local, remote } = looking;
  if (remote.open === null) return true;
  for (const { id } of local.commits)
    if ((await folderAt(looking, id)) === remote.open.folderTree) return true;
  return false;
}

async function madeAgain(
  looking: Looking,
): Promise<{ readonly skillbook: Skillbook; readonly dropped: readonly string[] }> {
  const { local, remote } = looking;
  const base = await bookAt(looking, remote.context.base.commit);
  const { open } = remote;
  const proposed =
    open === null
      ? { skillbook: base, dropped: [] }
      : rebaseSkillbook(
          await bookAt(looking, open.forkPoint),
          await bookAt(looking, open.tip),
          base,
        );
  const from = await knownThere(looking);
  const now = await bookAt(looking, local.tip);
  const added = rebaseSkillbook(from, now, proposed.skillbook);
  return { skillbook: added.skillbook, dropped: [...proposed.dropped, ...added.dropped] };
}

/**
 * The newest state of the branch here that the remote has, on its branch or merged, as the same file or as
 * what became of it: what came later is new there. Where the base here moved in between, that state is made
 * again on it, or the base's own changes would count as the branch's.
 */
async function knownThere(looking: Looking): Promise<Skillbook> {
  const { place, reader, local, remote } = looking;
  const { repository, skillsRoot, stateDir } = place;
  const upTo = remote.context.base.commit;
  const there = new Set(
    await folderVersions(repository, reader, { after: local.forkPoint, upTo, skillsRoot }),
  );
  for (const { id } of remote.open?.commits ?? []) {
    const folder = await folderAt(looking, id);
    if (folder !== null) there.add(folder);
  }
  const published = await listPublishedSkillbooks(stateDir);
  const start = await bookAt(looking, local.forkPoint);
  for (const { id } of local.commits) {
    const folder = await folderAt(looking, id);
    const as = folder === null ? [] : [folder, ...(published.get(folder) ?? [])];
    if (!as.some((each) => there.has(each))) continue;
    const fork =
      local.forkPoint === null ? null : await mergeBase(repository.git, id, local.forkPoint);
    const state = await bookAt(looking, id);
    if ((await folderAt(looking, fork)) === (await folderAt(looking, local.forkPoint)))
      return state;
    return rebaseSkillbook(await bookAt(looking, fork), state, start).skillbook;
  }
  return start;
}

async function folderAt(
  { place, reader }: Pick<Looking, "place" | "reader">,
  commit: string | null,
): Promise<string | null> {
  if (commit === null) return null;
  const { tree } = await reader.commit(commit);
  return reader.treeAt(tree, `${place.skillsRoot}/${SKILLBOOK_FOLDER}`);
}

async function bookAt(
  { place, reader }: Pick<Looking, "place" | "reader">,
  commit: string | null,
): Promise<Skillbook> {
  if (commit === null) return EMPTY_SKILLBOOK;
  return readSkillbookAt(reader, (await reader.commit(commit)).tree, place.skillsRoot);
}

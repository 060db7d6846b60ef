/**
 * The workspace: a worktree of the base commit that holds the skills root and nothing else, in a
 * private temporary folder. Git only registers it; the files are written by us, so it costs the
 * same in a repository of any size and runs no filter, no hook, no checkout.
 */
import { mkdirSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { materialize } from "./materialize.ts";
import { ObjectReader } from "./object-reader.ts";
import { prefetchBlobs } from "./partial-clone.ts";
import { currentOwner, formatOwner } from "./process-owner.ts";
import { createQuarantine, type Quarantine } from "./quarantine.ts";
import { removeRunFolder } from "./remove-folder.ts";
import type { Repository } from "./repository.ts";
import { createRunFolder } from "./run-folder.ts";
import { readSkillsRoot } from "./skills-root.ts";
import { type ListedFile, listTree } from "./skills-tree.ts";
import { forgetWorktree } from "./workspace-prune.ts";
import { worktreeCommand } from "./worktree-command.ts";

export { pruneWorkspaces } from "./workspace-prune.ts";
export { type DiskListing, type WalkedEntry, walkWorkspace } from "./workspace-walk.ts";

export interface WorkspaceOptions {
  readonly base: { readonly commit: string; readonly tree: string };
  /** `/`-separated path from the repository's root. */
  readonly skillsRoot: string;
  /** Skill folders of open proposals (name below the skills root, tree id), laid over the base's. */
  readonly overlays: readonly { readonly folder: string; readonly tree: string }[];
  /** Where temporary folders go; default `$RUNNER_TEMP`, else the system's. */
  readonly tempRoot?: string | undefined;
}

/** A worktree of the base that holds the skills root and nothing else; from openWorkspace(), gone when it is disposed. */
export interface Workspace extends AsyncDisposable {
  /** Absolute path of the worktree. */
  readonly dir: string;
  /** Absolute path of the skills root in it; exists, also when the base has none. */
  readonly skillsDir: string;
  /** The text of the worktree's own `.git` file, to tell whether it was changed. */
  readonly gitFile: string;
  /** Where the review's objects go until they are verified. */
  readonly quarantine: Quarantine;
  /** What was written, in git's terms: tells unchanged files, links and submodules. */
  readonly source: readonly ListedFile[];
  /** The bytes of every blob in `source`, by id. */
  readonly sourceBytes: ReadonlyMap<string, Uint8Array>;
  /** Path and bytes of every regular file in `source`. */
  sourceFiles(): Iterable<readonly [path: string, bytes: Uint8Array]>;
}

/** The worktree's name: git derives `worktrees/<name>` in the git folder from it. */
const WORKTREE_NAME = "skillpr";

/**
 * Opens a workspace; disposing it removes every trace. The user's HEAD, index, config, branches and
 * files are neither read nor written.
 * @throws SkillprError `input` when the base's skills root is no folder or can't be held, `config`
 *   when there is no place for it, `git`
 */
export async function openWorkspace(
  repository: Repository,
  options: WorkspaceOptions,
): Promise<Workspace> {
  const { skillsRoot } = options;
  await using reader = new ObjectReader(repository.git, repository.objectFormat);
  const { tree } = await readSkillsRoot(reader, options.base.tree, skillsRoot);
  const source = await listSource(reader, tree, options);
  const overlaid = options.overlays.map((overlay) => overlay.tree);
  await prefetchBlobs(repository, tree === null ? overlaid : [tree, ...overlaid]);

  const folder = createRunFolder(repository, options.tempRoot);
  const dir = join(folder, WORKTREE_NAME);
  let isOpen = true;
  const close = async () => {
    if (isOpen) await closeWorkspace(repository, folder, dir);
    isOpen = false;
  };
  try {
    const quarantine = createQuarantine(repository, folder);
    await addWorktree(repository, dir, options.base.commit);
    const gitFile = readFileSync(join(dir, ".git"), "utf8");
    const skillsDir = join(dir, ...skillsRoot.split("/"));
    const sourceBytes = await materialize(reader, source, dir);
    mkdirSync(skillsDir, { recursive: true });
    return {
      dir,
      skillsDir,
      gitFile,
      quarantine,
      source,
      sourceBytes,
      sourceFiles: () => regularFiles(source, sourceBytes),
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Writes a skill's folder into a workspace that nobody else has written to: nothing in it can lead elsewhere.
 * @param files paths relative to the folder, and what they hold
 */
export async function putFolder(
  { skillsDir }: Pick<Workspace, "skillsDir">,
  folder: string,
  files: Iterable<readonly [path: string, content: string | Uint8Array]>,
): Promise<void> {
  for (const [path, content] of files) {
    const to = join(skillsDir, folder, path);
    await mkdir(dirname(to), { recursive: true });
    await writeFile(to, content, { mode: 0o644 });
  }
}

/** The files of the base's skills root, with the overlays' folders in place of the base's. */
async function listSource(
  reader: ObjectReader,
  tree: string | null,
  { skillsRoot, overlays }: WorkspaceOptions,
): Promise<ListedFile[]> {
  let files = tree === null ? [] : await listTree(reader, tree, skillsRoot);
  for (const overlay of overlays) {
    const path = `${skillsRoot}/${overlay.folder}`;
    const kept = files.filter((file) => file.path !== path && !file.path.startsWith(`${path}/`));
    files = [...kept, ...(await listTree(reader, overlay.tree, path))];
  }
  return files;
}

function* regularFiles(
  source: readonly ListedFile[],
  bytes: ReadonlyMap<string, Uint8Array>,
): Iterable<readonly [string, Uint8Array]> {
  for (const { path, mode, id } of source) {
    const content = bytes.get(id);
    if (mode.startsWith("100") && content !== undefined) yield [path, content];
  }
}

async function addWorktree(repository: Repository, dir: string, commit: string): Promise<void> {
  // Locked, so that nobody's `git gc` takes it for a forgotten one; the reason says whose it is.
  const lock = ["--lock", "--reason", formatOwner(currentOwner())];
  const options = ["--quiet", "--no-checkout", "--detach", ...lock];
  await worktreeCommand(repository.git, ["add", ...options, "--", dir, commit]);
}

/**
 * Files first, registration second: git must not look into the folder again, whose `.git` file may
 * lead anywhere by now, or which may be a link. Also after an abort, hence without the signal.
 */
async function closeWorkspace(repository: Repository, folder: string, dir: string): Promise<void> {
  removeRunFolder(folder);
  await forgetWorktree(repository, dir);
}

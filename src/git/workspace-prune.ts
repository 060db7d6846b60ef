/** Removing the workspaces that killed runs left behind, and nothing of anybody else's. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { gitFailure } from "./git.ts";
import { isAbandoned, parseOwner } from "./process-owner.ts";
import type { Repository } from "./repository.ts";
import { abandonedRunFolders, isRunFolderOf, removeRunFolder } from "./run-folder.ts";
import { listWorktrees, type WorktreeEntry } from "./worktree-list.ts";

/**
 * Removes worktrees whose lock says that a dead skillpr process opened them, with their folders,
 * and temporary folders of dead skillpr processes (of any repository).
 * @returns the paths removed
 */
export async function pruneWorkspaces(
  repository: Repository,
  options: { readonly tempRoot?: string } = {},
): Promise<string[]> {
  const removed: string[] = [];
  if (existsSync(join(repository.commonDir, "worktrees"))) {
    const worktrees = await listWorktrees(repository.git);
    for (const { path } of worktrees.filter(isLeftOver)) {
      removeRunFolder(dirname(path));
      await forgetWorktree(repository, path);
      removed.push(path);
    }
  }
  for (const folder of abandonedRunFolders(options.tempRoot)) {
    removeRunFolder(folder);
    removed.push(folder);
  }
  return removed;
}

function isLeftOver({ path, lockReason }: WorktreeEntry): boolean {
  const owner = lockReason === null ? null : parseOwner(lockReason);
  // The path comes from a file: only one that this owner's workspace can have is believed.
  return owner !== null && isAbandoned(owner) && isRunFolderOf(dirname(path), owner);
}

/**
 * Takes a worktree whose folder is gone out of the repository; git removes `worktrees/` with the
 * last one. Not being registered (any more) is fine. Runs also after an abort.
 */
export async function forgetWorktree(repository: Repository, path: string): Promise<void> {
  const git = repository.git.with({ signal: undefined });
  const args = ["worktree", "remove", "--force", "--force", "--", path];
  const { code, stderr } = await git.run(args, { okCodes: [0, 128] });
  if (code === 0) return;
  const isRegistered = (await listWorktrees(git)).some((worktree) => worktree.path === path);
  if (isRegistered) throw gitFailure(args, code, stderr);
}

/** Removing the workspaces that killed runs left behind, and nothing of anybody else's. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { SkillprError } from "../core/errors.ts";
import { WORKTREE_TRIES } from "../core/limits.ts";
import { gitFailure } from "./git.ts";
import { isAbandoned, parseOwner } from "./process-owner.ts";
import { removeRunFolder } from "./remove-folder.ts";
import type { Repository } from "./repository.ts";
import { abandonedRunFolders, isRunFolderOf } from "./run-folder.ts";
import { FATAL, worktreePause } from "./worktree-command.ts";
import { listWorktrees, type WorktreeEntry } from "./worktree-list.ts";

/**
 * Removes worktrees whose lock says that a dead skillpr process opened them, with their folders,
 * and temporary folders of dead skillpr processes (of any repository).
 * @param options.onNote told about a leftover that can't be removed: it must not stop what comes next
 * @returns the paths removed
 */
export async function pruneWorkspaces(
  repository: Repository,
  options: { readonly tempRoot?: string; readonly onNote?: (note: string) => void } = {},
): Promise<string[]> {
  const removed: string[] = [];
  const attempt = async (path: string, remove: () => void | Promise<void>) => {
    try {
      await remove();
      removed.push(path);
    } catch (error) {
      if (!isActionable(error)) throw error;
      options.onNote?.(`${path} of an earlier run can't be removed: ${error.message}`);
    }
  };
  if (existsSync(join(repository.commonDir, "worktrees"))) {
    const worktrees = await listWorktrees(repository.git);
    for (const { path } of worktrees.filter(isLeftOver)) {
      await attempt(path, () => {
        removeRunFolder(dirname(path));
        return forgetWorktree(repository, path);
      });
    }
  }
  for (const folder of abandonedRunFolders(options.tempRoot))
    await attempt(folder, () => removeRunFolder(folder));
  return removed;
}

/** The system or git refused it; anything else is a bug. */
function isActionable(error: unknown): error is Error {
  if (error instanceof SkillprError) return error.code === "git";
  return error instanceof Error && "syscall" in error;
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
  // A signal that never fires: Ctrl-C must not reach this call either.
  const git = repository.git.with({ signal: new AbortController().signal });
  const args = ["remove", "--force", "--force", "--", path];
  for (let tries = 1; ; tries++) {
    const { code, stderr } = await git.run(["worktree", ...args], { okCodes: [0, FATAL] });
    if (code === 0) return;
    const isRegistered = (await listWorktrees(git)).some((worktree) => worktree.path === path);
    if (!isRegistered) return;
    if (tries === WORKTREE_TRIES) throw gitFailure(["worktree", ...args], code, stderr);
    await worktreePause(tries);
  }
}

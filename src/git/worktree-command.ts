/** `git worktree`, called while other processes add and remove work trees of the same repository. */
import { setTimeout as pause } from "node:timers/promises";
import { WORKTREE_RETRY_PAUSE_MS, WORKTREE_TRIES } from "../core/limits.ts";
import { type Git, type GitResult, gitFailure } from "./git.ts";

/** git's exit code for `fatal:`. */
export const FATAL = 128;

/**
 * `git worktree …`. Git registers a work tree in several steps and reads the registrations of all
 * others without a lock: one that is half made (`failed to read …/commondir`) or just removed makes
 * any of its calls fail, so that a fatal answer is asked for again before it is believed.
 * @throws SkillprError `git`
 */
export async function worktreeCommand(git: Git, args: readonly string[]): Promise<GitResult> {
  for (let tries = 1; ; tries++) {
    const result = await git.run(["worktree", ...args], { okCodes: [0, FATAL] });
    if (result.code === 0) return result;
    if (tries === WORKTREE_TRIES)
      throw gitFailure(["worktree", ...args], result.code, result.stderr);
    await worktreePause(tries);
  }
}

/** Before the next try: longer each time. */
export async function worktreePause(tries: number): Promise<void> {
  await pause(WORKTREE_RETRY_PAUSE_MS * 2 ** (tries - 1));
}

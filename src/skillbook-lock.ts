/** Runs that change the Skillbook take turns. */
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { SkillprError } from "./core/errors.ts";
import {
  LOCK_RETRY_PAUSE_MS,
  SKILLBOOK_LOCK_PAUSE_MS,
  SKILLBOOK_LOCK_WAIT_MS,
} from "./core/limits.ts";
import { acquireLock, type ProcessLock } from "./git/process-lock.ts";
import { type Repository, stateDir } from "./git/repository.ts";

/** @throws SkillprError `git` when another run holds it for minutes */
export async function skillbookLock(repository: Repository): Promise<ProcessLock> {
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

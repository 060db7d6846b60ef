/**
 * A lock between processes that survives crashes and reused pids: every contender puts a file of
 * its own into the lock's folder, named after its process, and holds the lock if nobody else who
 * lives has one there. Nobody ever writes or removes a living process's file, so there is no
 * moment in which a lock that was just taken over is taken for the dead one. Processes of another
 * machine or container can't be seen: they live while they renew their file.
 */
import { createHash, randomBytes } from "node:crypto";
import { closeSync, lstatSync, openSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { hasCode } from "../core/errors.ts";
import {
  LOCK_RETRY_PAUSE_MS,
  LOCK_SIGN_MS,
  LOCK_SILENCE_MAX_MS,
  LOCK_TRIES,
} from "../core/limits.ts";
import { makeFolders } from "../core/make-folders.ts";
import { currentOwner, type ProcessOwner, processStart } from "./process-owner.ts";

export interface ProcessLock extends AsyncDisposable {
  /** Gives the lock up; more than once is fine. */
  release(): void;
}

/** pid, start of the process, its host's hash, and which of its contenders. */
const NAME = /^(\d{1,10})-(\d{1,20})-([0-9a-f]{12})-[0-9a-f]{8}$/;

/**
 * @param folder the lock's own folder; made if it is missing
 * @param tries attempts before giving up: two that start together both stand back once
 * @returns null when another process holds it
 */
export async function acquireLock(
  folder: string,
  tries: number = LOCK_TRIES,
): Promise<ProcessLock | null> {
  for (let attempt = 1; ; attempt++) {
    const lock = attemptLock(folder);
    if (lock !== null) return lock;
    if (attempt >= tries) return null;
    await pause(LOCK_RETRY_PAUSE_MS * (0.5 + Math.random()));
  }
}

/** Whether a living process holds the lock, or is about to. */
export function isLocked(folder: string): boolean {
  return contenders(folder).some((name) => !removeIfAbandoned(folder, name));
}

function attemptLock(folder: string): ProcessLock | null {
  makeFolders(folder);
  const name = nameOf(currentOwner());
  const file = join(folder, name);
  closeSync(openSync(file, "wx", 0o600));
  const signs = setInterval(() => giveSign(file), LOCK_SIGN_MS).unref();
  const release = () => {
    clearInterval(signs);
    rmSync(file, { force: true });
  };
  try {
    // First the own file, then the look around: of two, at least one sees the other.
    for (const other of contenders(folder)) {
      if (other === name || removeIfAbandoned(folder, other)) continue;
      release();
      return null;
    }
  } catch (error) {
    release();
    throw error;
  }
  return { release, [Symbol.asyncDispose]: async () => release() };
}

/** Removed with its repository, or on a disk that was made read-only: nobody is kept out any more. */
const NO_SIGN = [
  "ENOENT",
  "ENOTDIR",
  "EROFS",
  "EACCES",
  "EPERM",
  "ESTALE",
  "EIO",
  "ENOSPC",
  "EDQUOT",
];

function giveSign(file: string): void {
  try {
    const now = new Date();
    utimesSync(file, now, now);
  } catch (error) {
    if (!hasCode(error, ...NO_SIGN)) throw error;
  }
}

function nameOf({ pid, started, host }: ProcessOwner): string {
  return `${pid}-${started}-${hashOf(host)}-${randomBytes(4).toString("hex")}`;
}

function hashOf(host: string): string {
  return createHash("sha256").update(host).digest("hex").slice(0, 12);
}

function contenders(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => NAME.test(name));
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  }
}

/** True when the file's process is gone; then the file is too. */
function removeIfAbandoned(folder: string, name: string): boolean {
  const [, pid, started = "", hash] = NAME.exec(name) ?? [];
  const file = join(folder, name);
  try {
    // Clocks jump: a sign from far in the future says as little as an old one.
    const silentMs = Math.abs(Date.now() - lstatSync(file).mtimeMs);
    const isHere = hash === hashOf(currentOwner().host);
    const isAlive = isHere
      ? processStart(Number(pid)) === started
      : silentMs <= LOCK_SILENCE_MAX_MS;
    if (isAlive) return false;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return true; // given up just now
    throw error;
  }
  rmSync(file, { force: true });
  return true;
}

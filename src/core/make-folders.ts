/** Folders that are there for good, on the hook's path too: built-in modules only. */
import { closeSync, constants, fsyncSync, lstatSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { hasCode } from "./errors.ts";

/**
 * Makes a private folder and those above it, where they are missing. Not mkdir's own recursion: that
 * says ENOENT where the file system is read-only.
 * @throws what the system refuses
 */
export function makeFolders(folder: string): void {
  if (lstatSync(folder, { throwIfNoEntry: false }) !== undefined) return;
  makeFolders(dirname(folder));
  try {
    mkdirSync(folder, 0o700);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error; // another process was faster
  }
  syncFolder(dirname(folder));
}

/** Makes a rename in this folder survive a power cut. Windows has no folder handles and needs none. */
export function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const handle = openSync(folder, constants.O_RDONLY);
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

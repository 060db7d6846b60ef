/**
 * Private temporary folders, one per workspace: `<temp>/skillpr-<uid>/<pid>-<start>-<random>`.
 * The name says whose it is, so that the next run can remove what a killed one left.
 */
import { randomBytes } from "node:crypto";
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative, sep } from "node:path";
import { hasCode, SkillprError } from "../core/errors.ts";
import {
  CONFIG_MAX_BYTES,
  FOREIGN_WORKSPACE_MAX_AGE_MS,
  UNNAMED_RUN_FOLDER_MAX_AGE_MS,
} from "../core/limits.ts";
import { safeLine } from "../core/text.ts";
import {
  currentOwner,
  formatOwner,
  isAbandoned,
  type ProcessOwner,
  parseOwner,
  processStart,
} from "./process-owner.ts";
import { removeRunFolder } from "./remove-folder.ts";
import type { Repository } from "./repository.ts";

/** Names the process, as in the lock reason. */
const OWNER_FILE = "owner";
const PARENT_NAME = `skillpr-${process.getuid?.() ?? "user"}`;
const RUN_NAME = /^(\d+)-(\d+)-[0-9a-f]{12}$/;

/** The folder for temporary files: `given`, else the CI runner's own, else the system's. */
function tempRootOf(given: string | undefined): string {
  const chosen = given ?? (process.env["RUNNER_TEMP"] || tmpdir());
  try {
    return realpathSync(chosen);
  } catch (error) {
    throw new SkillprError(
      "config",
      `the folder for temporary files, ${safeLine(chosen)}, can't be used`,
      "Point TMPDIR at a folder that exists.",
      { cause: error },
    );
  }
}

/**
 * A new folder that only this user can enter, outside the checkout.
 * @throws SkillprError `config` when there is no safe place for it
 */
export function createRunFolder(
  repository: Pick<Repository, "root" | "commonDir">,
  tempRoot?: string,
): string {
  const root = tempRootOf(tempRoot);
  for (const place of [repository.root, repository.commonDir]) {
    if (place === null || !isInside(realpathSync(place), root)) continue;
    throw new SkillprError(
      "config",
      `the folder for temporary files, ${safeLine(root)}, is inside the repository`,
      "Point TMPDIR at a folder outside of it, so that a workspace never shows up in your checkout.",
    );
  }
  const parent = join(root, PARENT_NAME);
  makePrivate(parent);
  const owner = currentOwner();
  const random = randomBytes(6).toString("hex");
  const folder = join(parent, `${owner.pid}-${owner.started}-${random}`);
  mkdirSync(folder, { mode: 0o700 });
  try {
    writeFileSync(join(folder, OWNER_FILE), formatOwner(owner), { flag: "wx", mode: 0o600 });
  } catch (error) {
    removeRunFolder(folder); // a full disk
    throw error;
  }
  return folder;
}

/** A private folder for its owner to fill and remove; after a kill the next run's sweep removes it. */
export function openRunFolder(repository: Pick<Repository, "root" | "commonDir">): {
  readonly path: string;
  remove(): void;
} {
  const path = createRunFolder(repository);
  return { path, remove: () => removeRunFolder(path) };
}

/** Temporary folders are shared: the parent must be a folder, ours, and closed to everybody else. */
function makePrivate(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  }
  const info = lstatSync(path);
  const isOurs = process.getuid === undefined || info.uid === process.getuid();
  const isClosed = process.platform === "win32" || (info.mode & 0o077) === 0;
  if (info.isDirectory() && isOurs && isClosed) return;
  throw new SkillprError(
    "config",
    `${safeLine(path)} is not a private folder of yours`,
    "Somebody else may have put it there: remove it, or point TMPDIR elsewhere.",
  );
}

/** True for a path that a workspace of this owner can have: nothing else may be removed for it. */
export function isRunFolderOf(folder: string, owner: ProcessOwner): boolean {
  const [, pid, started] = RUN_NAME.exec(basename(folder)) ?? [];
  const isOurs = basename(dirname(folder)) === PARENT_NAME;
  return isOurs && pid === String(owner.pid) && started === owner.started;
}

/** Run folders of this user whose process is gone. */
export function abandonedRunFolders(tempRoot?: string): string[] {
  const parent = join(tempRootOf(tempRoot), PARENT_NAME);
  let names: string[];
  try {
    names = readdirSync(parent);
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR", "EACCES")) return [];
    throw error;
  }
  makePrivate(parent);
  return names.map((name) => join(parent, name)).filter(isAbandonedFolder);
}

function isAbandonedFolder(folder: string): boolean {
  const [, pid = "", started] = RUN_NAME.exec(basename(folder)) ?? [];
  if (started === undefined) return false;
  const owner = readOwner(join(folder, OWNER_FILE));
  if (owner !== null) return isAbandoned(owner);
  if (processStart(Number(pid)) === started) return false;
  // Killed before it wrote its name, which takes no longer than the first age; else damaged.
  const maxAgeMs = isUnnamed(folder) ? UNNAMED_RUN_FOLDER_MAX_AGE_MS : FOREIGN_WORKSPACE_MAX_AGE_MS;
  try {
    return Date.now() - lstatSync(folder).mtimeMs > maxAgeMs;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return false; // its owner removed it just now
    throw error;
  }
}

function isUnnamed(folder: string): boolean {
  try {
    return lstatSync(join(folder, OWNER_FILE)).size === 0;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return true;
    if (hasCode(error, "ENOTDIR", "EACCES", "EPERM")) return false;
    throw error;
  }
}

/** Null for one that was killed before it wrote its name, and for what a reviewer put in its place. */
function readOwner(path: string): ProcessOwner | null {
  try {
    const folder = lstatSync(dirname(path));
    const info = lstatSync(path);
    if (!folder.isDirectory() || !info.isFile() || info.size > CONFIG_MAX_BYTES) return null;
    return parseOwner(readFileSync(path, "utf8"));
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR", "EACCES", "EPERM", "EISDIR")) return null;
    throw error;
  }
}

/** True when `path` is `folder` or below it. */
function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`));
}

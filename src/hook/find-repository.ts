/**
 * Finds the repository around a folder as git does, without starting it: git alone would take the
 * time that the whole hook has. Git's environment variables are ignored: the agent, or a git hook
 * around it, may have set them for another repository.
 * https://git-scm.com/docs/gitrepository-layout
 */
import { lstatSync, realpathSync, type Stats, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { hasCode } from "../core/errors.ts";
import { GIT_SMALL_FILE_MAX_BYTES } from "../core/limits.ts";
import { NOTHING_THERE, readSmallFile } from "./small-file.ts";

export interface FoundRepository {
  /** Top of the work tree; null for a bare repository. */
  readonly root: string | null;
  /** Git folder of this work tree; a linked one has its own. */
  readonly gitDir: string;
  /** Git folder that all work trees share. */
  readonly commonDir: string;
  /** What a worker is told: a folder of this repository, the main work tree where there is one. */
  readonly dir: string;
  /** Skillpr's own folder in the git folder, as `stateDir` of git/repository.ts says it. */
  readonly stateDir: string;
}

/** Agents put linked work trees here and remove them, sometimes before the hook has run. */
const AGENT_WORK_TREE = /^(.+?)[/\\]\.(?:qwen|claude|gemini)[/\\]worktrees[/\\]/;

/** @returns null when the folder lies in no repository, or in one that git would refuse as broken */
export function findRepository(cwd: string): FoundRepository | null {
  const start = realFolder(cwd) ?? realFolder(AGENT_WORK_TREE.exec(cwd)?.[1] ?? "");
  if (start === null) return null;
  const { dev } = statSync(start);
  for (let folder = start; ; folder = dirname(folder)) {
    const found = lookIn(folder);
    if (found !== undefined) return found;
    // Like git, not beyond the file system.
    if (dirname(folder) === folder || look(dirname(folder))?.dev !== dev) return null;
  }
}

/** @returns undefined when the search goes on above `folder` */
function lookIn(folder: string): FoundRepository | null | undefined {
  const dotGit = join(folder, ".git");
  const info = look(dotGit);
  if (info?.isFile()) {
    const gitDir = linkedGitFolder(dotGit);
    return gitDir !== null && isGitFolder(gitDir) ? describe(gitDir, folder) : null;
  }
  if (info?.isDirectory() && isGitFolder(dotGit)) return describe(dotGit, folder);
  if (!isGitFolder(folder)) return undefined;
  // Inside a git folder, where some git hooks run.
  return describe(folder, basename(folder) === ".git" ? dirname(folder) : null);
}

/** Where the `.git` file of a linked work tree or a submodule leads; its path may hold line breaks. */
function linkedGitFolder(file: string): string | null {
  const text = readSmallFile(file, GIT_SMALL_FILE_MAX_BYTES);
  if (!text?.startsWith("gitdir: ")) return null;
  return resolve(dirname(file), withoutLineEnd(text.slice("gitdir: ".length)));
}

function describe(gitFolder: string, root: string | null): FoundRepository {
  const gitDir = realpathSync.native(gitFolder);
  const commonDir = realpathSync.native(commonDirOf(gitDir));
  // Linked work trees come and go; the one beside the common git folder stays.
  const isMainKnown = commonDir !== gitDir && basename(commonDir) === ".git";
  const dir = isMainKnown ? dirname(commonDir) : (root ?? commonDir);
  return { root, gitDir, commonDir, dir, stateDir: join(commonDir, "skillpr") };
}

function isGitFolder(folder: string): boolean {
  // HEAD may be a link to a branch that doesn't exist yet.
  if (look(join(folder, "HEAD"), lstatSync) === null) return false;
  const common = commonDirOf(folder);
  return ["objects", "refs"].every((name) => look(join(common, name))?.isDirectory() === true);
}

function commonDirOf(gitDir: string): string {
  const text = readSmallFile(join(gitDir, "commondir"), GIT_SMALL_FILE_MAX_BYTES);
  return text === null ? gitDir : resolve(gitDir, withoutLineEnd(text));
}

function withoutLineEnd(text: string): string {
  return text.replace(/[\r\n]+$/, "");
}

function look(path: string, stat: typeof statSync | typeof lstatSync = statSync): Stats | null {
  try {
    return stat(path, { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    if (hasCode(error, ...NOTHING_THERE)) return null;
    throw error;
  }
}

function realFolder(path: string): string | null {
  const info = path === "" ? null : look(resolve(path));
  return info?.isDirectory() ? realpathSync.native(path) : null;
}

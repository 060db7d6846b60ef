/** Which work tree has a branch in use. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { hasCode } from "../core/errors.ts";
import type { Git } from "./git.ts";
import { requireRefName } from "./names.ts";
import { listWorktrees, readCommonDir } from "./worktree-list.ts";

/**
 * The path of the work tree that has a branch checked out, is rebasing it or is bisecting from it;
 * null when moving it surprises nobody.
 */
export async function checkedOutAt(git: Git, fullName: string): Promise<string | null> {
  requireRefName(fullName);
  const worktrees = await listWorktrees(git);
  const holder = worktrees.find(({ branch }) => branch === fullName);
  if (holder !== undefined) return holder.path;

  // A rebase and a bisection detach HEAD; the branch they come back to stands in these files.
  const commonDir = await readCommonDir(git);
  const main = worktrees[0]?.path ?? commonDir;
  if (branchesInProgress(commonDir).has(fullName)) return main;
  for (const id of foldersOf(join(commonDir, "worktrees"))) {
    const admin = join(commonDir, "worktrees", id);
    if (!branchesInProgress(admin).has(fullName)) continue;
    const link = readOptional(join(admin, "gitdir"));
    return link === null ? admin : dirname(link.trim());
  }
  return null;
}

function branchesInProgress(gitDir: string): Set<string> {
  const rebases = ["rebase-merge", "rebase-apply"].map((folder) => `${folder}/head-name`);
  const names = rebases.map((file) => readOptional(join(gitDir, file))?.trim() ?? "");
  const bisected = readOptional(join(gitDir, "BISECT_START"))?.trim() ?? "";
  names.push(bisected.startsWith("refs/") ? bisected : `refs/heads/${bisected}`);
  // `rebase --update-refs`: three lines for every branch that will be moved, its name first.
  const updates = readOptional(join(gitDir, "rebase-merge/update-refs")) ?? "";
  names.push(...updates.split("\n").filter((line) => line.startsWith("refs/")));
  return new Set(names);
}

function readOptional(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return null;
    throw error;
  }
}

function foldersOf(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  }
}

/** The work trees of a repository, as git lists them. */
import { resolve } from "node:path";
import type { Git } from "./git.ts";
import { worktreeCommand } from "./worktree-command.ts";

export interface WorktreeEntry {
  readonly path: string;
  /** Full name of the branch checked out there; null when detached or bare. */
  readonly branch: string | null;
  /** Why it is locked (may be empty); null when it is not. */
  readonly lockReason: string | null;
}

/** The git folder that all work trees share. */
export async function readCommonDir(git: Git): Promise<string> {
  const answer = await git.text(["rev-parse", "--git-common-dir"]);
  return resolve(git.options.cwd, answer);
}

/** The main work tree first. */
export async function listWorktrees(git: Git): Promise<WorktreeEntry[]> {
  const { stdout } = await worktreeCommand(git, ["list", "--porcelain", "-z"]);
  const records = stdout.toString("utf8").split("\0\0");
  return records.filter((record) => record !== "").map((record) => parse(record.split("\0")));
}

function parse(fields: readonly string[]): WorktreeEntry {
  let entry: WorktreeEntry = { path: "", branch: null, lockReason: null };
  for (const field of fields) {
    const [key, value] = split(field);
    if (key === "worktree") entry = { ...entry, path: value };
    if (key === "branch") entry = { ...entry, branch: value };
    if (key === "locked") entry = { ...entry, lockReason: value };
  }
  return entry;
}

function split(field: string): [string, string] {
  const space = field.indexOf(" ");
  return space === -1 ? [field, ""] : [field.slice(0, space), field.slice(space + 1)];
}

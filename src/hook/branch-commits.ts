/** Branches read from git's own files, for a moment that is too short to start git. */
import { join } from "node:path";
import { GIT_SMALL_FILE_MAX_BYTES, PACKED_REFS_MAX_BYTES } from "../core/limits.ts";
import { readSmallFile } from "./small-file.ts";

/**
 * The commits that branches point at; a branch that doesn't exist is missing. In a repository that
 * keeps its refs in another format (reftable) there is none.
 * @param branches short names below `refs/heads/`, already checked
 */
export function branchCommits(commonDir: string, branches: readonly string[]): Map<string, string> {
  const commits = new Map<string, string>();
  const rest = branches.filter((branch) => {
    const loose = readSmallFile(join(commonDir, "refs/heads", branch), GIT_SMALL_FILE_MAX_BYTES);
    if (loose === null) return true;
    commits.set(branch, loose.trim());
    return false;
  });
  if (rest.length === 0) return commits;
  // Packed refs count where there is no loose one. https://git-scm.com/docs/git-pack-refs
  const packed = readSmallFile(join(commonDir, "packed-refs"), PACKED_REFS_MAX_BYTES) ?? "";
  for (const branch of rest) {
    const line = ` refs/heads/${branch}\n`;
    const at = packed.indexOf(line);
    if (at !== -1) commits.set(branch, packed.slice(packed.lastIndexOf("\n", at) + 1, at));
  }
  return commits;
}

/** Verification of what lies between two trees of a repository: loads plain values, calls verify(). */
import * as limits from "../core/limits.ts";
import type { Git } from "../git/git.ts";
import type { ObjectReader } from "../git/objects.ts";
import { diffTrees, listSkillsRoot } from "../git/skills-tree.ts";
import type { Change, Profile, TreeFile } from "../verify/change.ts";
import type { Finding } from "../verify/finding.ts";
import { verify } from "../verify/verify.ts";

export interface TreeVerification {
  readonly changes: readonly Change[];
  readonly findings: readonly Finding[];
}

/**
 * Verifies the change from one root tree to another.
 * @param options.reader reads from where the objects of both trees are (the quarantine, before publishing)
 */
export async function verifyTrees(options: {
  readonly git: Git;
  readonly reader: ObjectReader;
  readonly skillsRoot: string;
  readonly profile: Profile;
  readonly parentTree: string;
  readonly newTree: string;
}): Promise<TreeVerification> {
  const { git, reader, skillsRoot, profile } = options;
  const changes = await diffTrees(git, options.parentTree, options.newTree);
  const parent = await listSkillsRoot(reader, options.parentTree, skillsRoot);
  const next = await listSkillsRoot(reader, options.newTree, skillsRoot);
  const blobs = new Map<string, Uint8Array>();
  for (const id of neededBlobs(changes, [...parent, ...next], skillsRoot)) {
    const bytes = await reader.blob(id, limits.VERIFY_BLOB_MAX_BYTES);
    if (bytes !== null) blobs.set(id, bytes);
  }
  const findings = verify({
    skillsRoot,
    profile,
    changes,
    parent,
    next,
    blob: (id) => blobs.get(id),
  });
  return { changes, findings };
}

/** Both versions of every file in a folder that changes, and whatever else changed under the root. */
function neededBlobs(
  changes: readonly Change[],
  files: readonly TreeFile[],
  skillsRoot: string,
): Set<string> {
  const isFile = (mode: string) => mode.startsWith("100");
  const inRoot = changes.filter(({ path }) => path.startsWith(`${skillsRoot}/`));
  const folderOf = (path: string) => path.slice(skillsRoot.length + 1).split("/", 1)[0] ?? "";
  const folders = new Set(inRoot.map(({ path }) => folderOf(path)));
  const ids = new Set<string>();
  for (const { oldMode, oldId, mode, id } of inRoot) {
    if (isFile(oldMode)) ids.add(oldId);
    if (isFile(mode)) ids.add(id);
  }
  for (const { path, mode, id } of files)
    if (isFile(mode) && folders.has(folderOf(path))) ids.add(id);
  return ids;
}

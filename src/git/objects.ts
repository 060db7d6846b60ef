/** Reading and writing git objects. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hasCode, SkillprError } from "../core/errors.ts";
import { quotePath } from "./child-environment.ts";
import type { Git } from "./git.ts";

export type { Commit, RawTreeEntry, Signature, TreeObject } from "./object-format.ts";
export { hashObject, serializeTree } from "./object-format.ts";
export { ObjectReader } from "./object-reader.ts";

export interface NewObject {
  readonly type: "blob" | "tree";
  readonly bytes: Uint8Array;
  /** The id that we computed; git must come to the same. */
  readonly id: string;
}

/**
 * Writes objects into the store of `git` (a quarantine's, or the repository's own), one process per
 * type. The bytes go through private files, never through filters.
 * @param scratchDir a folder that only we can write to; left as it was
 * @throws SkillprError `git` when git can't write or the folder is gone; Error (a bug) when an id differs
 */
export async function writeObjects(
  git: Git,
  objects: readonly NewObject[],
  scratchDir: string,
): Promise<void> {
  const blobs = objects.filter(({ type }) => type === "blob");
  const trees = objects.filter(({ type }) => type === "tree");
  await writeAll(git, ["-t", "blob", "--no-filters"], blobs, scratchDir);
  // Without git's format check: entries of the base's own old trees are kept as they are, and the
  // ids are compared.
  await writeAll(git, ["-t", "tree", "--literally"], trees, scratchDir);
}

async function writeAll(
  git: Git,
  kind: readonly string[],
  objects: readonly NewObject[],
  scratchDir: string,
): Promise<void> {
  if (objects.length === 0) return;
  const folder = makeFolder(scratchDir);
  try {
    const paths = objects.map(({ bytes }, index) => {
      const path = join(folder, String(index));
      writeFileSync(path, bytes, { flag: "wx", mode: 0o600 });
      return `${quotePath(path)}\n`;
    });
    const args = ["hash-object", "-w", ...kind, "--stdin-paths"];
    const ids = (await git.text(args, { input: paths.join("") })).split("\n");
    for (const [index, { id, type }] of objects.entries()) {
      if (ids[index] !== id) throw new Error(`git says ${ids[index]} for ${type} ${id}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function makeFolder(scratchDir: string): string {
  try {
    return mkdtempSync(join(scratchDir, "objects-"));
  } catch (error) {
    if (!hasCode(error, "ENOENT", "ENOTDIR", "EACCES")) throw error;
    const hint = "Somebody removed it while skillpr ran; run it again.";
    throw new SkillprError("git", `the private folder ${scratchDir} is gone`, hint, {
      cause: error,
    });
  }
}

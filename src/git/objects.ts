/** Reading and writing git objects. */
import type { Git } from "./git.ts";
import { hashObject, ID_BYTES } from "./object-format.ts";
import { packOf } from "./pack.ts";

export type { Commit, RawTreeEntry, Signature, TreeObject } from "./object-format.ts";
export { hashObject, serializeTree } from "./object-format.ts";
export { ObjectReader } from "./object-reader.ts";

export interface NewObject {
  readonly type: "blob" | "tree";
  readonly bytes: Uint8Array;
  /** The id that we computed; it must be that of the bytes. */
  readonly id: string;
}

/**
 * Writes objects into the store of `git` (a quarantine's, or the repository's own), all by one process. No filter sees
 * the bytes, and git checks no format: entries of the base's own old trees are kept as they are.
 * @throws SkillprError `git` when git can't write; Error (a bug) when an id isn't that of the bytes
 */
export async function writeObjects(git: Git, objects: readonly NewObject[]): Promise<void> {
  const [first] = objects;
  if (first === undefined) return;
  const format = first.id.length === 2 * ID_BYTES.sha1 ? "sha1" : "sha256";
  for (const { type, bytes, id } of objects) {
    const own = hashObject(type, bytes, format);
    if (own !== id) throw new Error(`${type} ${id} is ${own}`);
  }
  await git.run(["unpack-objects", "-q"], { input: packOf(objects, format) });
}

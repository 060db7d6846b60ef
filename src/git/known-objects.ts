/**
 * What one reader was told about objects. A verification goes through the same trees several times (what is odd about
 * them, what they list), and an id names the same object for ever.
 */
import { KNOWN_OBJECTS_MAX, KNOWN_TREES_MAX_BYTES, LARGE_TREE_BYTES } from "../core/limits.ts";
import { type ObjectFormat, parseTree, type RawTreeEntry } from "./object-format.ts";
import type { ObjectInfo, ReadObject } from "./object-reader.ts";

export class KnownObjects {
  readonly #infos = new Map<string, ObjectInfo>();
  readonly #trees = new Map<string, ReadObject>();
  /** What these list, once somebody asked; null for one that is cut off. */
  readonly #entries = new Map<string, readonly RawTreeEntry[] | null>();
  readonly #format: ObjectFormat;
  #treeBytes = 0;

  constructor(format: ObjectFormat) {
    this.#format = format;
  }

  /** @param isWhole the object's bytes came with it; else it was asked for its type and size alone */
  remember(object: ObjectInfo & { readonly bytes: Buffer }, isWhole: boolean): void {
    const { id, type, size, bytes } = object;
    if (!isWhole && this.#infos.size < KNOWN_OBJECTS_MAX) this.#infos.set(id, object);
    // Large ones are kept for all readers (recent-trees.ts).
    if (!isWhole || type !== "tree" || size >= LARGE_TREE_BYTES || this.#trees.has(id)) return;
    if (this.#treeBytes + size > KNOWN_TREES_MAX_BYTES) return;
    this.#treeBytes += size;
    // A copy: the bytes are a part of all that arrived with them.
    this.#trees.set(id, { id, type, bytes: Buffer.from(bytes) });
  }

  /** False once it keeps as many as it may. */
  get takesTrees(): boolean {
    return this.#treeBytes < KNOWN_TREES_MAX_BYTES;
  }

  info(id: string): ObjectInfo | undefined {
    return this.#infos.get(id);
  }

  tree(id: string): ReadObject | undefined {
    return this.#trees.get(id);
  }

  /** What a tree lists; undefined for one that isn't kept, null for one that is cut off. */
  entries(id: string): readonly RawTreeEntry[] | null | undefined {
    const known = this.#entries.get(id);
    if (known !== undefined) return known;
    const bytes = this.#trees.get(id)?.bytes;
    if (bytes === undefined) return undefined;
    const entries = parseTree(bytes, this.#format);
    this.#entries.set(id, entries);
    return entries;
  }
}

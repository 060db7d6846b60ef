/**
 * The last large trees that were read, by id: a root with 100,000 files is asked for again at every
 * step of a run, by several readers. An id names the same bytes for ever, wherever they are read.
 */
import { LARGE_TREE_BYTES, LARGE_TREES_KEPT } from "../core/limits.ts";

const trees = new Map<string, Buffer>();

export function recentTree(id: string): Buffer | undefined {
  return trees.get(id);
}

/** Keeps a large tree, in place of the oldest that was kept; small ones are read again. */
export function rememberTree(id: string, bytes: Buffer): void {
  if (bytes.length < LARGE_TREE_BYTES) return;
  trees.set(id, bytes);
  const [oldest] = trees.keys();
  if (trees.size > LARGE_TREES_KEPT && oldest !== undefined) trees.delete(oldest);
}

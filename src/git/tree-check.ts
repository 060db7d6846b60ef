/**
 * Looks for what git would never write into a tree. Two readers can understand such a tree
 * differently (the first of two equal names, or the last?), so what one of them verified says
 * nothing about what the other one checks out.
 */
import { LARGE_TREE_BYTES, WORKSPACE_MAX_DEPTH, WORKSPACE_MAX_ENTRIES } from "../core/limits.ts";
import { entryProblems, misplacedEntry } from "./entry-problems.ts";
import { mapInFlight } from "./in-flight.ts";
import {
  canonicalMode,
  EMPTY_TREE,
  isTree,
  parseTree,
  type RawTreeEntry,
} from "./object-format.ts";
import type { ObjectReader } from "./object-reader.ts";
import { differingPart } from "./tree-bytes.ts";

export interface TreeOddity {
  /** From the repository's root, `/`-separated; empty for the root itself. Foreign text. */
  readonly path: string;
  /** Goes on after the path: `has an empty name`. */
  readonly problem: string;
}

export interface TreeCheck {
  readonly oddities: readonly TreeOddity[];
  /** False when git's own commands end at the new tree: nothing else of it can be told. */
  readonly isReadable: boolean;
  /**
   * Paths that differ beside the way to the skills root. The list of changes shows why, or else
   * something is there that it can't show (an empty folder, a mode that reads as another).
   */
  readonly beside: readonly string[];
}

/**
 * Checks every tree on the way to the skills root and below it that the parent doesn't hold just
 * so. An entry that the parent has too is not judged, up to the skill folders that changed.
 * @throws SkillprError `git` when git fails
 */
export async function checkTrees(
  reader: ObjectReader,
  options: {
    readonly parentTree: string;
    readonly newTree: string;
    /** `/`-separated. */
    readonly skillsRoot: string;
  },
): Promise<TreeCheck> {
  const walk = new TreeWalk(reader);
  const way = options.skillsRoot.split("/");
  await walk.visit(options.newTree, { path: "", depth: 0, way, before: options.parentTree });
  await walk.requireBlobs();
  const { isReadable, beside } = walk;
  // The walk is in several folders at once, and comes back from them in any order.
  const oddities = [...walk.oddities].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
  return { oddities, isReadable, beside };
}

interface Place {
  readonly path: string;
  readonly depth: number;
  /** The parts of the skills root that lie ahead; null below it. */
  readonly way: readonly string[] | null;
  /** The tree at the same place in the parent. */
  readonly before: string | null;
}

class TreeWalk {
  readonly oddities = new Map<string, TreeOddity>();
  readonly beside: string[] = [];
  isReadable = true;
  readonly #reader: ObjectReader;
  readonly #emptyTree: string;
  /** What is called a file. */
  readonly #files: { readonly path: string; readonly id: string }[] = [];
  #visited = 0;

  constructor(reader: ObjectReader) {
    this.#reader = reader;
    this.#emptyTree = EMPTY_TREE[reader.objectFormat];
  }

  async visit(tree: string, place: Place): Promise<void> {
    if (tree === place.before) return;
    const both = this.#knownBoth(tree, place) ?? (await this.#readBoth(tree, place));
    if (both === null) return;
    const { entries, before } = both;
    const known = knownEntries(entries, place.way === null ? [] : before);
    for (const { entry, problem, isFatal } of entryProblems(entries, known))
      this.#report(join(place.path, entry), problem, isFatal);
    const misplaced = misplacedEntry(entries);
    if (misplaced !== undefined && !(place.way !== null && misplacedEntry(before)))
      this.#report(join(place.path, misplaced), "stands out of git's order in its folder");

    const [part] = place.way ?? [];
    const changed = entries.filter((entry) => !known.has(entry));
    if (part === undefined) await this.#enterAll(changed, byName(before), place);
    else await this.#goOn(changed, byName(before), entries, { ...place, part });
  }

  /** Of small trees that were read together with others; they differ as a whole. */
  #knownBoth(tree: string, { before: parent }: Place) {
    const entries = this.#reader.knownTree(tree);
    const before = parent === null ? [] : this.#reader.knownTree(parent);
    return entries === undefined || before === undefined ? null : { entries, before };
  }

  /**
   * The entries of a tree and of the one before it. On the way to the skills root nothing is judged
   * that the parent has too, so of a large folder only the part that differs is read.
   */
  async #readBoth(tree: string, { path, way, before: parent }: Place) {
    const { objectFormat } = this.#reader;
    const [now, old] = await Promise.all([this.#open(tree, path), this.#bytesBefore(parent)]);
    if (now === null) return null;
    const isLarge = way !== null && Math.min(now.length, old.length) > LARGE_TREE_BYTES;
    const differing = isLarge ? differingPart(old, now, objectFormat) : null;
    const entries = parseTree(differing?.after ?? now, objectFormat);
    const before = parseTree(differing?.before ?? old, objectFormat) ?? [];
    if (entries !== null) return { entries, before };
    this.#report(path, "is a folder whose list of entries is cut off", true);
    return null;
  }

  /** Inside the skills root: everything that is new or different. */
  async #enterAll(
    changed: readonly RawTreeEntry[],
    before: ReadonlyMap<string, RawTreeEntry>,
    place: Place,
  ): Promise<void> {
    // listTree has the same bound and says so.
    const visited = changed.slice(0, Math.max(0, WORKSPACE_MAX_ENTRIES - this.#visited));
    this.#visited += visited.length;
    const folders: { readonly id: string; readonly place: Place }[] = [];
    for (const entry of visited) {
      const path = join(place.path, entry);
      if (!isTree(entry)) {
        // The commit of a submodule is in another repository.
        if (canonicalMode(entry.mode) !== "160000") this.#files.push({ path, id: entry.id });
      } else if (entry.id === this.#emptyTree) this.#report(path, "is an empty folder");
      else if (place.depth >= WORKSPACE_MAX_DEPTH)
        this.#report(path, `lies deeper than ${WORKSPACE_MAX_DEPTH} folders`, true);
      else {
        const old = treeOf(before, entry.name);
        const below = { path, depth: place.depth + 1, way: null, before: old };
        folders.push({ id: entry.id, place: below });
      }
    }
    if (folders.length === 0) return;
    // Both versions of all folders at once; the walk then meets what is known.
    await this.#reader.expectTrees(
      folders.flatMap(({ id, place: { before: old } }) => (old === null ? [id] : [id, old])),
    );
    await mapInFlight(folders, ({ id, place: below }) => this.visit(id, below));
  }

  /** On the way to the skills root: only the next step is entered. */
  async #goOn(
    changed: readonly RawTreeEntry[],
    before: ReadonlyMap<string, RawTreeEntry>,
    entries: readonly RawTreeEntry[],
    { path: above, depth, way, part }: Place & { readonly part: string },
  ): Promise<void> {
    const name = Buffer.from(part);
    for (const entry of changed) {
      const path = join(above, entry);
      if (entry.id === this.#emptyTree && isTree(entry)) this.#report(path, "is an empty folder");
      const isStep = entry.name.equals(name);
      // The same object, its mode now in git's spelling: git does that by itself.
      if (!isStep && !isSame(before.get(entry.name.toString("latin1")), entry))
        this.beside.push(path);
    }
    const steps = entries.filter((entry) => entry.name.equals(name));
    const [step] = steps;
    if (step === undefined || !isTree(step)) return;
    const path = join(above, step);
    // Whatever the parent has: which of the two is the skills root?
    if (steps.length > 1) this.#report(path, "stands twice in its folder");
    const next = { path, depth: depth + 1, way: way?.slice(1) ?? null };
    await this.visit(step.id, { ...next, before: treeOf(before, name) });
  }

  /** Null, and reported, when there is no tree to read. */
  async #open(tree: string, path: string): Promise<Buffer | null> {
    const object = await this.#reader.read(tree);
    if (object?.type !== "tree") {
      const what = object === null ? "is missing" : `is a ${object.type}`;
      this.#report(path, `is called a folder, but its object ${what}`, true);
      return null;
    }
    return object.bytes;
  }

  /** Of the parent: only what is different is judged, so one that can't be read has nothing. */
  async #bytesBefore(tree: string | null): Promise<Buffer> {
    const object = tree === null ? null : await this.#reader.read(tree);
    return object?.type === "tree" ? object.bytes : Buffer.alloc(0);
  }

  /** Asked for together, when all are known. @throws SkillprError `git` when git fails */
  async requireBlobs(): Promise<void> {
    const infos = await this.#reader.infos(this.#files.map(({ id }) => id));
    for (const { path, id } of this.#files) {
      const info = infos.get(id);
      if (info?.type === "blob") continue;
      const what = info === undefined ? "is missing" : `is a ${info.type}`;
      this.#report(path, `is called a file, but its object ${what}`);
    }
  }

  #report(path: string, problem: string, isFatal = false): void {
    if (isFatal) this.isReadable = false;
    this.oddities.set(`${path}\0${problem}`, { path, problem });
  }
}

/** The entries that the tree before has too, letter for letter and as often. */
function knownEntries(
  entries: readonly RawTreeEntry[],
  before: readonly RawTreeEntry[],
): ReadonlySet<RawTreeEntry> {
  const left = new Map<string, number>();
  const spell = ({ mode, name, id }: RawTreeEntry) => `${mode} ${id} ${name.toString("latin1")}`;
  for (const old of before) left.set(spell(old), (left.get(spell(old)) ?? 0) + 1);
  return new Set(
    entries.filter((entry) => {
      const count = left.get(spell(entry)) ?? 0;
      left.set(spell(entry), count - 1);
      return count > 0;
    }),
  );
}

/** The same object under the same name and in the same role, whatever the spelling of its mode. */
function isSame(old: RawTreeEntry | undefined, now: RawTreeEntry): boolean {
  return old?.id === now.id && canonicalMode(old.mode) === canonicalMode(now.mode);
}

function treeOf(entries: ReadonlyMap<string, RawTreeEntry>, name: Buffer): string | null {
  const entry = entries.get(name.toString("latin1"));
  return entry !== undefined && isTree(entry) ? entry.id : null;
}

function byName(entries: readonly RawTreeEntry[]): ReadonlyMap<string, RawTreeEntry> {
  return new Map(entries.map((entry) => [entry.name.toString("latin1"), entry]));
}

function join(above: string, { name }: RawTreeEntry): string {
  return above === "" ? name.toString("utf8") : `${above}/${name.toString("utf8")}`;
}

/** One git process that answers for many objects. */
import { SkillprError } from "../core/errors.ts";
import { SMALL_OBJECTS_IN_FLIGHT } from "../core/limits.ts";
import { safeLine } from "../core/text.ts";
import type { Git } from "./git.ts";
import { KnownObjects } from "./known-objects.ts";
import {
  type Commit,
  isTree,
  type ObjectFormat,
  parseCommit,
  parseTree,
  type RawTreeEntry,
} from "./object-format.ts";
import { type Answer, type ObjectInfo, ObjectProcess } from "./object-process.ts";
import { recentTree, rememberTree } from "./recent-trees.ts";
import { findEntry } from "./tree-bytes.ts";

export type { ObjectInfo } from "./object-process.ts";

export interface ReadObject {
  readonly id: string;
  readonly type: string;
  readonly bytes: Buffer;
}

/**
 * Reads objects through one `cat-file` process, which starts with the first question and which the
 * open readers of the same Git share. Calls may overlap; answers come in the order of the questions.
 *
 *     await using reader = new ObjectReader(repository.git, repository.objectFormat);
 */
export class ObjectReader {
  readonly objectFormat: ObjectFormat;
  readonly #git: Git;
  #process: ObjectProcess | null = null;
  #failure: Error | null = null;
  /** What was learned of objects already: they are asked about again at the next step. */
  readonly #known: KnownObjects;

  constructor(git: Git, objectFormat: ObjectFormat) {
    this.#git = git;
    this.objectFormat = objectFormat;
    this.#known = new KnownObjects(objectFormat);
  }

  /**
   * @param spec an object id or another name of an object; never an option, whatever it says
   * @returns null when there is no such object
   * @throws SkillprError `git` when git fails or the object is beyond GIT_OUTPUT_MAX_BYTES
   */
  async read(spec: string): Promise<ReadObject | null> {
    return this.#known.tree(spec) ?? this.#ask("contents", spec);
  }

  /** Type and size without the contents: look before reading what may be huge. */
  async info(spec: string): Promise<ObjectInfo | null> {
    return this.#known.info(spec) ?? this.#ask("info", spec);
  }

  /**
   * The bytes of blobs by id, as far as there are such and they have at most `maxBytes`.
   * @throws as `read`
   */
  async blobs(ids: Iterable<string>, maxBytes: number): Promise<Map<string, Buffer>> {
    const infos = await this.infos(ids);
    const wanted = [...infos.values()].filter(
      ({ type, size }) => type === "blob" && size <= maxBytes,
    );
    const blobs = new Map<string, Buffer>();
    for (const answer of await this.#askAll(
      "contents",
      wanted.map(({ id }) => id),
    ))
      if (answer !== null) blobs.set(answer.id, answer.bytes);
    return blobs;
  }

  /** Type and size of many, by id, as far as they are there. @throws as `read` */
  async infos(ids: Iterable<string>): Promise<Map<string, ObjectInfo>> {
    const infos = new Map<string, ObjectInfo>();
    const unknown: string[] = [];
    for (const id of new Set(ids)) {
      const info = this.#known.info(id);
      if (info === undefined) unknown.push(id);
      else infos.set(id, info);
    }
    for (const answer of await this.#askAll("info", unknown)) {
      if (answer === null) continue;
      this.#known.remember(answer, false);
      infos.set(answer.id, answer);
    }
    return infos;
  }

  /** Reads trees at once that are asked for one by one afterwards, as many as it keeps. @throws as `read` */
  async expectTrees(ids: Iterable<string>): Promise<void> {
    const unknown = [...new Set(ids)].filter((id) => this.#known.tree(id) === undefined);
    for (let at = 0; at < unknown.length && this.#known.takesTrees; at += SMALL_OBJECTS_IN_FLIGHT) {
      const some = unknown.slice(at, at + SMALL_OBJECTS_IN_FLIGHT);
      for (const answer of await this.#askAll("contents", some))
        if (answer !== null) this.#known.remember(answer, true);
    }
  }

  /** @throws SkillprError `git` when the tree is missing or damaged */
  async tree(id: string): Promise<readonly RawTreeEntry[]> {
    const known = this.knownTree(id);
    if (known !== undefined) return known;
    const entries = parseTree(await this.treeBytes(id), this.objectFormat);
    if (entries === null) throw damaged(id, "is no whole tree");
    return entries;
  }

  /** What a small tree lists that was read before: known at once. Undefined for others, and for one that is cut off. */
  knownTree(id: string): readonly RawTreeEntry[] | undefined {
    return this.#known.entries(id) ?? undefined;
  }

  /** The raw bytes of a tree. @throws SkillprError `git` when it is missing */
  async treeBytes(id: string): Promise<Buffer> {
    const known = recentTree(id);
    if (known !== undefined) return known;
    const { bytes } = await this.#require(id, "tree");
    rememberTree(id, bytes);
    return bytes;
  }

  /**
   * The first entry of a name in a tree.
   * @throws SkillprError `git` when the tree is missing or damaged
   */
  async entry(tree: string, name: string): Promise<RawTreeEntry | undefined> {
    const found = findEntry(await this.treeBytes(tree), Buffer.from(name), this.objectFormat);
    if (found === null) throw damaged(tree, "is no whole tree");
    return found;
  }

  /**
   * The id of the folder at a `/`-separated path below a tree.
   * @returns null when there is nothing there, or no folder
   */
  async treeAt(rootTree: string, path: string): Promise<string | null> {
    let tree = rootTree;
    for (const part of path.split("/")) {
      const entry = await this.entry(tree, part);
      if (entry === undefined || !isTree(entry)) return null;
      tree = entry.id;
    }
    return tree;
  }

  /** The bytes of a blob; null when there is none of this id, or it has more than `maxBytes`. */
  async blob(id: string, maxBytes: number): Promise<Buffer | null> {
    const info = await this.info(id);
    if (info?.type !== "blob" || info.size > maxBytes) return null;
    return (await this.read(id))?.bytes ?? null;
  }

  /**
   * @param heldBy the ref that holds the id, for the message
   * @throws SkillprError `git` when the commit is missing, or is no commit
   */
  async commit(id: string, heldBy?: string): Promise<Commit> {
    const { bytes } = await this.#require(id, "commit", heldBy);
    return parseCommit(id, bytes);
  }

  /** Starts the process before the first question, so that whoever asks meanwhile shares it. */
  start(): void {
    this.#running();
  }

  async close(): Promise<void> {
    this.#failure ??= new Error("the reader is closed");
    const taken = this.#process;
    this.#process = null;
    await taken?.release();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #require(id: string, type: "tree" | "commit", heldBy?: string): Promise<ReadObject> {
    const object = await this.read(id);
    if (object?.type === type) return object;
    throw damaged(
      id,
      object === null ? "is missing" : `is a ${object.type}, not a ${type}`,
      heldBy,
    );
  }

  async #ask(command: "contents" | "info", spec: string): Promise<Answer | null> {
    if (/[\n\0]/.test(spec) || spec === "") throw new Error(`not an object name: ${spec}`);
    if (this.#failure !== null) throw this.#failure;
    try {
      const answer = await this.#running().ask(command, spec);
      if (answer !== null) this.#known.remember(answer, command === "contents");
      return answer;
    } catch (error) {
      if (error instanceof Error) this.#failure ??= error;
      throw error;
    }
  }

  async #askAll(
    command: "contents" | "info",
    ids: readonly string[],
  ): Promise<readonly (Answer | null)[]> {
    if (this.#failure !== null) throw this.#failure;
    try {
      return ids.length === 0 ? [] : await this.#running().askAll(command, ids);
    } catch (error) {
      if (error instanceof Error) this.#failure ??= error;
      throw error;
    }
  }

  /** The process; a new one where the question of another reader ended the one that was shared. */
  #running(): ObjectProcess {
    if (this.#process?.hasEnded === true) {
      void this.#process.release();
      this.#process = null;
    }
    this.#process ??= ObjectProcess.take(this.#git);
    return this.#process;
  }
}

function damaged(id: string, what: string, heldBy?: string): SkillprError {
  const holder = heldBy === undefined ? "" : `, which ${safeLine(heldBy)} points to,`;
  return new SkillprError(
    "git",
    `object ${safeLine(id)}${holder} ${what}`,
    "The repository may be damaged or a partial copy: check it with `git fsck`.",
  );
}

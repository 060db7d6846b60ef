/** The tracked files of one commit, as git objects: no checkout, no filter, no link, no network. */

import { SkillprError } from "../core/errors.ts";
import { PROJECT_LISTING_KEPT_MAX_FILES, PROJECT_READER_IDLE_MS } from "../core/limits.ts";
import { collectOutput } from "./collect-output.ts";
import type { Git } from "./git.ts";
import { requireId } from "./names.ts";
import { ObjectReader } from "./object-reader.ts";
import { missingObjects } from "./partial-clone.ts";
import type { Base, Repository } from "./repository.ts";

interface TrackedFile {
  readonly path: string;
  /** As git writes it: 100644, 100755, 120000 (symlink), 160000 (submodule). */
  readonly mode: string;
}

type Listing = ReadonlyMap<string, TrackedFile & { readonly id: string }>;

/** The tree that was listed last: the sessions of one worker have the same base, and an id names the same tree for ever. */
let recent: { readonly tree: string; readonly listing: Listing } | null = null;

/**
 * Reads what a commit tracks. Neither the work tree nor ignored or untracked files are looked at,
 * and what a partial clone left out is not fetched. The git process behind it ends by itself when
 * nothing is asked for a while.
 */
export class GitProjectFiles {
  readonly #git: Git;
  readonly #repository: Repository;
  readonly #tree: string;
  #listing: Promise<Listing> | null = null;
  #reader: ObjectReader | null = null;
  /** Objects that are not on this machine, once one was. */
  #missing: Promise<ReadonlySet<string>> | null = null;
  #reading = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(repository: Repository, base: Pick<Base, "tree">) {
    requireId(base.tree);
    this.#repository = repository;
    this.#git = repository.git.with({ lazyFetch: false });
    this.#tree = base.tree;
  }

  /**
   * Everything in the tree, in git's order. Bytes of names that are not UTF-8 appear as U+FFFD.
   * @throws SkillprError `git` when a tree is missing
   */
  async list(): Promise<readonly TrackedFile[]> {
    return [...(await this.#entries()).values()];
  }

  /**
   * A file's bytes, or a link's target, at most `maxBytes`.
   * @returns null for what is not tracked, a submodule, and content that is not on this machine
   */
  async read(
    path: string,
    maxBytes: number,
  ): Promise<{ bytes: Uint8Array; isCut: boolean } | null> {
    const entry = (await this.#entries()).get(path);
    if (entry === undefined || entry.mode === "160000") return null;
    const missing = this.#missing;
    if ((await missing)?.has(entry.id)) return null;
    try {
      return await this.#withReader((reader) => this.#readBlob(reader, entry.id, maxBytes));
    } catch (error) {
      if (!(error instanceof SkillprError && error.code === "git") || missing !== null) throw error;
    }
    // Git ends when it is asked for what a partial clone left out: learn what that is, and ask again.
    this.#missing ??= this.#listMissing();
    return this.read(path, maxBytes);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#idle);
    const reader = this.#reader;
    this.#reader = null;
    await reader?.close();
  }

  async #readBlob(reader: ObjectReader, id: string, maxBytes: number) {
    const info = await reader.info(id);
    if (info?.type !== "blob") return null;
    if (info.size <= maxBytes) {
      const object = await reader.read(id);
      return object === null ? null : { bytes: object.bytes, isCut: false };
    }
    const { stdout } = await collectOutput(this.#git, ["cat-file", "blob", id], maxBytes);
    return { bytes: stdout, isCut: true };
  }

  async #listMissing(): Promise<ReadonlySet<string>> {
    return new Set(await missingObjects(this.#git, [this.#tree]));
  }

  #entries() {
    this.#listing ??= this.#list();
    return this.#listing;
  }

  async #list(): Promise<Listing> {
    if (recent?.tree === this.#tree) return recent.listing;
    const { stdout } = await this.#git.run(["ls-tree", "-r", "-z", "--full-tree", this.#tree]);
    const entries = new Map<string, TrackedFile & { id: string }>();
    for (const line of stdout.toString("utf8").split("\0")) {
      const [, mode, id, path] = /^(\d{6}) \w+ ([0-9a-f]+)\t(.+)$/s.exec(line) ?? [];
      if (mode && id && path) entries.set(path, { path, mode, id });
    }
    if (entries.size <= PROJECT_LISTING_KEPT_MAX_FILES)
      recent = { tree: this.#tree, listing: entries };
    return entries;
  }

  async #withReader<T>(read: (reader: ObjectReader) => Promise<T>): Promise<T> {
    clearTimeout(this.#idle);
    this.#reader ??= new ObjectReader(this.#git, this.#repository.objectFormat);
    const reader = this.#reader;
    this.#reading += 1;
    try {
      return await read(reader);
    } catch (error) {
      if (this.#reader === reader) this.#reader = null;
      throw error;
    } finally {
      this.#reading -= 1;
      if (this.#reading === 0) this.#closeWhenIdle();
    }
  }

  #closeWhenIdle(): void {
    this.#idle = setTimeout(() => {
      const reader = this.#reader;
      this.#reader = null;
      // It only waits for a process that has nothing left to do.
      void reader?.close();
    }, PROJECT_READER_IDLE_MS);
  }
}

import { posix } from "node:path";
import type { Git } from "./git.ts";
import { requireId } from "./names.ts";

/** `A`; `A..B` and `A...B`; `^A`; `A:path`. */
type RevisionKind = "commit" | "range" | "excluded" | "object";

export interface Revision {
  readonly kind: RevisionKind;
  /** In git's spelling, with whole ids. */
  readonly text: string;
}

export type SortedWords =
  | {
      readonly ok: true;
      readonly revisions: readonly Revision[];
      readonly paths: readonly string[];
    }
  | { readonly ok: false; readonly reason: string };

/** A name that git may be asked for: no option, no reflog, no search in messages, no other syntax. */
const NAME = /^(?:@|(?!-)[A-Za-z0-9_][\w./+-]*)(?:[~^]\d*)*$/;

/** Turns revisions as people write them into ids of commits that lead to one base commit. */
export class RevisionReader {
  readonly #git: Git;
  readonly #base: string;

  constructor(git: Git, base: string) {
    requireId(base);
    this.#git = git;
    this.#base = base;
  }

  /**
   * Tells revisions from paths, as git does: a word is a revision when there is one of that name,
   * and from the first path on everything is a path.
   * @returns the revisions; a reason when one is not of this history
   */
  async sort(words: readonly string[]): Promise<SortedWords> {
    const revisions: Revision[] = [];
    for (const [index, word] of words.entries()) {
      const read = await this.#read(word);
      if (read === null) return this.#paths(revisions, words.slice(index));
      if ("reason" in read) return { ok: false, reason: read.reason };
      revisions.push(read);
    }
    return { ok: true, revisions, paths: [] };
  }

  /** A path that is gone needs the `--` that says so: a mistyped revision would find nothing. */
  async #paths(revisions: readonly Revision[], paths: readonly string[]): Promise<SortedWords> {
    for (const path of paths) {
      const plain = posix.normalize(path).replace(/\/$/, "");
      const isThere = plain === "." || (await this.typeOf(this.#base, plain)) !== null;
      const reason = `${path} is neither a commit of this history nor a path of the base commit; a path that is gone goes behind --`;
      if (!isThere) return { ok: false, reason };
    }
    return { ok: true, revisions, paths };
  }

  /** What a commit has at a path; null for nothing. Asked by its name, so that no content is needed. */
  async typeOf(commit: string, path: string): Promise<"file" | "other" | null> {
    const args = ["ls-tree", "-z", "--full-tree", commit, "--", path.replace(/\/$/, "")];
    const { stdout, code } = await this.#git.run(args, { okCodes: [0, 128] });
    if (code !== 0 || stdout.length === 0) return null;
    return stdout.toString("latin1").startsWith("100") ? "file" : "other";
  }

  /** Whether the history has a path, today or earlier: nothing else may be looked for. */
  async hasPath(path: string): Promise<boolean> {
    if (path === "." || path === "./") return true;
    if ((await this.typeOf(this.#base, path)) !== null) return true;
    const args = ["rev-list", "--max-count=1", "--end-of-options", this.#base, "--", path];
    return (await this.#git.text(args, { okCodes: [0, 128] })) !== "";
  }

  /** Null when the word is no revision at all. */
  async #read(word: string): Promise<Revision | { reason: string } | null> {
    // First, because a path may have dots: `HEAD:a..b` is no range.
    if (word.includes(":")) return this.#readObject(word);
    const [, left, dots, right] = /^(.*?)(\.{2,3})([^/.].*)?$/s.exec(word) ?? [];
    if (dots !== undefined) {
      if (!left && !right) return null;
      const from = await this.#commit(left || "HEAD");
      const to = await this.#commit(right || "HEAD");
      if (from === null || to === null) return null;
      return spelled("range", [from, to], ([a, b]) => `${a}${dots}${b}`);
    }
    const isExcluded = word.startsWith("^");
    const commit = await this.#commit(isExcluded ? word.slice(1) : word);
    if (commit === null) return null;
    return isExcluded
      ? spelled("excluded", [commit], ([id]) => `^${id}`)
      : spelled("commit", [commit], ([id]) => `${id}`);
  }

  async #readObject(word: string): Promise<Revision | { reason: string } | null> {
    const at = word.indexOf(":");
    const commit = await this.#commit(word.slice(0, at));
    if (commit === null) return null;
    const plain = word.slice(at + 1).replace(/^(?:\.\/)+/, "");
    if (plain.startsWith("/") || plain.split("/").includes(".."))
      return { reason: "a path leads out of the repository" };
    return spelled("object", [commit], ([id]) => `${id}:${plain}`);
  }

  /** The id; `{ reason }` when it is outside this history; null when there is no such commit. */
  async #commit(name: string): Promise<string | { reason: string } | null> {
    if (!NAME.test(name) || name.includes("..")) return null;
    // HEAD is the base here, wherever the user's own HEAD is.
    const pinned = name.replace(/^(?:HEAD|@)(?=[~^]|$)/, this.#base);
    const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${pinned}^{commit}`];
    const found = await this.#git.run(args, { okCodes: [0, 1, 128] });
    const id = found.stdout.toString("utf8").trim();
    if (found.code !== 0 || !/^[0-9a-f]{40,64}$/.test(id)) return null;
    const ancestry = ["merge-base", "--is-ancestor", id, this.#base];
    const { code } = await this.#git.run(ancestry, { okCodes: [0, 1, 128] });
    if (code === 0) return id;
    return { reason: `${name} does not belong to the history of the base commit` };
  }
}

function spelled(
  kind: RevisionKind,
  found: readonly (string | { reason: string })[],
  spell: (ids: readonly string[]) => string,
): Revision | { reason: string } {
  const ids: string[] = [];
  for (const one of found) {
    if (typeof one !== "string") return one;
    ids.push(one);
  }
  return { kind, text: spell(ids) };
}

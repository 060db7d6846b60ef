import { posix } from "node:path";
import type { Git } from "./git.ts";
import { requireId } from "./names.ts";

export type SortedWords =
  | { readonly ok: true; readonly revisions: readonly string[]; readonly paths: readonly string[] }
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
   * @returns the revisions in git's spelling with whole ids; a reason when one is not of this history
   */
  async sort(words: readonly string[]): Promise<SortedWords> {
    const revisions: string[] = [];
    for (const [index, word] of words.entries()) {
      const read = await this.#read(word);
      if (read === null) return this.#paths(revisions, words.slice(index));
      if ("reason" in read) return { ok: false, reason: read.reason };
      revisions.push(read.revision);
    }
    return { ok: true, revisions, paths: [] };
  }

  /** A path that is gone needs the `--` that says so: a mistyped revision would find nothing. */
  async #paths(revisions: readonly string[], paths: readonly string[]): Promise<SortedWords> {
    for (const path of paths) {
      const plain = posix.normalize(path).replace(/\/$/, "");
      const args = ["rev-parse", "--verify", "--quiet", "--end-of-options"];
      const object = `${this.#base}${plain === "." ? "^{tree}" : `:${plain}`}`;
      const { code } = await this.#git.run([...args, object], { okCodes: [0, 1, 128] });
      const reason = `${path} is neither a commit of this history nor a path of the base commit; a path that is gone goes behind --`;
      if (code !== 0) return { ok: false, reason };
    }
    return { ok: true, revisions, paths };
  }

  /** Null when the word is no revision at all. */
  async #read(word: string): Promise<{ revision: string } | { reason: string } | null> {
    const [, left, dots, right] = /^(.*?)(\.{2,3})([^/].*)?$/s.exec(word) ?? [];
    if (dots !== undefined) {
      const from = await this.#commit(left || "HEAD");
      const to = await this.#commit(right || "HEAD");
      if (from === null || to === null) return null;
      return combine([from, to], ([a, b]) => `${a}${dots}${b}`);
    }
    if (word.startsWith("^")) {
      const commit = await this.#commit(word.slice(1));
      return commit === null ? null : combine([commit], ([id]) => `^${id}`);
    }
    const [name, path] = splitOnce(word, ":");
    const commit = await this.#commit(name);
    if (commit === null) return null;
    if (path === null) return combine([commit], ([id]) => id ?? "");
    const plain = path.replace(/^(?:\.\/)+/, "");
    if (plain.split("/").includes("..")) return { reason: "a path leads out of the repository" };
    return combine([commit], ([id]) => `${id}:${plain}`);
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

function combine(
  found: readonly (string | { reason: string })[],
  spell: (ids: readonly string[]) => string,
): { revision: string } | { reason: string } {
  const ids: string[] = [];
  for (const one of found) {
    if (typeof one !== "string") return one;
    ids.push(one);
  }
  return { revision: spell(ids) };
}

function splitOnce(text: string, separator: string): [string, string | null] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, null] : [text.slice(0, at), text.slice(at + 1)];
}

/**
 * The files of which an answer of git shows lines. A part may hold the middle of a secret whose
 * beginning alone tells that it is one: so whoever looks for secrets needs the files whole.
 */
import {
  HISTORY_CHECKED_MAX_BYTES,
  HISTORY_CHECKED_MAX_FILES,
  PROJECT_FILE_MAX_BYTES,
} from "../core/limits.ts";
import type { Git } from "./git.ts";
import { ObjectReader } from "./object-reader.ts";
import type { Repository } from "./repository.ts";

export interface ShownFiles {
  /** The answer without the parts of files that can't be given whole. */
  readonly stdout: string;
  /** Each file once per version; bytes that are no UTF-8 appear as in the answer. */
  readonly files: readonly string[];
}

/** Of a patch with `--full-index`, behind what `--graph` draws; a merge's has several ids on the left. */
const INDEX_LINE = /^[ |*\\/_.-]*index ([0-9a-f,]{40,})\.\.([0-9a-f]{40,64})(?: \d{6})?$/;
/** Where the next file's part, or the next commit, begins: no line of a file stands without a sign. */
const PART_START = /^(?:diff --(?:git|cc|combined) |commit [0-9a-f]{40})/;
const WITHHELD =
  "[too much to be checked for secrets: narrow it down with -n or a path, or use --stat]";

/** The files that a patch's index lines name. */
export async function filesOfPatch(
  git: Git,
  { objectFormat }: Pick<Repository, "objectFormat">,
  stdout: string,
): Promise<ShownFiles> {
  await using reader = new BoundedReader(git, objectFormat);
  const shown: string[] = [];
  let isWithheld = false;
  for (const line of stdout.split("\n")) {
    if (PART_START.test(line)) isWithheld = false;
    const [, from = "", to = ""] = INDEX_LINE.exec(line) ?? [];
    if (isWithheld) continue;
    shown.push(line);
    if (to === "" || (await reader.add([...from.split(","), to]))) continue;
    isWithheld = true;
    shown.push(WITHHELD);
  }
  return { stdout: shown.join("\n"), files: reader.files };
}

/** @param names of objects, whichever of them the answer shows lines of; all of it is withheld when they are too much */
export async function filesNamed(
  git: Git,
  { objectFormat }: Pick<Repository, "objectFormat">,
  stdout: string,
  names: readonly string[],
): Promise<ShownFiles> {
  await using reader = new BoundedReader(git, objectFormat);
  const isAll = await reader.add(names);
  return isAll ? { stdout, files: reader.files } : { stdout: `${WITHHELD}\n`, files: [] };
}

/**
 * All versions of the files that `log -L` follows: these patches name no object.
 * @param ranges as `-L1,2:a/b.ts`
 * @param log git's command with the commits whose history is looked at
 */
export async function filesOfRanges(
  git: Git,
  repository: Pick<Repository, "objectFormat">,
  stdout: string,
  ranges: readonly string[],
  log: readonly string[],
): Promise<ShownFiles> {
  const names = new Set<string>();
  for (const path of ranges.flatMap(afterColons)) {
    // A path that is none is git's to refuse: of one that is, something will be found.
    const raw = await git.text([...log, "--", path], { okCodes: [0, 128] });
    for (const [, from = "", to = ""] of raw.matchAll(/^:\d{6} \d{6} (\w+) (\w+) /gm))
      names.add(from).add(to);
  }
  if (names.size === 0 && stdout !== "") return { stdout: `${WITHHELD}\n`, files: [] };
  return filesNamed(git, repository, stdout, [...names]);
}

/** What may be the file: a pattern before it has colons too, and so may its name. */
function afterColons(range: string): string[] {
  return [...range.matchAll(/:/g)].map(({ index }) => range.slice(index + 1));
}

class BoundedReader implements AsyncDisposable {
  readonly files: string[] = [];
  readonly #reader: ObjectReader;
  readonly #known = new Map<string, boolean>();
  #bytes = 0;

  constructor(git: Git, objectFormat: Repository["objectFormat"]) {
    this.#reader = new ObjectReader(git, objectFormat);
  }

  /** @returns false when one of the files is too much */
  async add(names: readonly string[]): Promise<boolean> {
    let isAll = true;
    for (const name of names) {
      const isHere = this.#known.get(name) ?? (await this.#read(name));
      this.#known.set(name, isHere);
      isAll &&= isHere;
    }
    return isAll;
  }

  /** What is no file, or not there (the empty side of a new file, a submodule), shows no lines. */
  async #read(name: string): Promise<boolean> {
    if (/^0+$/.test(name)) return true;
    const info = await this.#reader.info(name);
    if (info?.type !== "blob") return true;
    const isTooMuch =
      info.size > PROJECT_FILE_MAX_BYTES ||
      this.#bytes + info.size > HISTORY_CHECKED_MAX_BYTES ||
      this.files.length >= HISTORY_CHECKED_MAX_FILES;
    if (isTooMuch) return false;
    const object = await this.#reader.read(name);
    this.#bytes += info.size;
    if (object !== null) this.files.push(object.bytes.toString("utf8"));
    return true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#reader.close();
  }
}

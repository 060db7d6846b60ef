/**
 * Loads CommonJS files together with the byte code that V8 made of them in an earlier process: to
 * compile them anew takes longer than to run them. (Node's own cache for that, `module.enableCompileCache`,
 * is newer than the oldest Node that this runs on, and sees no worker threads.) On the hook's path: built-in modules only.
 */
import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Script } from "node:vm";
import { type ByteCode, joinParts, splitParts } from "./byte-code-parts.ts";
import { hasCode } from "./errors.ts";

export interface LoadedFile {
  readonly exports: unknown;
  /**
   * Keeps what was compiled so far beside the file for the next process, where some of it is missing and can be written. V8 takes
   * it only under the flags that it has now.
   */
  readonly keepByteCode: () => void;
}

export interface ByteCodeOptions {
  /** Tells this content of the file, and of those that it requires, from every other: V8 itself compares only the length. */
  readonly digest: string;
  /** Uses that run other functions of the same file have byte code of their own. */
  readonly use?: string;
  /** How many processes keep what they compiled; those before may have ended early. 1 if it isn't given. */
  readonly times?: number;
}

/**
 * V8 takes byte code of the same version and flags only, and compiles the source where it has none.
 * @param file absolute path of a file that requires nothing but built-in modules and files beside it (`./name.js`)
 */
export function loadWithByteCode(file: string, options: ByteCodeOptions): LoadedFile {
  const { digest, use, times = 1 } = options;
  // Whatever is replaced, Node.js or the file, has byte code of its own.
  const made = [process.version, process.arch, ...(use === undefined ? [] : [use]), digest];
  const path = `${file}.${made.join("-")}.cache`;
  const kept = readIfThere(path) ?? { times: 0, parts: new Map() };
  const files = new Files(dirname(file), kept.parts);
  const exports = files.require(basename(file));
  const keep = () => {
    const parts = () => new Map([...kept.parts, ...files.byteCode()]);
    write(path, () => joinParts({ times: kept.times + 1, parts: parts() }));
    removeOthers(file, digest);
  };
  const keepByteCode = () => {
    if (!files.areKept || kept.times < times) tolerate(keep);
  };
  return { exports, keepByteCode };
}

/** The files of one folder that were loaded, each once. */
class Files {
  /** Whether V8 had the byte code of all. */
  areKept = true;
  readonly #folder: string;
  readonly #kept: ReadonlyMap<string, Buffer>;
  readonly #modules = new Map<string, { exports: unknown }>();
  readonly #scripts = new Map<string, Script>();

  constructor(folder: string, kept: ReadonlyMap<string, Buffer>) {
    this.#folder = folder;
    this.#kept = kept;
  }

  require(name: string): unknown {
    const loaded = this.#modules.get(name);
    if (loaded !== undefined) return loaded.exports;
    const filename = join(this.#folder, name);
    const source = readFileSync(filename, "utf8");
    const cachedData = this.#kept.get(name);
    const { Script } = process.getBuiltinModule("node:vm");
    const wrapped = `(function(exports,require,module,__filename,__dirname){${source}\n})`;
    const script = new Script(wrapped, { filename, ...(cachedData && { cachedData }) });
    if (cachedData === undefined || script.cachedDataRejected === true) this.areKept = false;
    const run = script.runInThisContext();
    const module = { exports: {} };
    // Before it runs: files may require each other.
    this.#modules.set(name, module);
    this.#scripts.set(name, script);
    run(module.exports, (id: string) => this.#resolve(id), module, filename, this.#folder);
    return module.exports;
  }

  byteCode(): (readonly [string, Buffer])[] {
    return [...this.#scripts].map(([name, script]) => [name, script.createCachedData()]);
  }

  #resolve(id: string): unknown {
    if (id.startsWith("./")) return this.require(id.slice(2));
    const builtin: unknown = process.getBuiltinModule(id);
    if (builtin !== undefined) return builtin;
    throw Object.assign(new Error(`Cannot find module '${id}'`), { code: "MODULE_NOT_FOUND" });
  }
}

/** Mostly it is there: that an error costs more than a look counts once. */
function readIfThere(path: string): ByteCode | null {
  try {
    return splitParts(readFileSync(path));
  } catch (error) {
    if (hasCode(error, ...REFUSED)) return null;
    throw error;
  }
}

/** What the system may refuse about a place: then the next process compiles again. */
const REFUSED = [
  "EACCES",
  "EPERM",
  "EROFS",
  "ENOSPC",
  "EDQUOT",
  "EFBIG",
  "EIO",
  "ENOENT",
  "EEXIST",
];

function tolerate(write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!hasCode(error, ...REFUSED)) throw error;
  }
}

/** Whole or not at all, also after a power cut. */
function write(path: string, content: () => Buffer): void {
  const temporary = `${path}.${process.pid}.tmp`;
  const file = openSync(temporary, "wx", 0o644);
  try {
    // As often as it takes: the last write before a disk is full is a short one.
    writeFileSync(file, content());
    fsyncSync(file);
    renameSync(temporary, path);
  } catch (error) {
    unlinkSync(temporary);
    throw error;
  } finally {
    closeSync(file);
  }
}

/**
 * The byte code of earlier builds, and what killed processes left. A process that still writes finds its file
 * gone; what it was to be is there already, or is made by the next one.
 */
function removeOthers(file: string, digest: string): void {
  const folder = dirname(file);
  const isOther = (name: string) =>
    name.startsWith(`${basename(file)}.v`) &&
    (name.endsWith(".tmp") || (name.endsWith(".cache") && !name.endsWith(`-${digest}.cache`)));
  for (const name of readdirSync(folder).filter(isOther)) unlinkSync(join(folder, name));
}

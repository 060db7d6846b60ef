/**
 * Loads a CommonJS file together with the byte code that V8 made of it in an earlier process: to
 * compile it anew takes longer than to run it. (Node's own cache for that, `module.enableCompileCache`,
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
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { hasCode } from "./errors.ts";

export interface LoadedFile {
  readonly exports: unknown;
  /** Keeps what was compiled so far beside the file for the next process, where that is missing and can be written. */
  readonly keepByteCode: () => void;
}

/**
 * V8 takes byte code of the same version and flags only, and compiles the source where it has none.
 * @param file absolute path of a file that requires nothing but built-in modules
 * @param digest tells this content of the file from every other: V8 itself compares only the length
 */
export function loadWithByteCode(file: string, digest: string): LoadedFile {
  const source = readFileSync(file, "utf8");
  // Whatever is replaced, Node.js or the file, has byte code of its own.
  const kept = `${file}.${process.version}-${process.arch}-${digest}.cache`;
  const cachedData = readIfThere(kept);
  const { Script } = process.getBuiltinModule("node:vm");
  const wrapped = `(function(exports,require,__filename){${source}\n})`;
  const script = new Script(wrapped, { filename: file, ...(cachedData && { cachedData }) });
  const exports = {};
  script.runInThisContext()(exports, process.getBuiltinModule, file);
  const isKept = cachedData !== undefined && script.cachedDataRejected !== true;
  const keep = () => {
    write(kept, () => script.createCachedData());
    removeOthers(file, digest);
  };
  return { exports, keepByteCode: () => isKept || tolerate(keep) };
}

/** Mostly it is there: that an error costs more than a look counts once. */
function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if (hasCode(error, ...REFUSED)) return undefined;
    throw error;
  }
}

/** What the system may refuse about a place: then the next process compiles again. */
const REFUSED = ["EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT", "EIO", "ENOENT", "EEXIST"];

function tolerate(write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!hasCode(error, ...REFUSED)) throw error;
  }
}

/** Whole or not at all, also after a power cut: V8 wouldn't notice that it lacks a part. */
function write(path: string, content: () => Buffer): void {
  const temporary = `${path}.${process.pid}.tmp`;
  const file = openSync(temporary, "wx", 0o644);
  try {
    writeSync(file, content());
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

/**
 * Loads a CommonJS file together with the byte code that V8 made of it in an earlier process: to
 * compile it anew takes longer than to run it. (Node's own cache for that, `module.enableCompileCache`,
 * is newer than the oldest Node that this runs on.) On the hook's path: built-in modules only.
 */
import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { hasCode } from "../core/errors.ts";

export interface LoadedFile {
  readonly exports: unknown;
  /** Keeps what was compiled so far beside the file for the next process, where that is missing and can be written. */
  readonly keepByteCode: () => void;
}

/**
 * V8 takes byte code of the same version and flags only, and compiles the source where it has none.
 * @param file absolute path of a file that requires nothing but built-in modules
 */
export function loadWithByteCode(file: string): LoadedFile {
  const { mtimeMs, size } = statSync(file);
  const source = readFileSync(file, "utf8");
  // Whatever is replaced, Node.js or the file, has byte code of its own.
  const kept = `${file}.${process.version}-${process.arch}-${size}-${Math.floor(mtimeMs)}.cache`;
  const cachedData = readIfThere(kept);
  const { Script } = process.getBuiltinModule("node:vm");
  const wrapped = `(function(exports,require){${source}\n})`;
  const script = new Script(wrapped, { filename: file, ...(cachedData && { cachedData }) });
  const exports = {};
  script.runInThisContext()(exports, process.getBuiltinModule);
  const isKept = cachedData !== undefined && script.cachedDataRejected !== true;
  return { exports, keepByteCode: () => isKept || write(kept, () => script.createCachedData()) };
}

function readIfThere(path: string): Buffer | undefined {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return size === 0 ? undefined : readFileSync(path);
}

/** What the system may refuse about a place: then the next process compiles again. */
const REFUSED = ["EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT", "EIO", "ENOENT", "EEXIST"];

/** Whole or not at all, also after a power cut: V8 wouldn't notice that it lacks a part. */
function write(path: string, content: () => Buffer): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
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
  } catch (error) {
    if (!hasCode(error, ...REFUSED)) throw error;
  }
}

/** Writing a listing of blobs as plain files: no checkout, no filter, no link, no hook. */
import { closeSync, constants, fchmodSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { hasCode, SkillprError } from "../core/errors.ts";
import {
  OBJECTS_IN_FLIGHT,
  PATH_COMPONENT_MAX_BYTES,
  WORKSPACE_MAX_BYTES,
} from "../core/limits.ts";
import { safeLine } from "../core/text.ts";
import type { ObjectReader } from "./object-reader.ts";
import type { ListedFile } from "./skills-tree.ts";

/**
 * Writes `files` below `dir`, which is new and private. Files and links become plain 0644 files (a
 * link: with its target as text, as git does where links don't exist), submodules empty folders.
 * @returns the bytes of every blob, by id
 * @throws SkillprError `input` for names and sizes that can't be held
 */
export async function materialize(
  reader: ObjectReader,
  files: readonly ListedFile[],
  dir: string,
): Promise<Map<string, Uint8Array>> {
  const blobs = new Map<string, Uint8Array>();
  const folders = new Set([dir]);
  let written = 0;
  for (let at = 0; at < files.length; at += OBJECTS_IN_FLIGHT) {
    const batch = files.slice(at, at + OBJECTS_IN_FLIGHT);
    batch.forEach(requireHoldable);
    const room = WORKSPACE_MAX_BYTES - written;
    const read = batch.map((file) => readFile(reader, file, room));
    for (const [index, bytes] of (await Promise.all(read)).entries()) {
      const { path, id } = batch[index] as ListedFile;
      written += bytes?.byteLength ?? 0;
      if (written > WORKSPACE_MAX_BYTES) throw tooLarge(path);
      const target = join(dir, path);
      makeFolders(bytes === null ? target : dirname(target), folders, path);
      if (bytes === null) continue;
      writeNew(target, bytes, path);
      blobs.set(id, bytes);
    }
  }
  return blobs;
}

/** The bytes to write; null for a submodule. */
async function readFile(
  reader: ObjectReader,
  file: ListedFile,
  maxBytes: number,
): Promise<Buffer | null> {
  if (file.mode === "160000") return null;
  const info = await reader.info(file.id);
  if (info?.type !== "blob") {
    throw new SkillprError(
      "git",
      `the contents of ${safeLine(file.path)} (${file.id}) are missing from the repository`,
      "Check it with `git fsck`; in a partial clone, fetch while the remote can be reached.",
    );
  }
  if (info.size > maxBytes) throw tooLarge(file.path);
  const bytes = await reader.blob(file.id, maxBytes);
  if (bytes === null) throw new Error(`blob ${file.id} changed while it was read`);
  return bytes;
}

function tooLarge(path: string): SkillprError {
  return new SkillprError(
    "input",
    `the skills folder holds more than ${WORKSPACE_MAX_BYTES} bytes (at ${safeLine(path)})`,
    "A skills folder holds small text files: check that --skills-root names the right one.",
  );
}

/** Characters that HFS+ leaves out when it compares names: `.g<ZWNJ>it` is `.git` there. */
const IGNORED_BY_HFS = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Trees may hold names that no checkout would write. */
function requireHoldable({ path }: ListedFile): void {
  const bad = path.split("/").find((part) => {
    const isDotgit = /^(?:\.git|git~\d+)[. ]*$/i.test(part.replace(IGNORED_BY_HFS, ""));
    const isOdd = part === "" || part === "." || part === ".." || /[\0\ufffd]/.test(part);
    return isOdd || isDotgit || Buffer.byteLength(part) > PATH_COMPONENT_MAX_BYTES;
  });
  if (bad === undefined) return;
  throw new SkillprError(
    "input",
    `the base holds a name that can't be written to a disk: ${safeLine(path)}`,
    "Rename or remove that file in the base: names must be UTF-8, at most 255 bytes, and not `.git`.",
  );
}

function makeFolders(folder: string, known: Set<string>, path: string): void {
  if (known.has(folder)) return;
  makeFolders(dirname(folder), known, path);
  try {
    mkdirSync(folder);
  } catch (error) {
    throw collision(error, path);
  }
  known.add(folder);
}

function writeNew(target: string, bytes: Uint8Array, path: string): void {
  const { O_CREAT, O_EXCL, O_WRONLY, O_NOFOLLOW } = constants;
  let file: number;
  try {
    file = openSync(target, O_CREAT | O_EXCL | O_WRONLY | (O_NOFOLLOW ?? 0), 0o644);
  } catch (error) {
    throw collision(error, path);
  }
  try {
    fchmodSync(file, 0o644); // whatever the umask: the walk compares permissions
    for (let at = 0; at < bytes.byteLength; ) at += writeSync(file, bytes, at);
  } finally {
    closeSync(file);
  }
}

/** Two names of a tree that are one on this disk (case, normal forms), or a file where a folder must be. */
function collision(error: unknown, path: string): unknown {
  if (!hasCode(error, "EEXIST", "ENOTDIR", "ENAMETOOLONG", "EILSEQ", "EINVAL")) return error;
  return new SkillprError(
    "input",
    `this disk can't hold ${safeLine(path)} beside the other names in its folder`,
    "Rename it in the base: two names may not differ in case or accents only.",
    { cause: error },
  );
}

/** An agent's settings file on the disk: read without following links, replaced whole. */
import { isUtf8 } from "node:buffer";
import { constants, type Stats } from "node:fs";
import { chmod, chown, lstat, mkdir, open, rm, rmdir } from "node:fs/promises";
import { dirname } from "node:path";
import { writeFileAtomically } from "../core/atomic-file.ts";
import { hasCode, SkillprError } from "../core/errors.ts";
import { SETTINGS_MAX_BYTES } from "../core/limits.ts";
import { safeLine } from "../core/text.ts";

export interface SettingsFile {
  readonly path: string;
  /** Null when there is no file. */
  readonly bytes: Buffer | null;
  /** Null when there is no file. */
  readonly rights: { readonly mode: number; readonly uid: number; readonly gid: number } | null;
  readonly hasFolder: boolean;
}

const BOM = "\ufeff";

/**
 * @param mayFolderBeLink false for a project, whose links may lead anywhere
 * @throws SkillprError `config` for a link, a folder, a file that can't be written, or no text
 */
export async function readSettingsFile(
  path: string,
  mayFolderBeLink: boolean,
): Promise<SettingsFile> {
  const folder = await look(dirname(path));
  if (folder?.isSymbolicLink() && !mayFolderBeLink)
    throw refused(dirname(path), "is a symbolic link", "make it a folder of this project");
  if (folder !== null && !folder.isSymbolicLink() && !folder.isDirectory())
    throw refused(dirname(path), "is not a folder", "move it away");
  const hasFolder = folder !== null;
  const info = await look(path);
  if (info === null) return { path, bytes: null, rights: null, hasFolder };
  refuseOdd(path, info);
  const bytes = await readBytes(path, info);
  if (!isUtf8(bytes)) throw refused(path, "is not text in UTF-8", "repair it");
  const { uid, gid } = info;
  return { path, bytes, rights: { mode: info.mode & 0o7777, uid, gid }, hasFolder };
}

function refuseOdd(path: string, info: Stats): void {
  if (info.isSymbolicLink()) {
    const hint = "edit the file that it leads to, or put a plain file in its place";
    throw refused(path, "is a symbolic link", hint);
  }
  if (info.isDirectory()) throw refused(path, "is a folder", "move it away");
  if (!info.isFile()) throw refused(path, "is no regular file", "move it away");
  if (info.size > SETTINGS_MAX_BYTES)
    throw refused(path, "is too large for a settings file", "look at what is in it");
  if ((info.mode & 0o200) === 0)
    throw refused(path, "is read-only", `make it writable (chmod u+w ${safeLine(path)})`);
}

/** The text without its byte order mark; empty when there is no file. */
export function textOf({ bytes }: Pick<SettingsFile, "bytes">): string {
  return bytes === null ? "" : bytes.toString("utf8").replace(BOM, "");
}

/** A text with the byte order mark that the file had. */
export function bytesOf({ bytes }: Pick<SettingsFile, "bytes">, text: string): Buffer {
  const hasMark = bytes?.toString("utf8").startsWith(BOM) === true;
  return Buffer.from(hasMark ? BOM + text : text);
}

/**
 * Puts new bytes in the file's place (null: removes it), if it is still as it was read.
 * @param ownFolder the folder was made for this file: it goes with it when it is empty
 * @throws SkillprError `config` when it changed meanwhile, or can't be written
 */
export async function writeSettingsFile(
  file: SettingsFile,
  bytes: Buffer | null,
  ownFolder = false,
): Promise<void> {
  const { path, rights } = file;
  await refuseIfChanged(file);
  try {
    if (bytes === null) {
      await rm(path);
      if (ownFolder) await removeEmptyFolder(dirname(path));
      return;
    }
    await mkdir(dirname(path), { recursive: true });
    // A new file gets what the user's umask leaves; the mode of an old one is kept to the bit.
    await writeFileAtomically(path, bytes, rights?.mode ?? 0o666);
    if (rights === null) return;
    // Only root can write a file that stays somebody else's.
    if (process.getuid?.() === 0) await chown(path, rights.uid, rights.gid);
    await chmod(path, rights.mode);
  } catch (error) {
    if (!hasCode(error, "EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT")) throw error;
    throw refused(path, "can't be written", "check its folder's permissions and the free space");
  }
}

async function removeEmptyFolder(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    // Somebody put something there since.
    if (!hasCode(error, "ENOTEMPTY", "EEXIST", "ENOENT")) throw error;
  }
}

/** Agents write their settings too. */
async function refuseIfChanged({ path, bytes }: SettingsFile): Promise<void> {
  const info = await look(path);
  const isSame =
    info === null || bytes === null
      ? info === null && bytes === null
      : info.isFile() && (await readBytes(path, info)).equals(bytes);
  if (!isSame) throw refused(path, "was changed by somebody else meanwhile", "run this again");
}

async function look(path: string): Promise<Stats | null> {
  try {
    return await lstat(path);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    if (hasCode(error, "ENOTDIR")) throw refused(dirname(path), "is not a folder", "move it away");
    throw error;
  }
}

async function readBytes(path: string, seen: Stats): Promise<Buffer> {
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | (constants.O_NOFOLLOW ?? 0);
  try {
    const handle = await open(path, flags);
    try {
      const info = await handle.stat();
      if (info.ino === seen.ino && info.isFile() && info.size <= SETTINGS_MAX_BYTES)
        return await handle.readFile();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (!hasCode(error, "ELOOP", "EMLINK", "ENOENT", "EACCES")) throw error;
    if (hasCode(error, "EACCES")) throw refused(path, "can't be read", "check its permissions");
  }
  throw refused(path, "was replaced while it was read", "run this again");
}

function refused(path: string, why: string, whatToDo: string): SkillprError {
  return new SkillprError(
    "config",
    `${safeLine(path)} ${why}`,
    `nothing was changed; ${whatToDo}, then run this again`,
  );
}

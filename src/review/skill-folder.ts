/**
 * The only way in which a reviewer touches the disk: text files below the skills folder of a
 * workspace. No link is ever followed, nothing outside is reached, nothing is deleted.
 *
 * What a reviewer may not do is a value (`ok: false` with a reason that a model can read); what
 * fails because of the disk is a SkillprError.
 */
import { constants } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { hasCode, SkillprError } from "../core/errors.ts";
import { SKILL_FILE_MAX_BYTES, WORKSPACE_MAX_ENTRIES } from "../core/limits.ts";
import { safeLine } from "../core/text.ts";

export interface Refused {
  readonly ok: false;
  /** One sentence without a full stop, for the reviewer. */
  readonly reason: string;
}

export type Read = { readonly ok: true; readonly text: string } | Refused;
export type Written = { readonly ok: true } | Refused;
export interface FolderEntry {
  readonly name: string;
  readonly kind: "file" | "folder" | "other";
}
export type Listed = { readonly ok: true; readonly entries: readonly FolderEntry[] } | Refused;

/** Paths are relative to the skills folder, `/`-separated: `release-flow/SKILL.md`. */
export interface SkillFolder {
  /** Entries sorted by name. @param path `.` for the skills folder itself */
  list(path: string): Promise<Listed>;
  /** A text file of at most SKILL_FILE_MAX_BYTES, UTF-8. */
  read(path: string): Promise<Read>;
  /** Writes a file that doesn't exist yet, and the folders above it. */
  create(path: string, text: string): Promise<Written>;
  /** Writes a file that exists. */
  replace(path: string, text: string): Promise<Written>;
}

// Windows has no O_NOFOLLOW; there the lstat before and the comparison after opening remain.
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;

function refused(reason: string): Refused {
  return { ok: false, reason };
}

/** The components of a path, or why it is none. */
function componentsOf(path: string): readonly string[] | Refused {
  if (path === ".") return [];
  const parts = path.split("/");
  const bad = parts.find(
    (part) => part === "" || part === "." || part === ".." || /^\.git$/i.test(part),
  );
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters in names are refused
  if (bad === undefined && !/[\\:\u0000-\u001f\u007f]/.test(path)) return parts;
  return refused(`"${safeLine(path)}" is not a path inside the skills folder`);
}

type Kind = "file" | "folder" | "absent" | "other";

async function kindOf(path: string): Promise<Kind> {
  try {
    const stat = await lstat(path);
    if (stat.isDirectory()) return "folder";
    // A second name of the file may lie anywhere: writing here would write there.
    return stat.isFile() && stat.nlink === 1 ? "file" : "other";
  } catch (error) {
    if (hasCode(error, "ENOENT")) return "absent";
    throw error;
  }
}

/** Walks down component by component; every one above the last must be a real folder. */
async function resolve(
  root: string,
  path: string,
): Promise<{ full: string; kind: Kind; missing: string[] } | Refused> {
  const parts = componentsOf(path);
  if ("ok" in parts) return parts;
  let full = root;
  let kind: Kind = await kindOf(root);
  const missing: string[] = [];
  if (kind !== "folder") return refused("the skills folder is not a folder");
  for (const [i, part] of parts.entries()) {
    full = join(full, part);
    kind = missing.length > 0 ? "absent" : await kindOf(full);
    const isLast = i === parts.length - 1;
    if (kind === "other")
      return refused(`"${safeLine(path)}" leads through a link or something that is no plain file`);
    if (!isLast && kind === "file")
      return refused(`a part of "${safeLine(path)}" is a file, not a folder`);
    if (!isLast && kind === "absent") missing.push(full);
  }
  return { full, kind, missing };
}

/** Opens without following a link, and makes sure that what was opened is a plain file with one name. */
async function openPlain(path: string, flags: number): Promise<FileHandle | Refused> {
  let handle: FileHandle;
  try {
    handle = await open(path, flags | NO_FOLLOW, 0o644);
  } catch (error) {
    if (hasCode(error, "ELOOP", "EEXIST", "EISDIR"))
      return refused("something else was put there meanwhile");
    throw error;
  }
  const [opened, named] = [await handle.stat(), await lstat(path)];
  if (opened.isFile() && opened.nlink === 1 && opened.ino === named.ino && opened.dev === named.dev)
    return handle;
  await handle.close();
  return refused("something else was put there meanwhile");
}

function tooLarge(text: string): Refused | null {
  const bytes = Buffer.byteLength(text);
  if (bytes <= SKILL_FILE_MAX_BYTES) return null;
  return refused(
    `the text has ${bytes} bytes, and a file of a skill may have ${SKILL_FILE_MAX_BYTES}`,
  );
}

async function listFolder(root: string, path: string): Promise<Listed> {
  const at = await resolve(root, path);
  if ("ok" in at) return at;
  if (at.kind !== "folder") return refused(`there is no folder "${safeLine(path)}"`);
  const found = await readdir(at.full, { withFileTypes: true });
  if (found.length > WORKSPACE_MAX_ENTRIES)
    return refused(`"${safeLine(path)}" has too many entries`);
  const entries = found.map((entry): FolderEntry => {
    const kind = entry.isFile() ? "file" : entry.isDirectory() ? "folder" : "other";
    return { name: entry.name, kind };
  });
  return { ok: true, entries: entries.sort((a, b) => (a.name < b.name ? -1 : 1)) };
}

async function readText(root: string, path: string): Promise<Read> {
  const at = await resolve(root, path);
  if ("ok" in at) return at;
  if (at.kind !== "file") return refused(`there is no file "${safeLine(path)}"`);
  const handle = await openPlain(at.full, constants.O_RDONLY);
  if ("ok" in handle) return handle;
  try {
    const { size } = await handle.stat();
    if (size > SKILL_FILE_MAX_BYTES) return refused(`"${safeLine(path)}" is too large to read`);
    const bytes = await handle.readFile();
    return {
      ok: true,
      text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes),
    };
  } catch (error) {
    if (hasCode(error, "ERR_ENCODING_INVALID_ENCODED_DATA"))
      return refused(`"${safeLine(path)}" is not UTF-8 text`);
    throw error;
  } finally {
    await handle.close();
  }
}

async function writeText(
  root: string,
  path: string,
  text: string,
  isNew: boolean,
): Promise<Written> {
  const at = tooLarge(text) ?? (await resolve(root, path));
  if ("ok" in at) return at;
  const wanted = isNew ? "absent" : "file";
  if (at.kind !== wanted)
    return refused(
      isNew ? `"${safeLine(path)}" exists already` : `there is no file "${safeLine(path)}"`,
    );
  for (const folder of at.missing) await mkdir(folder);
  const flags = isNew ? constants.O_CREAT | constants.O_EXCL : 0;
  const handle = await openPlain(at.full, constants.O_WRONLY | flags);
  if ("ok" in handle) return handle;
  try {
    // Emptied only now: O_TRUNC would empty a file before it is known to be the right one.
    await handle.truncate(0);
    await handle.writeFile(text);
    return { ok: true };
  } finally {
    await handle.close();
  }
}

/**
 * @param skillsDir absolute path of the skills root inside the workspace; it must exist
 * @throws SkillprError code `input` from every operation when the disk fails (full, no permission)
 */
export function openSkillFolder(skillsDir: string): SkillFolder {
  const guarded = async <T>(what: string, path: string, run: () => Promise<T>): Promise<T> => {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof Error && "syscall" in error)) throw error;
      const message = `could not ${what} ${safeLine(path)} in the workspace: ${error.message}`;
      throw new SkillprError(
        "input",
        message,
        "Check free space and permissions of the temporary folder.",
        {
          cause: error,
        },
      );
    }
  };
  return {
    list: (path) => guarded("list", path, () => listFolder(skillsDir, path)),
    read: (path) => guarded("read", path, () => readText(skillsDir, path)),
    create: (path, text) => guarded("create", path, () => writeText(skillsDir, path, text, true)),
    replace: (path, text) =>
      guarded("replace", path, () => writeText(skillsDir, path, text, false)),
  };
}

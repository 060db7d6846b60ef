/**
 * What a settings file was before skillpr changed it: a copy to look at and to restore from, and a
 * record of what it was copied from. Both are private: settings hold keys.
 */
import { createHash } from "node:crypto";
import { open, rm } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { writeFileAtomically } from "../core/atomic-file.ts";
import { hasCode, SkillprError } from "../core/errors.ts";
import { jsonOrNull } from "../core/json-or-null.ts";
import { SETTINGS_MAX_BYTES } from "../core/limits.ts";
import { type InferSchema, z } from "../core/schema.ts";
import { makePrivateFolder } from "./private-file.ts";

const RecordSchema = z.object({
  version: z.literal(1),
  /** Absolute path of the settings file. */
  path: z.string(),
  /** sha256 in hex of the bytes before; null: there was no file. */
  before: z.nullable(z.string()),
  /** The same of what skillpr wrote. */
  after: z.string(),
  /** The folder of the settings file was made for it. */
  hasMadeFolder: z.boolean(),
  /** ISO 8601. */
  at: z.string(),
});

type BackupRecord = InferSchema<typeof RecordSchema>;

export interface Backup {
  /** The bytes before; null: there was no file. */
  readonly before: Buffer | null;
  readonly hasMadeFolder: boolean;
}

/** For settings in the user's home: `$XDG_STATE_HOME/skillpr/backups`, else below `~/.local/state`. */
export function userBackupDir(env: NodeJS.ProcessEnv, home: string): string {
  const base = env["XDG_STATE_HOME"] ?? "";
  return join(isAbsolute(base) ? base : join(home, ".local", "state"), "skillpr", "backups");
}

/** Where the copy of one settings file lies. */
export function backupFile(dir: string, path: string): string {
  return join(folderOf(dir, path), "settings.json");
}

/**
 * The backup that belongs to these bytes.
 * @param now what the file holds
 * @returns null when there is none, or the file was changed since it was made
 */
export async function findBackup(dir: string, path: string, now: Buffer): Promise<Backup | null> {
  const record = await readRecord(dir, path);
  if (record?.path !== path || record.after !== digest(now)) return null;
  const { hasMadeFolder } = record;
  if (record.before === null) return { before: null, hasMadeFolder };
  const before = await readSmall(backupFile(dir, path));
  return before !== null && digest(before) === record.before ? { before, hasMadeFolder } : null;
}

/** Written before the settings file is: a crash in between leaves a backup that belongs to nothing. */
export async function keepBackup(
  dir: string,
  path: string,
  { before, hasMadeFolder }: Backup,
  after: Buffer,
): Promise<void> {
  const problem = makePrivateFolder(folderOf(dir, path));
  if (problem !== null)
    throw new SkillprError("input", problem, "move it away, then run this again");
  if (before === null) await rm(backupFile(dir, path), { force: true });
  else await writeFileAtomically(backupFile(dir, path), before);
  const record: BackupRecord = {
    version: 1,
    path,
    before: before === null ? null : digest(before),
    after: digest(after),
    hasMadeFolder,
    at: new Date().toISOString(),
  };
  await writeFileAtomically(recordFile(dir, path), `${JSON.stringify(record, null, 2)}\n`);
}

/** What was restored needs no backup any more. */
export async function dropBackup(dir: string, path: string): Promise<void> {
  await rm(folderOf(dir, path), { recursive: true, force: true });
}

function folderOf(dir: string, path: string): string {
  return join(dir, digest(Buffer.from(path)).slice(0, 16));
}

function recordFile(dir: string, path: string): string {
  return join(folderOf(dir, path), "record.json");
}

function digest(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** A damaged record is none: then the entries alone are taken out. */
async function readRecord(dir: string, path: string): Promise<BackupRecord | null> {
  const bytes = await readSmall(recordFile(dir, path));
  if (bytes === null) return null;
  return RecordSchema.safeParse(jsonOrNull(bytes.toString("utf8"))).data ?? null;
}

async function readSmall(path: string): Promise<Buffer | null> {
  try {
    const handle = await open(path, "r");
    try {
      const info = await handle.stat();
      return info.isFile() && info.size <= SETTINGS_MAX_BYTES ? await handle.readFile() : null;
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR", "EACCES", "EISDIR")) return null;
    throw error;
  }
}

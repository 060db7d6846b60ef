/** Reads an agent's SQLite database, from a copy of it. */
import { SkillprError } from "../core/errors.ts";
import { safeLine } from "../core/text.ts";
import { copyDatabase } from "./sqlite-copy.ts";
import type { SpoolFolder } from "./text-spool.ts";

export type SqliteRow = Readonly<Record<string, unknown>>;

export interface SqliteFile extends Disposable {
  /** The tables that it has, without views. */
  readonly tables: ReadonlySet<string>;
  /**
   * The rows that a query gives. What it isn't given in `values` must not come from a session.
   * @throws SkillprError code `input` when the database is damaged or has other columns
   */
  all(sql: string, values?: readonly (string | number)[]): readonly SqliteRow[];
}

export interface SqliteOptions {
  /** Makes the folder for the copy; called once. */
  readonly makeFolder: () => SpoolFolder;
  /** What to do when the database can't be read: a sentence. */
  readonly hint: string;
}

/**
 * Opens a database as it is at this moment, with what stands in its log. Nothing is written to it or
 * beside it; the copy is gone when it is closed.
 * @returns null when there is nothing in it, no table either
 * @throws SkillprError code `input` naming the file when it can't be copied or is no database
 */
export async function openSqlite(path: string, options: SqliteOptions): Promise<SqliteFile | null> {
  const folder = options.makeFolder();
  try {
    const copy = await copyDatabase(path, folder.path, options.hint);
    if (copy !== null) return await openCopy(copy, { path, hint: options.hint, folder });
  } catch (error) {
    folder.remove();
    throw error;
  }
  folder.remove();
  return null;
}

interface Origin {
  readonly path: string;
  readonly hint: string;
  readonly folder: SpoolFolder;
}

async function openCopy(copy: string, { path, hint, folder }: Origin): Promise<SqliteFile | null> {
  const { Database } = (await import("node-sqlite3-wasm")).default;
  const told = <T>(act: () => T): T => {
    try {
      return act();
    } catch (error) {
      // Whatever it says, the library says it of this file: damaged pages are told in many ways.
      const why = safeLine(error instanceof Error ? error.message : String(error));
      throw new SkillprError("input", `${path} can't be read: ${why}`, hint, { cause: error });
    }
  };
  const database = told(() => new Database(copy, { readOnly: true, fileMustExist: true }));
  try {
    // There is no shared memory for the log's index; nobody else has this copy.
    told(() => database.exec("PRAGMA locking_mode = EXCLUSIVE"));
    const all: SqliteFile["all"] = (sql, values = []) => told(() => database.all(sql, [...values]));
    const tables = all("SELECT name FROM sqlite_master WHERE type = 'table'");
    if (tables.length === 0) {
      database.close();
      folder.remove();
      return null;
    }
    return {
      tables: new Set(tables.map(({ name }) => String(name))),
      all,
      [Symbol.dispose]() {
        database.close();
        folder.remove();
      },
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Which sessions were reviewed: one small file each, in a private folder. */
import { createHash } from "node:crypto";
import { mkdir, open, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomically } from "../core/atomic-file.ts";
import { hasCode, SkillprError } from "../core/errors.ts";
import { jsonOrNull } from "../core/json-or-null.ts";
import { LEDGER_ENTRY_MAX_BYTES, LEDGER_MARKS_MAX, LEDGER_SESSION_LOOKS } from "../core/limits.ts";
import { z } from "../core/schema.ts";

export interface LedgerEntry {
  /** Of the transcript's bytes, `sha256:…`. */
  readonly digest: string;
  readonly sessionId: string;
  readonly agent: string;
  readonly status: "proposed" | "nothing_to_save" | "refused";
  /** Names of the skills that were proposed. */
  readonly skills: readonly string[];
  /** ISO 8601. */
  readonly at: string;
  /** How far it was reviewed (see growth.ts); entries of earlier versions don't have it. */
  readonly reviewed?:
    | {
        readonly turns: number;
        /** Digest of the turns before the last of them. */
        readonly before: string;
        /** Digest of the last; null in what commits say: of one turn, it could be guessed what it says. */
        readonly last: string | null;
      }
    | undefined;
  /** Marks that the session gave in the Skillbook so far, at most LEDGER_MARKS_MAX: given again, they are nothing new. */
  readonly marks?: readonly LedgerMark[] | undefined;
}

export interface LedgerMark {
  /** The strategy or the skill's folder. */
  readonly id: string;
  /** -1, 0 or 1. */
  readonly delta: number;
}

export interface Ledger {
  /**
   * The entry of this digest, or null. An entry that is damaged counts as none: the review is
   * done again and its outcome written over it.
   */
  find(digest: string): Promise<LedgerEntry | null>;
  /**
   * The entries of a session that say how far it was reviewed, at most `turns` turns far; the longest
   * first, LEDGER_SESSION_LOOKS at most. Costs the same however many sessions there are.
   */
  ofSession(agent: string, sessionId: string, turns: number): Promise<LedgerEntry[]>;
  /**
   * Writes an entry; one of the same digest is replaced. Two writers at once leave one whole entry.
   * @throws SkillprError code `config` when the folder can't be written
   */
  record(entry: LedgerEntry): Promise<void>;
  /** One sentence for each entry that was found damaged so far. */
  notes(): readonly string[];
}

/**
 * Opens the ledger in a folder. Nothing is created before the first entry is recorded (0700, the
 * entries 0600).
 */
export function openLedger(dir: string): Ledger {
  return new FolderLedger(dir);
}

class FolderLedger implements Ledger {
  readonly #dir: string;
  readonly #notes: string[] = [];

  constructor(dir: string) {
    this.#dir = dir;
  }

  async find(digest: string): Promise<LedgerEntry | null> {
    const path = this.#pathOf(digest);
    const text = await smallFile(path);
    if (text === null) return null;
    const entry = parseEntry(text);
    if (entry?.digest === digest) return entry;
    this.#notes.push(`The ledger entry ${path} is damaged; the session counts as not reviewed.`);
    return null;
  }

  async ofSession(agent: string, sessionId: string, turns: number): Promise<LedgerEntry[]> {
    const marks = (await marksIn(this.#marksOf(agent, sessionId))).flatMap((name) => {
      const [, count, hex] = /^(\d+)-([0-9a-f]{64})$/.exec(name) ?? [];
      return count === undefined || Number(count) > turns ? [] : [{ count: Number(count), hex }];
    });
    marks.sort((a, b) => b.count - a.count);
    const entries: LedgerEntry[] = [];
    for (const { hex } of marks.slice(0, LEDGER_SESSION_LOOKS)) {
      // A mark without its entry is of one that somebody deleted.
      const entry = await this.find(`sha256:${hex}`);
      if (entry !== null && entry.agent === agent && entry.sessionId === sessionId)
        entries.push(entry);
    }
    return entries;
  }

  async record(entry: LedgerEntry): Promise<void> {
    try {
      await mkdir(this.#dir, { recursive: true, mode: 0o700 });
      await this.#mark(entry);
      await writeFileAtomically(this.#pathOf(entry.digest), `${JSON.stringify(entry, null, 2)}\n`);
    } catch (error) {
      if (!hasCode(error, "EACCES", "EPERM", "EROFS", "ENOSPC", "ENOTDIR", "EEXIST", "EDQUOT")) {
        throw error;
      }
      const hint =
        "It lies in the repository's git folder: make that folder writable, or free space.";
      throw new SkillprError("config", `the ledger in ${this.#dir} can't be written`, hint, {
        cause: error,
      });
    }
  }

  notes(): readonly string[] {
    return this.#notes;
  }

  /** An empty file by which the session's entries are found: two writers at once can't lose one. */
  async #mark({ agent, sessionId, digest, reviewed }: LedgerEntry): Promise<void> {
    if (reviewed === undefined) return;
    const marks = this.#marksOf(agent, sessionId);
    await mkdir(marks, { recursive: true, mode: 0o700 });
    const name = `${reviewed.turns}-${hexOf(digest)}`;
    await writeFile(join(marks, name), "", { mode: 0o600 });
  }

  /** Named by a hash: a session's id may hold anything. */
  #marksOf(agent: string, sessionId: string): string {
    const name = createHash("sha256")
      .update(JSON.stringify([agent, sessionId]))
      .digest("hex");
    return join(this.#dir, "sessions", name.slice(0, 32));
  }

  #pathOf(digest: string): string {
    return join(this.#dir, `${hexOf(digest)}.json`);
  }
}

function hexOf(digest: string): string {
  const hex = /^sha256:([0-9a-f]{64})$/.exec(digest)?.[1];
  // Digests are made by our own reader: any other text here is a bug, and must not become a path.
  if (hex === undefined) throw new Error(`not a digest: ${JSON.stringify(digest)}`);
  return hex;
}

async function marksIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR", "EACCES", "EPERM", "EIO", "ELOOP")) return [];
    throw error;
  }
}

const entrySchema = z.object({
  digest: z.string(),
  sessionId: z.string(),
  agent: z.string(),
  status: z.enum(["proposed", "nothing_to_save", "refused"]),
  skills: z.array(z.string()),
  at: z.string(),
  reviewed: z.optional(
    z.object({
      turns: z.int().check(z.gte(1, "must be at least 1")),
      before: z.string(),
      last: z.nullable(z.string()),
    }),
  ),
  marks: z.optional(
    z.array(
      z.object({
        id: z.string(),
        delta: z.int().check(z.gte(-1, "must be -1, 0 or 1"), z.lte(1, "must be -1, 0 or 1")),
      }),
    ),
  ),
});

/** Null for what is none: the caller notes the damage. */
function parseEntry(text: string): LedgerEntry | null {
  return entrySchema.safeParse(jsonOrNull(text)).data ?? null;
}

/** The text of a small file; null when there is none, an empty text when it is no such file. */
async function smallFile(path: string): Promise<string | null> {
  try {
    const file = await open(path, "r");
    try {
      const info = await file.stat();
      if (!info.isFile() || info.size > LEDGER_ENTRY_MAX_BYTES) return "";
      return await file.readFile("utf8");
    } finally {
      await file.close();
    }
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return null;
    if (hasCode(error, "EACCES", "EPERM", "EISDIR", "EIO", "ELOOP")) return "";
    throw error;
  }
}

/** Records what is done already: a ledger that can't be written costs a second review, not the result. */
export async function noteReviewed(
  ledger: Ledger,
  entry: LedgerEntry,
  { onNote }: { readonly onNote: (note: string) => void },
): Promise<void> {
  try {
    await ledger.record(entry);
  } catch (error) {
    if (!(error instanceof SkillprError)) throw error;
    onNote(`${error.message}, so this session may be reviewed again. ${error.hint}`);
  }
}

/** The marks of a session that its entries know of, and those that are new. */
export async function marksGiven(
  ledger: Ledger,
  {
    agent,
    sessionId,
    turns,
  }: Pick<LedgerEntry, "agent" | "sessionId"> & { readonly turns: number },
  fresh: readonly LedgerMark[] = [],
): Promise<LedgerMark[]> {
  const entries = await ledger.ofSession(agent, sessionId, turns);
  const all = [...entries.flatMap(({ marks = [] }) => marks), ...fresh];
  const byName = new Map(all.map(({ id, delta }) => [`${delta} ${id}`, { id, delta }]));
  return [...byName.values()].slice(-LEDGER_MARKS_MAX);
}

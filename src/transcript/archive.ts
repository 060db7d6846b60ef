/**
 * Compressed transcripts: gzip is read through as it comes, a ZIP from memory.
 *
 * Both are foreign: what they unpack to is bounded, in bytes, in files and in nesting, and what
 * they say of themselves is not believed.
 */
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { type UnzipFileInfo, unzipSync } from "fflate";
import { SkillprError } from "../core/errors.ts";
import {
  ARCHIVE_ENTRIES_MAX,
  ARCHIVE_ENTRY_MAX_BYTES,
  ARCHIVE_MAX_BYTES,
  ARCHIVE_NAMES_SHOWN,
  ARCHIVE_NESTING_MAX,
  UNPACKED_MAX_BYTES,
} from "../core/limits.ts";
import { safeLine } from "../core/text.ts";
import { byHead, type Chunks } from "./head-of-chunks.ts";

export interface ArchiveLimits {
  readonly packedBytes: number;
  readonly unpackedBytes: number;
  readonly entryBytes: number;
  readonly entries: number;
}

const DEFAULT_LIMITS: ArchiveLimits = {
  packedBytes: ARCHIVE_MAX_BYTES,
  unpackedBytes: UNPACKED_MAX_BYTES,
  entryBytes: ARCHIVE_ENTRY_MAX_BYTES,
  entries: ARCHIVE_ENTRIES_MAX,
};

/** A file of an archive that may be a transcript. */
export interface ArchiveEntry {
  /** As the archive spells it; only for people, never a path that is opened. */
  readonly name: string;
  /** @throws SkillprError code `input` when it is damaged or too large */
  unpack(): Uint8Array;
}

/** A `PK` signature: a file, an archive without files, or one that was split. */
export function isZip(head: Uint8Array): boolean {
  const [p, k, third, fourth] = head;
  if (p !== 0x50 || k !== 0x4b) return false;
  return (
    (third === 3 && fourth === 4) || (third === 5 && fourth === 6) || (third === 7 && fourth === 8)
  );
}

function isGzip(head: Uint8Array): boolean {
  return head[0] === 0x1f && head[1] === 0x8b && head[2] === 8;
}

/**
 * The bytes of a transcript, whatever it is packed in; bytes that aren't packed as they are.
 * @param name stands in errors
 * @throws SkillprError code `input` when an archive is damaged, too large or too deep, or when it
 *   holds no file or several
 */
export function unpackedChunks(
  chunks: Chunks,
  name: string,
  limits: ArchiveLimits = DEFAULT_LIMITS,
  nesting = 0,
): AsyncGenerator<Uint8Array> {
  return byHead(chunks, 4, (head, whole) => {
    const isPacked = isGzip(head) || isZip(head);
    if (!isPacked) return whole;
    if (nesting >= ARCHIVE_NESTING_MAX) {
      throw refused(name, `holds more than ${ARCHIVE_NESTING_MAX} archives inside each other`);
    }
    const inner = isGzip(head) ? gunzipped(whole, name, limits) : unzipped(whole, name, limits);
    return unpackedChunks(inner, name, limits, nesting + 1);
  });
}

async function* gunzipped(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  limits: ArchiveLimits,
): AsyncGenerator<Uint8Array> {
  // pipeline gives errors on to the stream that is read below, which throws them.
  const unpacking = pipeline(Readable.from(copies(chunks)), createGunzip(), () => {});
  let size = 0;
  try {
    for await (const chunk of unpacking as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > limits.unpackedBytes) throw tooLarge(name, limits.unpackedBytes);
      yield chunk;
    }
  } catch (error) {
    throw isZlibError(error) ? damaged(name, error) : error;
  }
}

/** The unpacker takes its bytes later. */
async function* copies(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield Buffer.from(chunk);
}

async function* unzipped(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  limits: ArchiveLimits,
): AsyncGenerator<Uint8Array> {
  const entries = zipEntries(await gatherArchive(chunks, name, limits), name, limits);
  const [only] = entries;
  if (only !== undefined && entries.length === 1) {
    yield only.unpack();
    return;
  }
  const shown = entries.slice(0, ARCHIVE_NAMES_SHOWN).map((entry) => safeLine(entry.name));
  const more = entries.length > shown.length ? ", …" : "";
  throw refused(
    name,
    entries.length === 0
      ? "is an archive without a transcript"
      : `is an archive of ${entries.length} files (${shown.join(", ")}${more}), not one transcript`,
  );
}

/** The bytes of an archive, in memory. */
export async function gatherArchive(
  chunks: Chunks,
  name: string,
  limits: ArchiveLimits = DEFAULT_LIMITS,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > limits.packedBytes) throw tooLarge(name, limits.packedBytes);
    parts.push(Buffer.from(chunk));
  }
  return Buffer.concat(parts);
}

/** The files of a ZIP that may be transcripts, in the archive's order. */
export function zipEntries(
  archive: Uint8Array,
  name: string,
  limits: ArchiveLimits = DEFAULT_LIMITS,
): ArchiveEntry[] {
  const found: { index: number; name: string }[] = [];
  let unpackedBytes = 0;
  walk(archive, name, limits, (info, index) => {
    if (!mayBeTranscript(info.name)) return false;
    unpackedBytes += info.originalSize;
    if (unpackedBytes > limits.unpackedBytes) throw tooLarge(name, limits.unpackedBytes);
    found.push({ index, name: info.name });
    return false;
  });
  return transcriptsAmong(found).map((entry) => ({
    name: entry.name,
    unpack: () => unpackEntry(archive, `${name}: ${safeLine(entry.name)}`, limits, entry.index),
  }));
}

function unpackEntry(
  archive: Uint8Array,
  name: string,
  limits: ArchiveLimits,
  wanted: number,
): Uint8Array {
  const files = walk(archive, name, limits, (info, index) => {
    if (index !== wanted) return false;
    // The unpacker takes as much memory as the archive announces, and fills no more than that.
    if (info.originalSize > limits.entryBytes) throw tooLarge(name, limits.entryBytes);
    return true;
  });
  return Object.values(files)[0] ?? new Uint8Array();
}

function walk(
  archive: Uint8Array,
  name: string,
  limits: ArchiveLimits,
  choose: (info: UnzipFileInfo, index: number) => boolean,
): Record<string, Uint8Array> {
  let index = 0;
  try {
    return unzipSync(archive, {
      filter: (info) => {
        // An archive may announce billions of files without holding one.
        if (index >= limits.entries) throw refused(name, `holds more than ${limits.entries} files`);
        index += 1;
        return choose(info, index - 1);
      },
    });
  } catch (error) {
    if (error instanceof SkillprError) throw error;
    // Whatever a damaged archive makes the unpacker do (its own errors, or a RangeError), it is damaged.
    throw damaged(name, error);
  }
}

/** Folders, and what systems and agents put beside transcripts, are left out. */
function mayBeTranscript(name: string): boolean {
  const isSidecar = /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/.test(name);
  const isNeighbour = /\.(?:runtime|worktree|meta)\.json$|\.ledger\.jsonl$/.test(name);
  return !name.endsWith("/") && !isSidecar && !isNeighbour;
}

/** Where some files are named like transcripts, the others (a README) were packed along. */
function transcriptsAmong<T extends { readonly name: string }>(
  entries: readonly T[],
): readonly T[] {
  const named = entries.filter(({ name }) =>
    /\.(?:jsonl?|traj)(?:\.gz)?$|\.zip$|\.aider\.chat\.history\.md$|\.specstory\/history\/[^/]+\.md$/i.test(
      name,
    ),
  );
  return named.length > 0 ? named : entries;
}

function isZlibError(error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error)) return false;
  return /^(?:Z_|ERR_STREAM_PREMATURE_CLOSE)/.test(String(error.code));
}

function refused(name: string, what: string): SkillprError {
  return new SkillprError("input", `${name} ${what}`, "Unpack it, and name the transcripts in it.");
}

function tooLarge(name: string, bytes: number): SkillprError {
  return refused(name, `is packed and larger than ${Math.floor(bytes / 1024 / 1024)} MiB`);
}

function damaged(name: string, cause: unknown): SkillprError {
  const hint = "It may be damaged, cut off or encrypted: unpack it yourself, or send it again.";
  return new SkillprError("input", `${name} can't be unpacked`, hint, { cause });
}

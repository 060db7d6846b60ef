/** The door of the transcript room: a file or bytes become a Session. */
import { createHash } from "node:crypto";
import { SkillprError } from "../core/errors.ts";
import { TEXT_HEAD_BYTES } from "../core/limits.ts";
import { safeLine } from "../core/text.ts";
import { unpackedChunks } from "./archive.ts";
import { foreignText } from "./foreign-formats.ts";
import { FORMATS, TEXT_FORMATS, textFormatOf } from "./formats.ts";
import { byHead, type Chunks } from "./head-of-chunks.ts";
import { JsonRecordReader } from "./json-records.ts";
import type { Session } from "./session.ts";
import { TextIntake } from "./text-intake.ts";
import type { TextSpool } from "./text-spool.ts";
import { transcriptChunks } from "./transcript-file.ts";
import { TranscriptIntake } from "./transcript-intake.ts";
import { utf8Chunks } from "./utf8-chunks.ts";

/** `name` stands in errors where a file's path would. `unpack` is called when it is read. */
export type TranscriptSource =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "bytes"; readonly name: string; readonly bytes: Uint8Array }
  | {
      readonly kind: "packed";
      readonly name: string;
      readonly unpack: () => Uint8Array;
      /** Path of the archive, where it is a file. */
      readonly archive?: string;
    }
  | {
      readonly kind: "stored";
      readonly name: string;
      /** Reads a session that is no file out of its agent's store, as lines; what there is to say of how goes to the notes. */
      readonly chunks: (notes: string[]) => AsyncIterable<Uint8Array>;
    };

/**
 * Reads one transcript, streaming: memory follows what is kept of it, not the file's size. It may
 * be compressed, and in UTF-16. The digest is that of the bytes, unpacked, so that a session is
 * the same one whether or not it was packed.
 * @param spool takes the whole of the texts that are cut; null: they are not kept
 * @throws SkillprError code `input` naming the file when it can't be read, is empty, or is no
 *   transcript; where it is recognised as something else, the message says as what
 */
export async function readTranscript(
  source: TranscriptSource,
  spool: TextSpool | null = null,
): Promise<Session> {
  const name = nameOf(source);
  const notes: string[] = [];
  const reading = new Reading(spool);
  const unpacked = hashed(unpackedChunks(chunksOf(source, notes), name), reading);
  // The first part is long enough to tell what the file is.
  const parts = byHead(utf8Chunks(unpacked), TEXT_HEAD_BYTES, (_, whole) => whole);
  for await (const part of parts) if (!reading.take(part)) break;
  return reading.finish(name, notes);
}

/** What stands for a source in errors and listings. */
export function nameOf(source: TranscriptSource): string {
  return safeLine(source.kind === "file" ? source.path : source.name);
}

async function* hashed(chunks: Chunks, reading: Reading): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    reading.hash(chunk);
    yield chunk;
  }
}

/** The bytes of one file on their way to a Session. */
class Reading {
  readonly #hash = createHash("sha256");
  readonly #spool: TextSpool | null;
  readonly #records: TranscriptIntake;
  readonly #reader: JsonRecordReader;
  #text: TextIntake | null = null;
  #head: string | null = null;
  #size = 0;

  constructor(spool: TextSpool | null) {
    this.#spool = spool;
    this.#records = new TranscriptIntake(spool);
    this.#reader = new JsonRecordReader(this.#records);
  }

  hash(raw: Uint8Array): void {
    this.#size += raw.length;
    this.#hash.update(raw);
  }

  /** @returns false when the rest needn't be read: the file can't become a Session */
  take(bytes: Uint8Array): boolean {
    if (this.#head === null) {
      const head = Buffer.from(bytes.subarray(0, TEXT_HEAD_BYTES)).toString("utf8");
      this.#head = head.replace(/^[\ufeff\0]+/, "").replaceAll("\r\n", "\n");
      const format = textFormatOf(this.#head);
      if (format !== null) this.#text = new TextIntake(format, this.#spool);
    }
    if (this.#text !== null) this.#text.push(bytes);
    else this.#reader.push(bytes);
    return !this.#records.isHopeless;
  }

  /** @param notes what there is to say of how the file was read */
  finish(name: string, notes: readonly string[]): Session {
    return { ...this.#session(name, notes), rawBytes: this.#size };
  }

  #session(name: string, notes: readonly string[]): Session {
    const digest = `sha256:${this.#hash.digest("hex")}` as const;
    if (this.#text !== null) return this.#text.finish(digest, notes);
    const skipped = this.#reader.end();
    const head = this.#head ?? "";
    if (head.trim() === "" && this.#reader.records === 0) throw emptyTranscript(name, this.#size);
    const result = this.#records.finish(digest, [...notes, ...skipped]);
    if ("turns" in result) return result;
    const label = result.kind === "foreign" ? result.label : foreignText(head);
    throw noTranscript(name, label, this.#reader.isCutOff);
  }
}

async function* chunksOf(source: TranscriptSource, notes: string[]): AsyncGenerator<Uint8Array> {
  if (source.kind === "file") yield* transcriptChunks(source.path, notes);
  else if (source.kind === "stored") yield* source.chunks(notes);
  else yield source.kind === "packed" ? source.unpack() : source.bytes;
}

function emptyTranscript(name: string, size: number): SkillprError {
  const what = size === 0 ? "is empty" : "holds nothing but blanks";
  const hint = "A session that was opened and never used leaves such a file; choose another one.";
  return new SkillprError("input", `${name} ${what}`, hint);
}

function noTranscript(name: string, looksLike: string | null, isCutOff: boolean): SkillprError {
  const end = isCutOff ? ": its end is missing" : "";
  const message =
    looksLike === null
      ? `${name} is not a transcript that skillpr recognises${end}`
      : `${name} looks like ${looksLike}, which skillpr does not read`;
  const labels = [...FORMATS, ...TEXT_FORMATS].map((format) => format.label).join("; ");
  return new SkillprError("input", message, `These are read: ${labels}.`);
}

/** The door of the transcript room: a file or bytes become a Session. */
import { createHash } from "node:crypto";
import { SkillprError } from "../core/errors.ts";
import { safeLine } from "../core/text.ts";
import { foreignText } from "./foreign-formats.ts";
import { FORMATS } from "./formats.ts";
import { JsonRecordReader } from "./json-records.ts";
import type { Session } from "./session.ts";
import type { TextSpool } from "./text-spool.ts";
import { transcriptChunks } from "./transcript-file.ts";
import { TranscriptIntake } from "./transcript-intake.ts";

/** `name` stands in errors where a file's path would. */
export type TranscriptSource =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "bytes"; readonly name: string; readonly bytes: Uint8Array };

/**
 * Reads one transcript, streaming: memory follows what is kept of it, not the file's size. The
 * digest is that of the raw bytes.
 * @param spool takes the whole of the texts that are cut; null: they are not kept
 * @throws SkillprError code `input` naming the file when it can't be read, is empty, or is no
 *   transcript; where it is recognised as something else, the message says as what
 */
export async function readTranscript(
  source: TranscriptSource,
  spool: TextSpool | null = null,
): Promise<Session> {
  const name = safeLine(source.kind === "file" ? source.path : source.name);
  const hash = createHash("sha256");
  const intake = new TranscriptIntake(spool);
  const reader = new JsonRecordReader(intake);
  let head = "";
  let size = 0;
  for await (const chunk of chunksOf(source)) {
    if (size === 0) head = Buffer.from(chunk.subarray(0, 4096)).toString("latin1");
    size += chunk.length;
    hash.update(chunk);
    reader.push(chunk);
    if (intake.isHopeless) break;
  }
  const notes = reader.end();
  if (head.trim() === "" && reader.records === 0) throw emptyTranscript(name, size);
  const result = intake.finish(`sha256:${hash.digest("hex")}`, notes);
  if ("turns" in result) return { ...result, rawBytes: size };
  throw noTranscript(name, result.kind === "foreign" ? result.label : foreignText(head));
}

async function* chunksOf(source: TranscriptSource): AsyncGenerator<Uint8Array> {
  if (source.kind === "file") yield* transcriptChunks(source.path);
  else if (source.bytes.length > 0) yield source.bytes;
}

function emptyTranscript(name: string, size: number): SkillprError {
  const what = size === 0 ? "is empty" : "holds nothing but blanks";
  const hint = "A session that was opened and never used leaves such a file; choose another one.";
  return new SkillprError("input", `${name} ${what}`, hint);
}

function noTranscript(name: string, looksLike: string | null): SkillprError {
  const message =
    looksLike === null
      ? `${name} is not a transcript that skillpr recognises`
      : `${name} looks like ${looksLike}, which skillpr does not read`;
  const labels = FORMATS.map((format) => format.label).join("; ");
  return new SkillprError("input", message, `These are read: ${labels}.`);
}

import { SkillprError } from "../core/errors.ts";
import { gatherArchive, isZip, zipEntries } from "./archive.ts";
import { byHead } from "./head-of-chunks.ts";
import { nameOf, type TranscriptSource } from "./read-transcript.ts";
import { transcriptChunks } from "./transcript-file.ts";

/**
 * The transcripts in a source: those in a ZIP one by one, anything else as it is. What can't be
 * opened stays as it is too: reading it says why, and the others are read nevertheless.
 */
export async function archiveSources(source: TranscriptSource): Promise<TranscriptSource[]> {
  try {
    const archive = await zipOf(source);
    if (archive === null) return [source];
    const name = nameOf(source);
    const entries = zipEntries(archive, name);
    if (entries.length < 2) return [source];
    return entries.map((entry) => ({
      kind: "packed",
      name: `${name}: ${entry.name}`,
      unpack: () => entry.unpack(),
      ...(source.kind === "file" && { archive: source.path }),
    }));
  } catch (error) {
    if (error instanceof SkillprError && error.code === "input") return [source];
    throw error;
  }
}

/** The bytes of a source that is a ZIP, else null; of anything else only the beginning is read. */
async function zipOf(source: TranscriptSource): Promise<Uint8Array | null> {
  if (source.kind === "packed" || source.kind === "stored") return null;
  const chunks = source.kind === "file" ? transcriptChunks(source.path) : [source.bytes];
  let isArchive = false;
  const bytes = byHead(chunks, 4, (head, whole) => {
    isArchive = isZip(head);
    return isArchive ? whole : nothing();
  });
  const archive = await gatherArchive(bytes, nameOf(source));
  return isArchive ? archive : null;
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

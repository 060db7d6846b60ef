import { SkillprError } from "../core/errors.ts";
import { TRANSCRIPT_DOCUMENT_MAX_BYTES } from "../core/limits.ts";

/** @throws SkillprError `input` when nothing is piped in, or too much */
export async function readStdin(): Promise<Uint8Array> {
  if (process.stdin.isTTY) {
    throw new SkillprError(
      "input",
      "- reads stdin, which is a terminal",
      "pipe a transcript into it",
    );
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > TRANSCRIPT_DOCUMENT_MAX_BYTES)
      throw new SkillprError("input", "stdin is too large", "save it as a file and name that");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

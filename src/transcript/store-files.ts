/** Looking into the folders of a store: what isn't there is nothing, what may not be read is said. */
import { readdir, stat } from "node:fs/promises";
import { hasCode, SkillprError } from "../core/errors.ts";
import { TRANSCRIPT_LINE_MAX_BYTES } from "../core/limits.ts";
import { parseObject } from "./json-objects.ts";
import type { JsonRecord } from "./json-values.ts";
import { transcriptChunks } from "./transcript-file.ts";

/** The names in a folder; none when it doesn't exist. */
export async function entriesOf(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR", "ELOOP")) return [];
    if (!hasCode(error, "EACCES", "EPERM")) throw error;
    const hint = "Make it readable, or name the transcript file itself.";
    throw new SkillprError("input", `${folder} can't be read`, hint, { cause: error });
  }
}

/** When a file or a folder was changed last; null when there is none of that kind, or it can't be looked at. */
export async function modifiedTime(path: string, kind: "file" | "folder"): Promise<number | null> {
  try {
    const info = await stat(path);
    const isOfKind = kind === "file" ? info.isFile() : info.isDirectory();
    return isOfKind ? info.mtimeMs : null;
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR", "ELOOP", "EACCES", "EPERM")) return null;
    throw error;
  }
}

/** A record of a store as a line of a transcript. */
export function lineOf(record: JsonRecord): Uint8Array {
  return Buffer.from(`${JSON.stringify(record)}\n`, "utf8");
}

/** What a small file of JSON turned out to be. */
export type StoredObject =
  | { readonly kind: "object"; readonly object: JsonRecord }
  | { readonly kind: "missing" | "damaged" | "large" };

/**
 * The object that a file of a store holds. Never waits on a FIFO and never reads more than a line of a
 * transcript may have.
 * @throws SkillprError code `input` naming the file when it is there and can't be read
 */
export async function readStored(path: string): Promise<StoredObject> {
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of transcriptChunks(path)) {
      bytes += chunk.length;
      if (bytes > TRANSCRIPT_LINE_MAX_BYTES) return { kind: "large" };
      parts.push(Buffer.from(chunk));
    }
  } catch (error) {
    const cause = error instanceof SkillprError ? error.cause : null;
    if (hasCode(cause, "ENOENT", "ENOTDIR")) return { kind: "missing" };
    throw error;
  }
  const object = parseObject(Buffer.concat(parts).toString("utf8"));
  return object === null ? { kind: "damaged" } : { kind: "object", object };
}

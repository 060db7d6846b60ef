/** What a thread that checks files is given, and what it answers. */
import { VERIFY_SHARED_MAX_BYTES } from "../core/limits.ts";
import type { VerifyInput } from "../verify/change.ts";
import type { FileInput } from "../verify/context.ts";
import { fileInputParts } from "../verify/file-check.ts";
import type { Finding } from "../verify/finding.ts";

export interface FileWork {
  readonly input: Omit<FileInput, "blob">;
  /** Where each blob lies in `bytes`. */
  readonly places: ReadonlyMap<string, { readonly start: number; readonly end: number }>;
  readonly bytes: SharedArrayBuffer;
  /** The memory of the FileShares. */
  readonly shares: SharedArrayBuffer;
  /** Its number among them. */
  readonly thread: number;
}

/** The findings of each file that the thread took, by its number. */
export type FileFindings = ReadonlyMap<number, Finding[]>;

/**
 * Copies what the file rules read into memory that every thread sees.
 * @returns null when it is more than VERIFY_SHARED_MAX_BYTES
 */
export function packFiles(input: VerifyInput): Omit<FileWork, "shares" | "thread"> | null {
  const { input: parts, blobIds } = fileInputParts(input);
  const blobs = [...blobIds].flatMap((id) => {
    const bytes = input.blob(id);
    return bytes === undefined ? [] : [{ id, bytes }];
  });
  const size = blobs.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (size > VERIFY_SHARED_MAX_BYTES) return null;
  const bytes = new SharedArrayBuffer(size);
  const all = new Uint8Array(bytes);
  const places = new Map<string, { start: number; end: number }>();
  let start = 0;
  for (const blob of blobs) {
    const end = start + blob.bytes.length;
    all.set(blob.bytes, start);
    places.set(blob.id, { start, end });
    start = end;
  }
  return { input: parts, places, bytes };
}

import { randomBytes } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { syncFolder } from "./make-folders.ts";

/**
 * Writes a small private file so that a crash leaves the old one or the new one, never half:
 * temporary file beside it, fsync, rename, fsync of the folder.
 * @param mode permission bits, 0600 unless said otherwise
 */
export async function writeFileAtomically(
  file: string,
  text: string | Uint8Array,
  mode = 0o600,
): Promise<void> {
  const temporary = `${file}.${process.pid}-${randomBytes(4).toString("hex")}.tmp`;
  try {
    const handle = await open(temporary, "wx", mode);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  syncFolder(dirname(file));
}

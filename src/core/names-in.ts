import { readdir } from "node:fs/promises";
import { hasCode } from "./errors.ts";

/** What lies in a folder of ours, in no order; nothing when it isn't there yet. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  }
}

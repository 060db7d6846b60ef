import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from "node:fs";
import { hasCode } from "../core/errors.ts";
import { jsonOrNull } from "../core/json-or-null.ts";
import { asRecord, type JsonRecord } from "../transcript/json-values.ts";

/** What a look at a path may answer when there is nothing that we could use. */
export const NOTHING_THERE = [
  "ENOENT",
  "ENOTDIR",
  "EACCES",
  "EPERM",
  "ELOOP",
  "ENAMETOOLONG",
  "EISDIR",
  "ENXIO",
  "ERR_INVALID_ARG_VALUE", // a zero byte in a path
] as const;

/**
 * Text of a small regular file; null when there is none that can be read, or a larger one. A pipe
 * or a device is left unread, so that it can't hold the hook up.
 */
export function readSmallFile(path: string, maxBytes: number): string | null {
  try {
    // Most of these files are missing, and looking is far cheaper than an error with its stack.
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return null;
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const info = fstatSync(file);
      return info.isFile() && info.size <= maxBytes ? readFileSync(file, "utf8") : null;
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (hasCode(error, ...NOTHING_THERE)) return null;
    throw error;
  }
}

/** The object in a small JSON file; null for anything else, a damaged file too. */
export function readSmallJson(path: string, maxBytes: number): JsonRecord | null {
  const text = readSmallFile(path, maxBytes);
  return text === null ? null : parseJsonObject(text);
}

/** The object that a JSON text is; null for anything else. */
export function parseJsonObject(text: string): JsonRecord | null {
  return asRecord(jsonOrNull(text));
}

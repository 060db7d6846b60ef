import { BINARY_SCAN_BYTES } from "../core/limits.ts";

/** Text as UTF-8; null for bytes that are no text. */
export function decodeText(bytes: Uint8Array): string | null {
  return bytes.subarray(0, BINARY_SCAN_BYTES).includes(0)
    ? null
    : Buffer.from(bytes).toString("utf8");
}

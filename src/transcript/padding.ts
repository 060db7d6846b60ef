/** What stands around records and is none of them. */

/** What may stand before the first record; NUL bytes are what a crash leaves of what was never written. */
const BLANKS: ReadonlySet<number> = new Set([0x00, 0x09, 0x0a, 0x0d, 0x20]);

/** How many of the first bytes are blanks. */
export function leadingBlanks(bytes: Uint8Array): number {
  let count = 0;
  while (count < bytes.length && BLANKS.has(bytes[count] ?? 0)) count += 1;
  return count;
}

/** Blanks, and the NUL bytes that a crash or a full disk leaves where a record should stand. */
export function withoutPadding(line: string): string {
  const isPadding = (at: number) => line.charCodeAt(at) === 0 || line.charAt(at).trim() === "";
  let [start, end] = [0, line.length];
  while (start < end && isPadding(start)) start += 1;
  while (end > start && isPadding(end - 1)) end -= 1;
  return line.slice(start, end);
}

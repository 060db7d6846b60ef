import { byHead, type Chunks } from "./head-of-chunks.ts";

/**
 * The stream in UTF-8. Editors and PowerShell's `>` write UTF-16, with a byte order mark or, in
 * rare cases, without one; anything else is taken for UTF-8 and given as it is.
 */
export function utf8Chunks(chunks: Chunks): AsyncGenerator<Uint8Array> {
  return byHead(chunks, 4, (head, whole) => {
    const encoding = utf16Of(head);
    return encoding === null ? whole : recoded(whole, encoding);
  });
}

function utf16Of(head: Uint8Array): "utf-16le" | "utf-16be" | null {
  const [a, b, c, d] = head;
  if (a === 0xff && b === 0xfe) return "utf-16le";
  if (a === 0xfe && b === 0xff) return "utf-16be";
  // No mark: two characters of ASCII, as every transcript begins.
  if (b === 0 && d === 0 && isAscii(a) && isAscii(c)) return "utf-16le";
  if (a === 0 && c === 0 && isAscii(b) && isAscii(d)) return "utf-16be";
  return null;
}

function isAscii(byte: number | undefined): boolean {
  return byte !== undefined && byte > 0 && byte < 0x80;
}

async function* recoded(
  chunks: AsyncIterable<Uint8Array>,
  encoding: "utf-16le" | "utf-16be",
): AsyncGenerator<Uint8Array> {
  // Half a pair of surrogates becomes a replacement character, as invalid UTF-8 does.
  const decoder = new TextDecoder(encoding);
  for await (const chunk of chunks) yield Buffer.from(decoder.decode(chunk, { stream: true }));
  yield Buffer.from(decoder.decode());
}

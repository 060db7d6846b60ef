/** Objects as git moves them: one stream, which one process takes in (https://git-scm.com/docs/gitformat-pack). */
import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import type { ObjectFormat } from "./object-format.ts";

const VERSION = 2;
const TYPES = { tree: 2, blob: 3 } as const;

export interface PackedObject {
  readonly type: keyof typeof TYPES;
  readonly bytes: Uint8Array;
}

/** Every object whole, and not compressed: git unpacks them into its store, and compresses them there. */
export function packOf(objects: readonly PackedObject[], format: ObjectFormat): Buffer {
  const header = Buffer.from("PACK\0\0\0\0\0\0\0\0", "latin1");
  header.writeUInt32BE(VERSION, 4);
  header.writeUInt32BE(objects.length, 8);
  const entries = objects.flatMap(({ type, bytes }) => [
    entryHeader(TYPES[type], bytes.byteLength),
    deflateSync(bytes, { level: 0 }),
  ]);
  const pack = Buffer.concat([header, ...entries]);
  return Buffer.concat([pack, createHash(format).update(pack).digest()]);
}

/** Type and size: four bits of the size beside the type, then seven in each byte, the lowest first. */
function entryHeader(type: number, size: number): Buffer {
  const bytes = [(type << 4) | (size & 15)];
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | 128;
    bytes.push(rest & 127);
  }
  return Buffer.from(bytes);
}

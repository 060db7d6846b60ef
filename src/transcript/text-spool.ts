/**
 * Where texts go that are too long to be kept in memory while a transcript is read: one temporary
 * file, made when the first of them comes. It is readable by its owner only and loses its name as soon
 * as it is open, so that what is in it (secrets too) is gone with the process, however that ends.
 */
import {
  closeSync,
  constants,
  ftruncateSync,
  openSync,
  readSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { hasCode } from "../core/errors.ts";
import { SPOOL_BUFFER_BYTES, SPOOL_MAX_BYTES } from "../core/limits.ts";

/** A text in a spool, by its place. */
export interface SpooledText {
  readonly offset: number;
  /** Of UTF-8. */
  readonly bytes: number;
}

/** A private folder for the file, and how to be rid of it. */
export interface SpoolFolder {
  readonly path: string;
  remove(): void;
}

const { O_RDWR, O_CREAT, O_EXCL } = constants;

export class TextSpool implements Disposable {
  readonly #makeFolder: () => SpoolFolder;
  #folder: SpoolFolder | null = null;
  #file: number | null = null;
  /** Not written yet: the end of what the spool holds. */
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #written = 0;

  /** @param makeFolder called once, when the first text comes */
  constructor(makeFolder: () => SpoolFolder) {
    this.#makeFolder = makeFolder;
  }

  /** Bytes that it holds. */
  get bytes(): number {
    return this.#written + this.#pendingBytes;
  }

  /** @returns null when the spool is full: then the text is not kept */
  add(text: string): SpooledText | null {
    return this.addBytes(Buffer.from(text));
  }

  /** The same for what is UTF-8 already; the bytes may not be changed afterwards. */
  addBytes(bytes: Buffer): SpooledText | null {
    const offset = this.bytes;
    if (offset + bytes.length > SPOOL_MAX_BYTES) return null;
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.length;
    if (this.#pendingBytes >= SPOOL_BUFFER_BYTES) this.#flush();
    return { offset, bytes: bytes.length };
  }

  /** Bytes of a text, from `start` of it on; fewer at its end. */
  read(text: SpooledText, start: number, length: number): Buffer {
    this.#flush();
    const wanted = Buffer.allocUnsafe(Math.max(0, Math.min(length, text.bytes - start)));
    let done = 0;
    while (done < wanted.length) {
      const at = text.offset + start + done;
      const got = readSync(this.#open(), wanted, done, wanted.length - done, at);
      if (got === 0) throw new Error("a spooled text is shorter than it was");
      done += got;
    }
    return wanted;
  }

  [Symbol.dispose](): void {
    const file = this.#file;
    this.#file = null;
    this.#pending = [];
    this.#pendingBytes = 0;
    if (file !== null) {
      // Whoever else holds the file open must not keep the disk full.
      ftruncateSync(file, 0);
      closeSync(file);
    }
    this.#folder?.remove();
    this.#folder = null;
  }

  #flush(): void {
    if (this.#pendingBytes === 0) return;
    const bytes = this.#pending.length === 1 ? this.#pending[0] : Buffer.concat(this.#pending);
    this.#pending = [];
    this.#pendingBytes = 0;
    for (let rest = bytes ?? Buffer.alloc(0); rest.length > 0; ) {
      const done = writeSync(this.#open(), rest, 0, rest.length, this.#written);
      this.#written += done;
      rest = rest.subarray(done);
    }
  }

  #open(): number {
    if (this.#file !== null) return this.#file;
    this.#folder = this.#makeFolder();
    const path = join(this.#folder.path, "texts");
    this.#file = openSync(path, O_RDWR | O_CREAT | O_EXCL, 0o600);
    try {
      unlinkSync(path);
    } catch (error) {
      // Systems that don't let go of an open file: it goes with its folder.
      if (!hasCode(error, "EBUSY", "EPERM", "EACCES")) throw error;
      return this.#file;
    }
    this.#folder.remove();
    this.#folder = null;
    return this.#file;
  }
}

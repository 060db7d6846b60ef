/** Bytes as they arrive from a process, taken by lines and by counts. */
export class ByteQueue {
  #chunks: Buffer[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
  }

  /** The next line without its LF; null when none is whole yet. */
  takeLine(): string | null {
    let before = 0;
    for (const chunk of this.#chunks) {
      const end = chunk.indexOf(0x0a);
      if (end >= 0) return this.take(before + end + 1).toString("utf8", 0, before + end);
      before += chunk.length;
    }
    return null;
  }

  /** @param size at most `length` */
  take(size: number): Buffer {
    const all = this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks);
    const buffer = all ?? Buffer.alloc(0);
    this.#chunks = buffer.length > size ? [buffer.subarray(size)] : [];
    this.#length -= size;
    return buffer.subarray(0, size);
  }
}

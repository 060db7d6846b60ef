/** Bytes as they arrive from a process, taken by lines and by counts. */
export class ByteQueue {
  /** Arrived after `#first`. */
  #more: Buffer[] = [];
  #first: Buffer = Buffer.alloc(0);
  /** How much of `#first` was taken. */
  #at = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(chunk: Buffer): void {
    this.#length += chunk.length;
    if (this.#at < this.#first.length) this.#more.push(chunk);
    else [this.#first, this.#at] = [chunk, 0];
  }

  /** The next line without its LF, a character for each byte; null when none is whole yet. */
  takeLine(): string | null {
    let end = this.#first.indexOf(0x0a, this.#at);
    if (end < 0 && this.#more.some((chunk) => chunk.includes(0x0a))) {
      this.#join();
      end = this.#first.indexOf(0x0a, this.#at);
    }
    if (end < 0) return null;
    const line = this.#first.toString("latin1", this.#at, end);
    this.#move(end + 1 - this.#at);
    return line;
  }

  /** @param size at most `length` */
  take(size: number): Buffer {
    if (this.#at + size > this.#first.length) this.#join();
    const bytes = this.#first.subarray(this.#at, this.#at + size);
    this.#move(size);
    return bytes;
  }

  #move(size: number): void {
    this.#at += size;
    this.#length -= size;
    if (this.#at < this.#first.length) return;
    [this.#first, this.#at] = [this.#more.shift() ?? Buffer.alloc(0), 0];
  }

  #join(): void {
    this.#first = Buffer.concat([this.#first.subarray(this.#at), ...this.#more]);
    [this.#more, this.#at] = [[], 0];
  }
}

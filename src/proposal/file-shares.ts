/** Who of several threads checks which file: a count that all of them see. */

/**
 * Each file is given out once, to whoever asks next: a thread that starts late or meets large files gets fewer, and
 * all end at about the same time.
 */
export class FileShares {
  /** To be handed to the threads. */
  readonly memory: SharedArrayBuffer;
  readonly #files: number;
  /** The next file, then how many each thread took. */
  readonly #counts: Int32Array;

  private constructor(files: number, memory: SharedArrayBuffer) {
    this.#files = files;
    this.memory = memory;
    this.#counts = new Int32Array(memory);
  }

  static create(files: number, threads: number): FileShares {
    const bytes = (1 + threads) * Int32Array.BYTES_PER_ELEMENT;
    return new FileShares(files, new SharedArrayBuffer(bytes));
  }

  static open(files: number, memory: SharedArrayBuffer): FileShares {
    return new FileShares(files, memory);
  }

  /** Numbers of files, as long as there are any that nobody took. */
  *take(thread: number): Generator<number> {
    for (;;) {
      const file = Atomics.add(this.#counts, 0, 1);
      if (file >= this.#files) return;
      Atomics.add(this.#counts, 1 + thread, 1);
      yield file;
    }
  }

  hasTaken(thread: number): boolean {
    return Atomics.load(this.#counts, 1 + thread) > 0;
  }
}

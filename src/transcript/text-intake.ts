import { TRANSCRIPT_LINE_MAX_BYTES } from "../core/limits.ts";
import { count } from "../core/text.ts";
import type { Session } from "./session.ts";
import { SessionBuilder } from "./session-builder.ts";
import type { TextAdapter, TextFormat } from "./text-format.ts";
import type { TextSpool } from "./text-spool.ts";

const NEWLINE = 0x0a;

/** Takes the bytes of a text file and hands its lines to the adapter of the format. */
export class TextIntake {
  readonly #format: TextFormat;
  readonly #builder: SessionBuilder;
  readonly #adapter: TextAdapter;
  readonly #lineBytes: number;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #skipping = false;
  #isFirst = true;
  #tooLong = 0;

  /** @param spool takes the whole of the texts that are cut; null: they are not kept */
  constructor(
    format: TextFormat,
    spool: TextSpool | null = null,
    lineBytes: number = TRANSCRIPT_LINE_MAX_BYTES,
  ) {
    this.#format = format;
    this.#builder = new SessionBuilder(spool);
    this.#adapter = format.open(this.#builder);
    this.#lineBytes = lineBytes;
  }

  push(bytes: Uint8Array): void {
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      this.#gather(bytes.subarray(start, end));
      this.#endOfLine();
      start = end + 1;
    }
    this.#gather(bytes.subarray(start));
  }

  /** @param notes what there is to say of how the file was read */
  finish(digest: `sha256:${string}`, notes: readonly string[] = []): Session {
    if (this.#waitingBytes > 0) this.#endOfLine();
    this.#adapter.end();
    const { agent, name, mayOmitResults = false } = this.#format;
    const skipped = count(this.#tooLong, "line is", "lines are");
    const all = this.#tooLong === 0 ? notes : [...notes, `${skipped} too long and skipped`];
    return this.#builder.finish({ agent, format: name, digest, notes: all, mayOmitResults });
  }

  #gather(bytes: Uint8Array): void {
    if (bytes.length === 0 || this.#skipping) return;
    this.#waiting.push(Buffer.from(bytes));
    this.#waitingBytes += bytes.length;
    if (this.#waitingBytes <= this.#lineBytes) return;
    this.#takeWaiting();
    this.#skipping = true;
    this.#tooLong += 1;
  }

  #endOfLine(): void {
    const line = this.#takeWaiting();
    if (!this.#skipping)
      this.#adapter.line(line.replace(this.#isFirst ? /^[\ufeff\0]+|\r$/g : /\r$/, ""));
    this.#skipping = false;
    this.#isFirst = false;
  }

  #takeWaiting(): string {
    const text = Buffer.concat(this.#waiting).toString("utf8");
    this.#waiting = [];
    this.#waitingBytes = 0;
    return text;
  }
}

import { DETECTION_RECORDS, DETECTION_SAMPLES_MAX } from "../core/limits.ts";
import type { TranscriptAdapter } from "./adapter.ts";
import { type DetectedFormat, detectFormat } from "./detect-format.ts";
import type { RecordShape, RecordSink } from "./json-records.ts";
import type { JsonRecord } from "./json-values.ts";
import type { Session } from "./session.ts";
import { SessionBuilder } from "./session-builder.ts";
import type { TextSpool } from "./text-spool.ts";

/**
 * Takes the records of one file: keeps the first few until the format is told, then hands every
 * record to that format's adapter.
 */
export class TranscriptIntake implements RecordSink {
  readonly #builder: SessionBuilder;
  #first: JsonRecord[] = [];
  #shape: RecordShape = "lines";
  #detected: DetectedFormat | null = null;
  #adapter: TranscriptAdapter | null = null;
  /** How many samples told nothing. */
  #passedOver = 0;

  /** @param spool takes the whole of the texts that are cut; null: they are not kept */
  constructor(spool: TextSpool | null = null) {
    this.#builder = new SessionBuilder(spool);
  }

  record(record: JsonRecord, shape: RecordShape): void {
    this.#adapter?.record(record);
    if (this.#detected !== null) return;
    this.#shape = shape;
    this.#first.push(record);
    // One more than the sample: only then is it known that the sample isn't the whole file.
    if (this.#first.length > DETECTION_RECORDS) this.#detect(false);
  }

  /** True when the file can't become a Session: the rest of it needn't be read. */
  get isHopeless(): boolean {
    return this.#detected !== null && this.#detected.kind !== "known";
  }

  /** What the file turned out to be, and the Session when it is a transcript. */
  finish(digest: `sha256:${string}`, notes: readonly string[]): Session | DetectedFormat {
    const detected = this.#detected ?? this.#detect(true);
    if (detected.kind !== "known") return detected;
    this.#adapter?.end();
    const { agent, name, mayOmitResults = false } = detected.format;
    return this.#builder.finish({ agent, format: name, digest, notes, mayOmitResults });
  }

  #detect(isAll: boolean): DetectedFormat {
    const records = this.#first.slice(0, DETECTION_RECORDS);
    const isWhole = isAll && this.#passedOver === 0;
    const detected = detectFormat({ shape: this.#shape, records, isWhole });
    if (!isAll && detected.kind === "unknown") {
      // What no format knows, no adapter needs: it isn't kept.
      this.#passedOver += 1;
      this.#first = this.#first.slice(DETECTION_RECORDS);
      if (this.#passedOver < DETECTION_SAMPLES_MAX) return detected;
    }
    this.#detected = detected;
    if (detected.kind === "known") {
      this.#adapter = detected.format.open(this.#builder);
      for (const record of this.#first) this.#adapter.record(record);
    }
    this.#first = [];
    return detected;
  }
}

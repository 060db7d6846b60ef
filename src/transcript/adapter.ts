/** The seam of the transcript formats: one file in `adapters/` each, one line in formats.ts. */
import type { RecordShape } from "./json-records.ts";
import type { JsonRecord } from "./json-values.ts";
import type { AgentName } from "./session.ts";
import type { SessionBuilder } from "./session-builder.ts";

/** The first records of a file, from which its format is told. */
export interface TranscriptSample {
  readonly shape: RecordShape;
  /** At most DETECTION_RECORDS, in file order. */
  readonly records: readonly JsonRecord[];
  /** True when the file holds no others. */
  readonly isWhole: boolean;
}

/** Reads the records of one file into a builder. It keeps no record that it was given. */
export interface TranscriptAdapter {
  /** Takes the next record. Never throws for what a record holds; what it doesn't know it skips. */
  record(record: JsonRecord): void;
  /** Called once, after the last record. */
  end(): void;
}

export interface TranscriptFormat {
  /** `qwen-chat`: stands in Session.format. */
  readonly name: string;
  readonly agent: AgentName;
  /** For people: what such a file is. */
  readonly label: string;
  /** True for a shape that many programs write: it is tried after everything that is recognised for certain. */
  readonly isGeneric?: boolean;
  /** True when files of this format may hold calls and not a single result. */
  readonly mayOmitResults?: boolean;
  matches(sample: TranscriptSample): boolean;
  open(builder: SessionBuilder): TranscriptAdapter;
}

/**
 * The JSON records of a transcript, from its bytes as they arrive.
 *
 * Real files hold a byte order mark, CRLF, blank lines, log lines before the first record, two
 * objects glued on one line, a last line that was cut off, and lines of megabytes; some are one
 * JSON document, pretty-printed or not. All of that is read; what can't be is counted.
 */
import { TRANSCRIPT_DOCUMENT_MAX_BYTES, TRANSCRIPT_LINE_MAX_BYTES } from "../core/limits.ts";
import { count } from "../core/text.ts";
import { completeObjects, parseObject } from "./json-objects.ts";
import { asRecord, type JsonRecord } from "./json-values.ts";
import { leadingBlanks, withoutPadding } from "./padding.ts";
import { JsonDepth, parseCutJson, parseJson } from "./parse-json.ts";

/**
 * How the records stand in the file: a line each, as the items of one list, or one object that
 * is the whole file. A single record on a single line counts as `lines`.
 */
export type RecordShape = "lines" | "list" | "document";

export interface RecordSink {
  record(record: JsonRecord, shape: RecordShape): void;
}

export interface RecordLimits {
  readonly lineBytes: number;
  readonly documentBytes: number;
}

const DEFAULT_LIMITS: RecordLimits = {
  lineBytes: TRANSCRIPT_LINE_MAX_BYTES,
  documentBytes: TRANSCRIPT_DOCUMENT_MAX_BYTES,
};

const NEWLINE = 0x0a;
const BEGINS_LIST_OF_OBJECTS = /^\[\s*\{/;
/** `[` and what may follow it; `[info] ready` begins a log. */
const BEGINS_LIST = /^\[\s*(?:[[\]{"\d-]|true|false|null|$)/;

export class JsonRecordReader {
  readonly #sink: RecordSink;
  readonly #limits: RecordLimits;
  #mode: "undecided" | "lines" | "document" = "undecided";
  /** Bytes that wait: for the end of a line, or for the end of the document. */
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  readonly #depth = new JsonDepth();
  #skippingLine = false;
  #isStart = true;
  #records = 0;
  #notJson = 0;
  #tooLong = 0;
  #cutOff = false;
  #endIsMissing = false;

  constructor(sink: RecordSink, limits: RecordLimits = DEFAULT_LIMITS) {
    this.#sink = sink;
    this.#limits = limits;
  }

  /** How many records were given to the sink. */
  get records(): number {
    return this.#records;
  }

  /** True when the end of a record is missing. */
  get isCutOff(): boolean {
    return this.#cutOff || this.#endIsMissing;
  }

  /** Takes the next bytes; the caller may reuse them afterwards. */
  push(bytes: Uint8Array): void {
    let rest = bytes;
    if (this.#isStart && bytes.length > 0) {
      this.#isStart = false;
      if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) rest = bytes.subarray(3);
    }
    if (this.#mode === "lines") this.#splitLines(rest);
    else this.#gather(rest);
  }

  /** Reads what waits and says what had to be skipped, one sentence each. */
  end(): string[] {
    if (this.#mode === "undecided") this.#decide();
    if (this.#mode === "document") this.#readDocument();
    else this.#endOfLine(this.#takeWaiting(), true);
    return this.#notes();
  }

  #gather(bytes: Uint8Array): void {
    // Blanks before the first record are dropped at once: a file may hold nothing else.
    const rest = this.#waitingBytes === 0 ? bytes.subarray(leadingBlanks(bytes)) : bytes;
    if (rest.length === 0) return;
    this.#wait(rest);
    if (this.#mode === "undecided" && rest.includes(NEWLINE)) this.#decide();
    if (this.#mode === "lines") return;
    // What can't be one document is given up before it fills the memory.
    const isHopeless = this.#depth.exceedsIn(rest);
    if (isHopeless || this.#waitingBytes > this.#limits.documentBytes) this.#switchToLines();
  }

  /**
   * The first line that isn't blank decides. A line that is a record, or holds one, begins a
   * file of lines, and so does a line that isn't JSON at all (a log). A list, or an object that
   * goes on in the next line, makes a document.
   */
  #decide(): void {
    const text = decode(concat(this.#waiting)).trimStart();
    const newline = text.indexOf("\n");
    if (text === "") {
      this.#takeWaiting();
      return;
    }
    const line = newline === -1 ? text : text.slice(0, newline);
    if (BEGINS_LIST.test(text)) this.#mode = "document";
    else if (!line.startsWith("{") || parseObject(line) !== null) this.#switchToLines();
    else if (completeObjects(line).objects.length > 0) this.#switchToLines();
    else this.#mode = "document";
  }

  #switchToLines(): void {
    this.#mode = "lines";
    this.#splitLines(this.#takeWaiting());
  }

  #splitLines(bytes: Uint8Array): void {
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      const part = bytes.subarray(start, end);
      start = end + 1;
      if (this.#skippingLine) this.#skippingLine = false;
      else if (this.#waitingBytes + part.length > this.#limits.lineBytes) this.#skipLine(false);
      else if (this.#waitingBytes === 0) this.#endOfLine(part, false);
      else {
        this.#wait(part);
        this.#endOfLine(this.#takeWaiting(), false);
      }
    }
    if (start === bytes.length || this.#skippingLine) return;
    this.#wait(bytes.subarray(start));
    if (this.#waitingBytes > this.#limits.lineBytes) this.#skipLine(true);
  }

  #skipLine(goesOn: boolean): void {
    this.#tooLong += 1;
    this.#takeWaiting();
    this.#skippingLine = goesOn;
  }

  #endOfLine(bytes: Uint8Array, isLast: boolean): void {
    if (bytes.length === 0) return;
    const text = decode(bytes);
    const record = parseObject(text);
    if (record !== null) this.#emit(record, "lines");
    else this.#oddLine(withoutPadding(text), isLast);
  }

  #oddLine(line: string, isLast: boolean): void {
    const list = line.startsWith("[") ? parseJson(line) : undefined;
    // Headless output behind the lines of a log.
    if (Array.isArray(list) && list.some((item) => asRecord(item) !== null)) {
      this.#emitDocument(list);
    } else if (line.startsWith("{")) this.#rescueLine(line, isLast);
    else if (isLast && BEGINS_LIST_OF_OBJECTS.test(line)) this.#rescueList(line);
    else if (line !== "") this.#notJson += 1;
  }

  #rescueLine(line: string, isLast: boolean): void {
    const { objects, cutOff } = completeObjects(line);
    for (const object of objects) this.#emit(object, "lines");
    if (isLast && cutOff) this.#cutOff = true;
    else if (cutOff || objects.length === 0) this.#notJson += 1;
  }

  #readDocument(): void {
    const bytes = this.#takeWaiting();
    const text = withoutPadding(decode(bytes));
    const document = parseJson(text);
    if (document === undefined) this.#rescueDocument(text, bytes);
    else this.#emitDocument(document);
  }

  #rescueDocument(text: string, bytes: Uint8Array): void {
    const isList = text.startsWith("[");
    const beginning = isList ? null : asRecord(parseCutJson(text));
    if (beginning !== null) {
      this.#emit(beginning, text.includes("\n") ? "document" : "lines");
      this.#endIsMissing = true;
      return;
    }
    if (!isList) {
      // Perhaps lines, of which only the first is damaged.
      this.#splitLines(bytes);
      this.#endOfLine(this.#takeWaiting(), true);
      if (this.#records > 0) return;
      this.#notJson = 0;
    }
    if (isList) {
      this.#rescueList(text);
      return;
    }
    const { objects, cutOff } = completeObjects(text);
    for (const object of objects) this.#emit(object, "lines");
    this.#cutOff = cutOff;
    if (objects.length === 0) this.#notJson += 1;
  }

  /** A list whose end is missing, or that is damaged in the middle: its whole items. */
  #rescueList(text: string): void {
    const { objects, cutOff } = completeObjects(text);
    for (const object of objects) this.#emit(object, "list");
    this.#cutOff = cutOff;
    if (objects.length === 0) this.#notJson += 1;
  }

  #emitDocument(document: unknown): void {
    if (!Array.isArray(document)) {
      const record = asRecord(document);
      if (record === null) this.#notJson += 1;
      else this.#emit(record, "document");
      return;
    }
    for (const item of document) {
      const record = asRecord(item);
      if (record === null) this.#notJson += 1;
      else this.#emit(record, "list");
    }
  }

  #emit(record: JsonRecord, shape: RecordShape): void {
    this.#records += 1;
    this.#sink.record(record, shape);
  }

  #wait(bytes: Uint8Array): void {
    this.#waiting.push(Buffer.from(bytes));
    this.#waitingBytes += bytes.length;
  }

  #takeWaiting(): Uint8Array {
    const bytes = concat(this.#waiting);
    this.#waiting = [];
    this.#waitingBytes = 0;
    return bytes;
  }

  #notes(): string[] {
    const notes: string[] = [];
    const lines = (n: number) => `${count(n, "line is", "lines are")}`;
    if (this.#notJson > 0) notes.push(`${lines(this.#notJson)} not JSON and skipped`);
    if (this.#tooLong > 0) notes.push(`${lines(this.#tooLong)} too long and skipped`);
    if (this.#cutOff) notes.push("the last record is cut off and skipped");
    if (this.#endIsMissing) notes.push("the end of the file is missing; what is there was read");
    return notes;
  }
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts;
  return parts.length === 1 && first !== undefined ? first : Buffer.concat(parts);
}

function decode(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}

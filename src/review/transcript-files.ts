/** The session in the file view: `/transcript/session.md`, and its parts when it is longer than the shell takes. */
import { basename } from "node:path/posix";
import { READ_LINES_MAX } from "../core/limits.ts";
import { count } from "../core/text.ts";
import type { SessionPart, SessionText } from "../transcript/session-text.ts";
import { TRANSCRIPT_FOLDER, TRANSCRIPT_PATH } from "./paths.ts";

/** A window of a file's lines, and how many there are. */
export interface LinePage {
  readonly lines: readonly string[];
  readonly total: number;
}

export class TranscriptFiles {
  readonly #make: () => Promise<SessionText>;
  #text: Promise<SessionText> | null = null;

  /** @param make called once, when something of the session is asked for: a long one takes seconds */
  constructor(make: () => Promise<SessionText>) {
    this.#make = make;
  }

  /** Names of the files, in order. */
  async names(): Promise<string[]> {
    const { parts } = await this.#session();
    const whole = basename(TRANSCRIPT_PATH);
    return parts.length === 1 ? [whole] : [whole, ...parts.map((_, index) => partName(index))];
  }

  async has(path: string): Promise<boolean> {
    if (path === TRANSCRIPT_PATH) return true;
    return (await this.#partOf(path)) !== null;
  }

  async sizeOf(path: string): Promise<number> {
    const part = await this.#partOf(path);
    if (part !== null) return part.bytes;
    return (await this.#session()).parts.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Of the whole session only the first part, when there are several. */
  async read(path: string): Promise<{ bytes: Uint8Array; isCut: boolean; rest?: string }> {
    const { parts } = await this.#session();
    const part = (await this.#partOf(path)) ?? parts[0];
    const bytes = part?.read() ?? new Uint8Array();
    if (path !== TRANSCRIPT_PATH || parts.length === 1) return { bytes, isCut: false };
    const last = partName(parts.length - 1);
    const rest = `read_file shows all of it with offset, and its ${count(parts.length, "part")} ${TRANSCRIPT_FOLDER}/${partName(0)} to ${last} can be searched: grep -n … ${TRANSCRIPT_FOLDER}/session-*.md`;
    return { bytes, isCut: true, rest };
  }

  /** Lines of the whole session, from whichever parts hold them; null for any other file. */
  async page(path: string, offset: number, limit: number): Promise<LinePage | null> {
    if (path !== TRANSCRIPT_PATH) return null;
    const { parts } = await this.#session();
    const last = parts.at(-1);
    const total = (last?.firstLine ?? 0) + (last?.lines ?? 0);
    const end = Math.min(total, offset + Math.min(limit, READ_LINES_MAX));
    const lines = parts.flatMap((part) => linesIn(part, offset, end));
    return { lines, total };
  }

  async #partOf(path: string): Promise<SessionPart | null> {
    const match = PART.exec(path);
    if (match === null) return null;
    const { parts } = await this.#session();
    const index = Number(match[1]) - 1;
    const isPart = parts.length > 1 && path === `${TRANSCRIPT_FOLDER}/${partName(index)}`;
    return isPart ? (parts[index] ?? null) : null;
  }

  #session(): Promise<SessionText> {
    this.#text ??= this.#make();
    return this.#text;
  }
}

const PART = new RegExp(`^${TRANSCRIPT_FOLDER}/session-(\\d{3,6})\\.md$`);

function partName(index: number): string {
  return `session-${String(index + 1).padStart(3, "0")}.md`;
}

/** The lines of a part that lie between two lines of the whole. */
function linesIn({ firstLine, lines, read }: SessionPart, start: number, end: number): string[] {
  const from = Math.max(0, start - firstLine);
  const to = Math.min(lines, end - firstLine);
  return from >= to ? [] : read().toString("utf8").split("\n").slice(from, to);
}

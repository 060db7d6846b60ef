/**
 * All that a session holds, as text without secrets: for the reviewer's `/transcript`. Long texts come
 * out of the spool in windows, and what is longer than a part goes there again, so that it costs
 * little memory whatever its size.
 */
import { RENDER_LEVELS, SESSION_LINE_MAX_CHARS, SESSION_PART_MAX_BYTES } from "../core/limits.ts";
import { count } from "../core/text.ts";
import { isLowSurrogate } from "./bounded-text.ts";
import { redactSpooled, type SpooledSource } from "./redact-spooled.ts";
import { callLine, EVERYTHING, indented, turnHead } from "./render/blocks.ts";
import { shownTurns } from "./render.ts";
import type { RedactedSession, Session, ToolCall, Turn } from "./session.ts";
import type { SpooledText, TextSpool } from "./text-spool.ts";

/** Whole lines of a session's text. */
export interface SessionPart {
  /** Lines before it. */
  readonly firstLine: number;
  readonly lines: number;
  readonly bytes: number;
  /** UTF-8, at most SESSION_PART_MAX_BYTES. */
  read(): Buffer;
}

export interface SessionText {
  /** In order; one, unless the text is longer than SESSION_PART_MAX_BYTES. */
  readonly parts: readonly SessionPart[];
}

/**
 * @param source the spool that the session was read with; null when its long texts were not kept:
 *   then they stay cut
 * @throws the scanner's error when a text can't be checked for secrets
 */
export async function sessionText(
  session: RedactedSession,
  source: SpooledSource | null,
): Promise<SessionText> {
  const parts = new PartWriter(source?.spool ?? null);
  const turns = shownTurns(session);
  const pieces = source === null ? null : redactSpooled(source, turns.flatMap(spooledTexts));
  const spooled = async (texts: readonly SpooledText[]) => {
    for (let left = pieces === null ? 0 : texts.length; left > 0; ) {
      const { value } = (await pieces?.next()) ?? {};
      if (value === undefined) throw new Error("a spooled text is missing");
      parts.add(indented(value.text));
      if (value.isLast) left -= 1;
    }
  };
  for (const turn of turns) {
    parts.add(turnHead(turn));
    const { fullTexts } = turn;
    if (fullTexts !== undefined && source !== null) await spooled(fullTexts);
    else if (turn.text.trim() !== "") parts.add(indented(turn.text));
    for (const call of turn.toolCalls) {
      await addCall(parts, turn.id, source === null ? keptOnly(call) : call, spooled);
    }
  }
  return parts.end();
}

/** Shows the redactor what was spooled, so that a secret which only its context there gives away is known everywhere. */
export async function learnFromSpool(
  session: Pick<Session, "turns">,
  source: SpooledSource,
): Promise<void> {
  for await (const _ of redactSpooled(source, session.turns.flatMap(spooledTexts)));
}

/** What lies in the spool of a turn, in the order of its text. */
function spooledTexts({ fullTexts = [], toolCalls }: Turn): SpooledText[] {
  const ofCalls = toolCalls.flatMap(({ fullArgs = [], fullResult }) => [
    ...fullArgs.map(({ text }) => text),
    ...(fullResult === undefined ? [] : [fullResult]),
  ]);
  return [...fullTexts, ...ofCalls];
}

/** The call without what lies in the spool. */
function keptOnly({ fullArgs: _, fullResult: __, ...kept }: ToolCall): ToolCall {
  return kept;
}

async function addCall(
  parts: PartWriter,
  turn: string,
  call: ToolCall,
  spooled: (texts: readonly SpooledText[]) => Promise<void>,
): Promise<void> {
  const { fullArgs = [], fullResult } = call;
  const names = Object.keys(call.args);
  const maxArgs = (fullArgs.length > 0 ? RENDER_LEVELS[0] : EVERYTHING).args;
  parts.add(callLine(turn, call, maxArgs));
  for (const { argument, text } of fullArgs) {
    const name = argument === null ? "arguments" : `argument ${JSON.stringify(names[argument])}`;
    parts.add(indented(`[${name}, whole:]`));
    await spooled([text]);
  }
  const result = (call.result ?? "").trimEnd();
  if (fullArgs.length > 0 && result !== "") parts.add(indented("[result:]"));
  if (fullResult !== undefined) await spooled([fullResult]);
  else if (result !== "") parts.add(indented(result));
}

/** Gathers whole lines into parts; all but a single one are kept in the spool. */
class PartWriter {
  readonly #spool: TextSpool | null;
  readonly #parts: SessionPart[] = [];
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #lines = 0;
  #leftOutBytes = 0;

  constructor(spool: TextSpool | null) {
    this.#spool = spool;
  }

  /** @param text whole lines */
  add(text: string): void {
    for (const piece of pieces(text)) {
      const bytes = Buffer.from(piece);
      if (this.#pendingBytes + bytes.length > SESSION_PART_MAX_BYTES) this.#flush();
      this.#pending.push(bytes);
      this.#pendingBytes += bytes.length;
    }
  }

  end(): SessionText {
    if (this.#leftOutBytes > 0)
      this.add(`[${count(this.#leftOutBytes, "byte")} left out: no room]\n`);
    if (this.#pendingBytes > 0 || this.#parts.length === 0) this.#flush(true);
    return { parts: this.#parts };
  }

  #flush(isLast = false): void {
    const bytes = Buffer.concat(this.#pending);
    this.#pending = [];
    this.#pendingBytes = 0;
    const lines = lineBreaks(bytes);
    // The last part may stay: what was said is in memory anyway, and a small session needs no file.
    const spool = isLast || this.#spool === null ? null : this.#spool;
    const stored = spool?.addBytes(bytes) ?? null;
    if (spool !== null && stored === null) {
      this.#leftOutBytes += bytes.length;
      return;
    }
    const read = () => (stored === null ? bytes : (spool?.read(stored, 0, stored.bytes) ?? bytes));
    this.#parts.push({ firstLine: this.#lines, lines, bytes: bytes.length, read });
    this.#lines += lines;
  }
}

/** Whole lines of a bounded length; a longer one goes on in the next, where it is marked. */
function* pieces(text: string): Generator<string> {
  if (text.length <= SESSION_LINE_MAX_CHARS) {
    if (text !== "") yield text;
    return;
  }
  let mark = "";
  for (let start = 0; start < text.length; ) {
    const lineEnd = text.indexOf("\n", start) + 1 || text.length;
    if (lineEnd - start <= SESSION_LINE_MAX_CHARS) {
      // As many lines as fit, not one by one.
      const last = text.lastIndexOf("\n", start + SESSION_LINE_MAX_CHARS - 1) + 1;
      const end = Math.max(lineEnd, Math.min(last, text.length));
      yield mark + text.slice(start, end);
      mark = "";
      start = end;
    } else {
      let end = start + SESSION_LINE_MAX_CHARS - 1;
      if (isLowSurrogate(text.charCodeAt(end))) end -= 1;
      yield `${mark}${text.slice(start, end)}\n`;
      mark = "  [the line goes on] ";
      start = end;
    }
  }
}

function lineBreaks(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(0x0a); at !== -1; at = bytes.indexOf(0x0a, at + 1)) lines += 1;
  return lines;
}

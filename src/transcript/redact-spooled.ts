/**
 * Redaction of the texts in a spool. Small ones go together, since a scan costs per call; one that is
 * too long to be held at once goes in windows whose edges go through no secret. That an edge is safe is
 * tried out: what lies around it must come out the same in one piece and in two.
 */
import { StringDecoder } from "node:string_decoder";
import {
  REDACTION_EDGE_CHARS,
  REDACTION_EDGE_TRIES,
  REDACTION_WINDOW_CHARS,
  SPOOL_BUFFER_BYTES,
} from "../core/limits.ts";
import { count } from "../core/text.ts";
import { isLowSurrogate } from "./bounded-text.ts";
import type { SpooledText, TextSpool } from "./text-spool.ts";

/** Where spooled texts are, and the redaction that the session went through. */
export interface SpooledSource {
  readonly spool: TextSpool;
  readonly redact: (texts: readonly string[]) => Promise<readonly string[]>;
}

/** Whole lines of a text (a line that is longer than a window goes on in the next piece). */
export interface RedactedPiece {
  readonly text: string;
  /** The last one of its text. */
  readonly isLast: boolean;
}

/**
 * The texts without secrets, in order, each in one piece or more. Where no safe edge is found, a sentence
 * stands in the place of a text's rest.
 */
export async function* redactSpooled(
  source: SpooledSource,
  texts: readonly SpooledText[],
): AsyncGenerator<RedactedPiece> {
  let batch: string[] = [];
  let chars = 0;
  const redactBatch = async () => {
    const clean = batch.length === 0 ? [] : await source.redact(batch);
    batch = [];
    chars = 0;
    return clean.map((text) => ({ text, isLast: true }));
  };
  for (const text of texts) {
    const isLong = text.bytes > REDACTION_WINDOW_CHARS;
    if (isLong || chars + text.bytes > REDACTION_WINDOW_CHARS) yield* await redactBatch();
    if (isLong) yield* redactInWindows(source, text);
    else {
      batch.push(source.spool.read(text, 0, text.bytes).toString("utf8"));
      chars += text.bytes;
    }
  }
  yield* await redactBatch();
}

async function* redactInWindows(
  { spool, redact }: SpooledSource,
  text: SpooledText,
): AsyncGenerator<RedactedPiece> {
  const decoder = new StringDecoder("utf8");
  let waiting = "";
  for (let at = 0; at < text.bytes; at += SPOOL_BUFFER_BYTES) {
    waiting += decoder.write(spool.read(text, at, SPOOL_BUFFER_BYTES));
    if (waiting.length <= REDACTION_WINDOW_CHARS + REDACTION_EDGE_CHARS) continue;
    const edge = await safeEdge(waiting, redact);
    if (edge === null) {
      const left = waiting.length + Math.max(0, text.bytes - at - SPOOL_BUFFER_BYTES);
      yield { text: withheld(left), isLast: true };
      return;
    }
    const [clean = ""] = await redact([waiting.slice(0, edge).replace(/\n$/, "")]);
    yield { text: clean, isLast: false };
    waiting = waiting.slice(edge);
  }
  const [clean = ""] = await redact([waiting + decoder.end()]);
  yield { text: clean, isLast: true };
}

function withheld(chars: number): string {
  return `[… the rest, about ${count(chars, "character")}, can't be checked for secrets in parts and is left out …]`;
}

/** A place to cut, at the end of a line if there is one, that no secret spans; null when there is none. */
async function safeEdge(text: string, redact: SpooledSource["redact"]): Promise<number | null> {
  let back = 0;
  for (let tries = 0; tries < REDACTION_EDGE_TRIES; tries += 1) {
    const edge = edgeBefore(text, REDACTION_WINDOW_CHARS - back);
    const before = text.slice(Math.max(0, edge - REDACTION_EDGE_CHARS), edge);
    const after = text.slice(edge, edge + REDACTION_EDGE_CHARS);
    const [whole, first, second] = await redact([before + after, before, after]);
    if (whole === `${first}${second}`) return edge;
    // Secrets of several lines are passed in a few steps.
    back = back * 2 + 256;
  }
  return null;
}

/** Behind a line break, else behind a blank, not too far before the place; else the place itself. */
function edgeBefore(text: string, place: number): number {
  const least = place - REDACTION_EDGE_CHARS;
  const lineBreak = text.lastIndexOf("\n", place - 1);
  if (lineBreak > least) return lineBreak + 1;
  const blank = text.lastIndexOf(" ", place - 1);
  if (blank > least) return blank + 1;
  return isLowSurrogate(text.charCodeAt(place)) ? place - 1 : place;
}

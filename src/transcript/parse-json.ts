import { JSON_DEPTH_MAX } from "../core/limits.ts";

/**
 * Nesting that is parsed at all. Far above what is walked, so that a record with one deep argument is
 * still read; beyond it nobody wrote the text, and the parser would take gigabytes.
 */
const PARSED_DEPTH_MAX = JSON_DEPTH_MAX ** 2;

const [QUOTE, COMMA, BRACKET, BACKSLASH] = [0x22, 0x2c, 0x5b, 0x5c];
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** Follows the nesting of a JSON text whose bytes come in parts. */
export class JsonDepth {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;

  /** @returns true when the text nests deeper than is parsed, here or in a part before */
  exceedsIn(bytes: Uint8Array): boolean {
    for (const byte of bytes) {
      if (this.#isInString) this.#stepInString(byte);
      else if (byte === QUOTE) this.#isInString = true;
      else if (OPENING.has(byte)) this.#depth += 1;
      else if (CLOSING.has(byte)) this.#depth -= 1;
      if (this.#depth > PARSED_DEPTH_MAX) return true;
    }
    return false;
  }

  #stepInString(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#isInString = false;
  }
}

/** The value that a text is, or undefined when it is no JSON or nests too deep. */
export function parseJson(text: string): unknown {
  if (text.length > PARSED_DEPTH_MAX && nestsTooDeep(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // Damaged or cut off: an expected answer; the caller counts it, or rescues what is whole.
    return undefined;
  }
}

function nestsTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (OPENING.has(code)) depth += 1;
    else if (CLOSING.has(code)) depth -= 1;
    if (depth > PARSED_DEPTH_MAX) return true;
  }
  return false;
}

/** Index of the `"` that ends the string at `start`; the text's length when none does. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}

/**
 * The value that a JSON text begins, when the text breaks off in the middle of it: without what wasn't
 * complete (a word, a number, a member without its value), and with what was open closed.
 * @returns undefined when the text is not the beginning of one list or object
 */
export function parseCutJson(text: string): unknown {
  const open: number[] = [];
  /** Behind the last thing that is complete. */
  let end = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COMMA) end = at;
    else if (OPENING.has(code) || CLOSING.has(code)) {
      end = at + 1;
      if (OPENING.has(code)) open.push(code);
      else open.pop();
      if (open.length === 0 || open.length > PARSED_DEPTH_MAX) return undefined;
    }
  }
  return parseJson(text.slice(0, end) + closing(open));
}

function closing(open: readonly number[]): string {
  return open
    .toReversed()
    .map((code) => (code === BRACKET ? "]" : "}"))
    .join("");
}

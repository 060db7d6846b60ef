/**
 * Text that somebody else wrote, made safe to print.
 *
 * Transcripts, models and repositories may hold terminal escapes, bidirectional overrides and
 * other characters that change what a reader sees. Everything of theirs that reaches a terminal
 * or a log goes through here (invariant 7).
 */
import { SHORT_COMMIT_CHARS } from "./limits.ts";

// C0 and C1 controls, DEL, zero-width and bidirectional controls, line and paragraph separators,
// invisible operators, interlinear marks, tag characters, variation selectors 17-256, surrogates.
const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|[\u{e0100}-\u{e01ef}]|\p{Surrogate}/gu;

const NAMED: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function escapeCharacter(character: string): string {
  return NAMED[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** One line of foreign text: controls and invisible characters become visible escapes. */
export function safeLine(text: string): string {
  return text.replace(UNSAFE, escapeCharacter);
}

/** Several lines of foreign text: like safeLine, but `\n` and `\t` stay. */
export function safeBlock(text: string): string {
  return text.replace(UNSAFE, (character) =>
    character === "\n" || character === "\t" ? character : escapeCharacter(character),
  );
}

/** One line of JSON whose strings hold no raw control or invisible character, so that it may go to a terminal. */
export function safeJson(value: unknown): string {
  // Outside of strings JSON has none of them; inside, an escape means the same.
  return JSON.stringify(value).replace(UNSAFE, (character) =>
    Array.from(
      { length: character.length },
      (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
}

/**
 * Cuts text to at most `max` UTF-16 units without splitting a surrogate pair, and marks the cut
 * with `…` (which counts).
 */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  let end = Math.max(0, max - 1);
  const last = text.charCodeAt(end - 1);
  if (last >= 0xd800 && last <= 0xdbff) end -= 1;
  return `${text.slice(0, end)}…`;
}

/** The same by the bytes that it takes as a JSON string, without its quotes. */
export function cutJson(text: string, max: number): string {
  if (jsonBytes(text) <= max) return text;
  let bytes = jsonBytes("…");
  let end = 0;
  for (const character of text) {
    bytes += jsonBytes(character);
    if (bytes > max) break;
    end += character.length;
  }
  return `${text.slice(0, end)}…`;
}

/** How many bytes a text takes as a JSON string, without its quotes. */
export function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - 2;
}

/**
 * A whole number with thousands apart, `12,345`, whatever the machine's language is. Not by `toLocaleString`:
 * loading its tables takes longer than all that `status` does.
 */
export function grouped(n: number): string {
  return String(n).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** `1 file`, `2 files`. */
export function count(n: number, singular: string, plural = `${singular}s`): string {
  return `${n} ${n === 1 ? singular : plural}`;
}

/** The id of a commit as people read it. */
export function shortCommit(id: string): string {
  return id.slice(0, SHORT_COMMIT_CHARS);
}

/** What somebody may have said, without the spaces around it; null where that is nothing. */
export function trimmed(value: string | undefined): string | null {
  const text = value?.trim() ?? "";
  return text === "" ? null : text;
}

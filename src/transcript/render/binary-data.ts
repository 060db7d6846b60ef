/** Images and other binary data in texts: they cost thousands of tokens and tell a reader nothing. */
import { DATA_RUN_MIN_CHARS } from "../../core/limits.ts";

/** `data:image/png;base64,` and what follows. */
const DATA_URI = /\bdata:([\w.+-]{1,60}\/[\w.+-]{1,60})?(?:;[\w=.+-]{1,60}){0,4};base64,[\w+/=-]+/g;
/** One long word of base64 or hexadecimal digits. */
const RUN = new RegExp(`[A-Za-z0-9+/_-]{${DATA_RUN_MIN_CHARS},}={0,2}`, "g");
/** Base64 in lines, as `base64` and mail write it. */
const LINES = /(?:^[ \t]*[A-Za-z0-9+/]{56,}={0,2}\r?\n){4,}(?:[ \t]*[A-Za-z0-9+/]{2,}={0,2}$)?/gm;

/** The text with a word in the place of each piece of binary data that says what it was and how long. */
export function withoutBinaryData(text: string): string {
  if (text.length < DATA_RUN_MIN_CHARS) return text;
  return text
    .replace(DATA_URI, (data, type?: string) => leftOut(data, type ?? "data"))
    .replace(LINES, (data) => (isData(data) ? `${leftOut(data, "base64")}\n` : data))
    .replace(RUN, (data) => (isData(data) ? leftOut(data, "base64") : data));
}

function leftOut(data: string, what: string): string {
  return `[${what}, ${data.length} characters, left out]`;
}

/** Digits among letters, and not the slashes of a long path. */
function isData(text: string): boolean {
  if (!/\d/.test(text) || !/[A-Za-z]/.test(text)) return false;
  return text.split("/").length <= text.length / 16;
}

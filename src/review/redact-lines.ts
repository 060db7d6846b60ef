/** Redaction that keeps a text's line numbers, and files as they may be shown. */
import { decodeText } from "./decode-text.ts";

export type Redact = (text: string) => Promise<string>;

const PLACEHOLDER = /\[redacted:[a-z-]+:\d+\]/;

/**
 * The text without secrets, with as many lines as before: a secret of several lines leaves its
 * placeholder on each of them.
 */
export async function redactLines(text: string, redact: Redact): Promise<string> {
  const clean = await redact(text);
  if (clean === text || lineBreaks(clean) === lineBreaks(text)) return clean;
  const placeholders = clean.match(new RegExp(PLACEHOLDER, "g")) ?? [];
  const kept = clean.split(PLACEHOLDER);
  let padded = kept[0] ?? "";
  let at = padded.length;
  for (const [index, placeholder] of placeholders.entries()) {
    const next = kept[index + 1] ?? "";
    const isLast = index === placeholders.length - 1;
    // What stands between two placeholders was kept as it is, and a secret has a character at least.
    const start = isLast ? text.length - next.length : text.indexOf(next, at + 1);
    if (start < at) throw new Error("a redacted text is not the text with placeholders");
    const breaks = lineBreaks(text.slice(at, start));
    padded += placeholder + `\n${placeholder}`.repeat(breaks) + next;
    at = start + next.length;
  }
  return padded;
}

/**
 * A file's bytes without secrets, also when they are no UTF-8.
 * @param isCut the bytes are only the beginning: what the cut may have gone through is left out
 */
export async function redactBytes(
  bytes: Uint8Array,
  isCut: boolean,
  redact: Redact,
): Promise<Uint8Array> {
  const decoded = decodeText(bytes);
  const isText = decoded !== null && Buffer.from(decoded).equals(bytes);
  const encoding = isText ? "utf8" : "latin1";
  const whole = isText ? decoded : Buffer.from(bytes).toString("latin1");
  const text = isCut ? withoutCutEnd(whole) : whole;
  const clean = await redactLines(text, redact);
  return clean === whole ? bytes : Buffer.from(clean, encoding);
}

/** Without the last line, half of which may be a secret's half; in one long line, the last word. */
export function withoutCutEnd(text: string): string {
  const end = text.lastIndexOf("\n") + 1;
  return end > 0 ? text.slice(0, end) : text.replace(/\S+$/, "");
}

/**
 * What git shows of files: parts, with signs and names in front of the lines. Material of a key whose
 * beginning is not among them can't be told by its frame, only by its even lines.
 */
export async function redactGitOutput(text: string, redact: Redact): Promise<string> {
  const clean = await redactLines(text, redact);
  let isInKey = false;
  return clean
    .split("\n")
    .map((line) => {
      const [, before, material] = KEY_LINE.exec(line) ?? [];
      const isEven = material !== undefined && isKeyMaterial(material);
      const isEnd = isInKey && material !== undefined;
      isInKey = isEven;
      return isEven || isEnd ? `${before}[redacted:private-key:part]` : line;
    })
    .join("\n");
}

/** The last word of a line, when it could be base64. */
const KEY_LINE = /^(.*?[\s+)-]|)([A-Za-z0-9+/]{4,76}={0,2})\r?$/;

/** Keys are written in lines of 64, 70 or 76 characters; a hash of 64 has no capitals. */
function isKeyMaterial(word: string): boolean {
  return (
    [64, 70, 76].includes(word.length) &&
    /[A-Z]/.test(word) &&
    /[a-z]/.test(word) &&
    /\d/.test(word)
  );
}

function lineBreaks(text: string): number {
  return text.split("\n").length - 1;
}

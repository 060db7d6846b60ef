/** Redaction that keeps a text's line numbers, and files as they may be shown. */
import { decodeText } from "./decode-text.ts";

export type Redact = (text: string) => Promise<string>;

const PLACEHOLDER = /\[redacted:[a-z-]+:\d+\]/;

/**
 * The text without secrets, with as many lines as before: a secret of several lines leaves its
 * placeholder on each of them.
 */
export async function redactLines(text: string, redact: Redact): Promise<string> {
  const padded = await redactPadded(text, redact);
  if (!padded.includes("\0")) return padded;
  // UTF-16 has one beside each letter, and nobody would find a secret's letters together.
  const plain = padded.replaceAll("\0", "");
  const clean = await redactPadded(plain, redact);
  return clean === plain ? padded : clean;
}

async function redactPadded(text: string, redact: Redact): Promise<string> {
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
  if (end > 0) return text.slice(0, end);
  // Backwards: a pattern that ends at the end would start anew at each letter of a long word.
  let last = text.length;
  while (last > 0 && /\S/.test(text.charAt(last - 1))) last -= 1;
  return text.slice(0, last);
}

/**
 * What git shows of files: parts, with signs and names in front of the lines. Material of a key whose
 * beginning is not among them can't be told by its frame, only by its even lines.
 * @param files the files whole, where they are known: their lines with secrets are replaced wherever they stand
 */
export async function redactGitOutput(
  text: string,
  redact: Redact,
  files: readonly string[] = [],
): Promise<string> {
  const clean = await redactLines(await redactLinesOf(files, text, redact), redact);
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

/** The text with the lines that hold secrets in one of the files as they are shown without. */
async function redactLinesOf(
  files: readonly string[],
  text: string,
  redact: Redact,
): Promise<string> {
  // All at once, because a scan costs per call, and without the bytes that UTF-16 puts between letters.
  const whole = files.join("\n\n").replaceAll("\0", "");
  const after = (await redactLines(whole, redact)).split("\n");
  const cleanOf = new Map<number, Map<string, string>>();
  for (const [index, raw] of whole.split("\n").entries()) {
    const line = raw.replace(/\r$/, "");
    const clean = (after[index] ?? "").replace(/\r$/, "");
    if (line === clean || line === "") continue;
    const ofLength = cleanOf.get(line.length) ?? new Map<string, string>();
    cleanOf.set(line.length, ofLength.set(line, clean));
  }
  if (cleanOf.size === 0) return text;
  const lengths = [...cleanOf.keys()].sort((a, b) => b - a);
  const lines = [...cleanOf.values()].flatMap((ofLength) => [...ofLength.keys()]);
  const cleaned = (raw: string): string => {
    const line = raw.replace(/\r$/, "");
    // Behind the function's name git cuts a line of the file where it likes.
    const [header, context = ""] = HUNK_HEADER.exec(line)?.slice(1) ?? [];
    if (header !== undefined && context !== "")
      return lines.some((one) => one.includes(context)) ? header : raw;
    for (const length of lengths) {
      const clean = cleanOf.get(length)?.get(line.slice(-length));
      const before = line.slice(0, Math.max(0, line.length - length));
      // The end of a key may be a letter or two: a word that ends so is none.
      const isInWord = length < 8 && /\w$/.test(before);
      if (clean !== undefined && !isInWord) return before + clean;
    }
    return raw;
  };
  return text.replaceAll("\0", "").split("\n").map(cleaned).join("\n");
}

const HUNK_HEADER = /^([ |*\\/_.-]*@@+ -[-+\d, ]+ @@+)(?: (.*))?$/;

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

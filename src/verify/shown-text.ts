/**
 * What a finding may show of a text: never the value of a secret. A finding is printed, kept in a log and put beside
 * the lines of a pull request, so it would publish what it warns of.
 */
import { SHOWN_PIECE_CHARS, SHOWN_SEARCH_MAX_CHARS } from "../core/limits.ts";
import { encodedSecrets, isPersonalData, splitSecrets } from "../secrets/disguised-secrets.ts";
import { findShapedSecrets } from "../secrets/find-secrets.ts";
import type { SecretRange } from "../secrets/secret-range.ts";

/** A secret's kind, by every piece of it that is long enough to be told from a word. */
export type SecretPieces = ReadonlyMap<string, string>;

/**
 * Every secret in a text, whole, in base64 or in pieces: in order, without overlaps. Personal data isn't among them:
 * to whom an order sends something is what a finding has to say.
 */
export function secretRangesIn(
  text: string,
  shaped: readonly SecretRange[] = findShapedSecrets(text),
): readonly SecretRange[] {
  const found = [...shaped, ...encodedSecrets(text), ...splitSecrets(text)];
  const ranges: SecretRange[] = [];
  for (const range of found.filter((each) => !isPersonalData(each)).sort(byStart)) {
    const last = ranges.at(-1);
    if (last === undefined || range.start >= last.end) ranges.push(range);
    else if (range.end > last.end) ranges[ranges.length - 1] = { ...last, end: range.end };
  }
  return ranges;
}

/** So much of a part of a text as can be shown, with the kinds of secrets in their places. */
export function partWithoutSecrets(
  text: string,
  part: { readonly start: number; readonly end: number },
  ranges: readonly SecretRange[],
): string {
  const end = Math.min(part.end, part.start + SHOWN_SEARCH_MAX_CHARS);
  let [shown, at] = ["", part.start];
  for (const range of ranges) {
    if (range.end <= at || range.start >= end) continue;
    shown += text.slice(at, Math.max(at, range.start)) + placeholder(range.rule);
    at = range.end;
  }
  return shown + text.slice(at, Math.max(at, end));
}

/** The same of a whole text, of which nothing is known yet; before it is cut, so that no half of a secret stays. */
export function withoutSecrets(whole: string): string {
  const text = masked(whole.slice(0, SHOWN_SEARCH_MAX_CHARS));
  const read = asRead(text);
  if (read === text) return text;
  const shown = masked(read);
  return shown === read ? text : shown;
}

/** The text without pieces of secrets that stand elsewhere in its file: what cut them out left nothing that gives them away. */
export function withoutPieces(text: string, pieces: SecretPieces): string {
  if (pieces.size === 0) return text;
  const levelled = text.normalize("NFKC");
  // Wide letters are as many as the plain ones.
  const read = levelled.length === text.length ? levelled : text;
  let [shown, at] = ["", 0];
  for (let start = 0; start + SHOWN_PIECE_CHARS <= text.length; start += 1) {
    const rule = pieces.get(read.slice(start, start + SHOWN_PIECE_CHARS));
    if (rule === undefined) continue;
    let end = start + 1;
    while (pieces.has(read.slice(end, end + SHOWN_PIECE_CHARS))) end += 1;
    shown += text.slice(at, start) + placeholder(rule);
    at = end + SHOWN_PIECE_CHARS - 1;
    start = at - 1;
  }
  return shown + text.slice(at);
}

/** Of each secret in a text, as it is spelled there and as it is meant. */
export function secretPiecesOf(text: string, ranges = secretRangesIn(text)): SecretPieces {
  const pieces = new Map<string, string>();
  addPieces(pieces, text, ranges);
  const read = asRead(text);
  if (read !== text) addPieces(pieces, read, secretRangesIn(read));
  return pieces;
}

function addPieces(
  pieces: Map<string, string>,
  text: string,
  ranges: readonly SecretRange[],
): void {
  for (const { rule, start, end, value = "" } of ranges) {
    for (const word of [text.slice(start, end), value].join("\n").split(/\s+/)) {
      for (let at = 0; at + SHOWN_PIECE_CHARS <= word.length; at += 1)
        pieces.set(word.slice(at, at + SHOWN_PIECE_CHARS), rule);
    }
  }
}

function masked(text: string): string {
  return partWithoutSecrets(text, { start: 0, end: text.length }, secretRangesIn(text));
}

function placeholder(rule: string): string {
  return `[redacted:${rule}]`;
}

function byStart(a: SecretRange, b: SecretRange): number {
  return a.start - b.start;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII is what is meant
const IS_PLAIN = /^[\u0000-\u0025\u0027-\u007f]*$/;
const TAG = /[\u{e0020}-\u{e007e}]/gu;
const SELECTORS = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{2,}/gu;
const ENTITY = /&#(?:x([0-9a-f]{1,6})|(\d{1,7}));/gi;

/** As a model may read it: wide letters, numeric entities, and what is smuggled in tags and variation selectors, as plain ones. */
function asRead(text: string): string {
  if (IS_PLAIN.test(text)) return text;
  return text
    .replace(TAG, (tag) => String.fromCharCode((tag.codePointAt(0) ?? 0) - 0xe0000))
    .replace(SELECTORS, (run) => Buffer.from([...run].map(byteOf)).toString("latin1"))
    .replace(ENTITY, (entity, hex?: string, decimal?: string) => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : entity;
    })
    .normalize("NFKC");
}

/** Which of 256 values a variation selector stands for. */
function byteOf(selector: string): number {
  const code = selector.codePointAt(0) ?? 0;
  return code < 0xe0100 ? code - 0xfe00 : code - 0xe0100 + 16;
}

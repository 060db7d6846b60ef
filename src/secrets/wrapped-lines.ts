/** Where a terminal broke a line in the middle of a word, and the text there put together again. */
import { TERMINAL_MIN_CHARS, WRAP_LINES_AROUND, WRAP_REACH_CHARS } from "../core/limits.ts";
import { SegmentedView, type TextView } from "./text-view.ts";

/** The surroundings of some breaks as one text without them. */
export interface Unwrapped {
  readonly view: SegmentedView;
  /** Places in the view where a break was taken out, in order. */
  readonly joints: readonly number[];
}

/** A break between two lines: the end of the first, and the beginning of the second. */
interface Break {
  readonly end: number;
  readonly next: number;
}

/** What tokens are made of, by its code. */
const IS_WORD = new Uint8Array(128);
for (const code of Buffer.from(
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+/=~.%:-",
)) {
  IS_WORD[code] = 1;
}

function isWord(text: string, at: number): boolean {
  if (at < 0 || at >= text.length) return false;
  const code = text.charCodeAt(at);
  return code < 128 && IS_WORD[code] === 1;
}

/** What the last word of a line holds when it looks like the beginning of a secret. */
const SUSPICIOUS_WORD =
  /gh[pousr]_|github_pat_|gl[a-z]{1,6}-|xox[a-z]-|xapp-|A[KS]IA|LTAI|AIza|ya29\.|hf_|npm_|pypi-|[sr]k[-_]|eyJ|SG\.|hv[sb]\.|dckr_pat_|ATATT3|gsk_|xai-|r8_|do[opr]_v1_|(?:token|secret|passw(?:or)?d|key|pass|pwd|auth)[=:]|:\/\/[^\s@]*:/i;
/** What stands before it then: looked at backwards from there, since most words have nothing of it. */
const SUSPICIOUS_BEFORE =
  /(?<=(?:token|secret|passw(?:or)?d|key|pass|pwd|cookie|authorization)\\{0,7}["'`]?[ \t]{0,3}[:= ][ \t]{0,3}\\{0,7}["'`]?|(?:bearer|basic) |:|@)/iy;

/** Before the last word of a line, and of it: the name that it may be given to. */
const SUSPICIOUS_REACH_CHARS = 80;

/** The places of a view where a word may have been broken, each with its surroundings. */
export function unwrapped(view: TextView): readonly Unwrapped[] {
  const { text } = view;
  const breaks = wordBreaks(text);
  if (breaks.length === 0) return NOTHING;
  const groups: Break[][] = [];
  for (const each of breaks) {
    const last = groups.at(-1);
    if (last !== undefined && each.end - (last.at(-1)?.next ?? 0) < WRAP_REACH_CHARS)
      last.push(each);
    else groups.push([each]);
  }
  return groups.map((group) => joined(view, group));
}

const NOTHING: readonly Unwrapped[] = [];

function joined(parent: TextView, group: readonly Break[]): Unwrapped {
  const view = new SegmentedView(parent);
  const joints: number[] = [];
  let at = Math.max(0, (group[0]?.end ?? 0) - WRAP_REACH_CHARS);
  for (const { end, next } of group) {
    view.copy(parent.text, at, end);
    joints.push(view.length);
    at = next;
  }
  view.copy(parent.text, at, Math.min(parent.text.length, at + WRAP_REACH_CHARS));
  return { view, joints };
}

function wordBreaks(text: string): readonly Break[] {
  const { ends, wordLines } = lineEnds(text);
  if (wordLines.length === 0) return NO_BREAKS;
  const found: Break[] = [];
  let broken = -1;
  for (const line of wordLines) {
    if (!mayGoOn(text, ends, line, broken === line - 2)) continue;
    broken = line;
    found.push({ end: ends[line] as number, next: ends[line + 1] as number });
  }
  return found;
}

/** Whether a terminal may have broken the line there, whose last and next characters are a word's. */
function mayGoOn(text: string, ends: Int32Array, line: number, wasBroken: boolean): boolean {
  const end = ends[line] as number;
  const width = widthOf(text, ends, line);
  const isOneWord =
    wasBroken && width <= 2 * WRAP_REACH_CHARS && /^\S+$/.test(text.slice(end - width, end));
  return isOneWord || isFull(text, ends, line, width) || isSuspicious(text, end - width, end);
}

function widthOf(text: string, ends: Int32Array, line: number): number {
  return (ends[line] ?? text.length) - (ends[line - 1] ?? 0);
}

function isFull(text: string, ends: Int32Array, line: number, width: number): boolean {
  if (width < TERMINAL_MIN_CHARS) return false;
  const last = Math.min(ends.length, line + 2 * WRAP_LINES_AROUND);
  for (let near = Math.max(0, line - 2 * WRAP_LINES_AROUND); near <= last; near += 2) {
    if (widthOf(text, ends, near) > width) return false;
  }
  return true;
}

function isSuspicious(text: string, start: number, end: number): boolean {
  let [word, isPlain] = [end, true];
  while (word > start && end - word < SUSPICIOUS_REACH_CHARS && isWord(text, word - 1)) {
    word -= 1;
    isPlain &&= isSmallLetter(text.charCodeAt(word));
  }
  // No beginning of a token is all small letters, as most words are.
  if (!isPlain && SUSPICIOUS_WORD.test(text.slice(word, end))) return true;
  // A space before it, and no name of a secret before that: most lines end so.
  SUSPICIOUS_BEFORE.lastIndex = word;
  return word > start && SUSPICIOUS_BEFORE.test(text);
}

function isSmallLetter(code: number): boolean {
  return code >= 97 && code <= 122;
}

interface Lines {
  /** The end of each line and the beginning of the next, one after the other. */
  readonly ends: Int32Array;
  /** Where the lines stand there that end with a word and are followed by one that begins with one. */
  readonly wordLines: readonly number[];
}

/**
 * The lines of a text; in a text without lines, those that are spelled `\n`. Good until the next call:
 * an array for each text would be most of the garbage.
 */
function lineEnds(text: string): Lines {
  const first = text.indexOf("\n");
  const isSpelled = first === -1;
  const mark = isSpelled ? "\\n" : "\n";
  let count = 0;
  if (wordLines.length > 0) wordLines.length = 0;
  for (let at = isSpelled ? text.indexOf(mark) : first; at !== -1; ) {
    const next = at + mark.length;
    const end = isSpelled ? spelledEnd(text, at) : lineEnd(text, at);
    if (count + 2 > lines.length) lines = grown(lines);
    lines[count] = end;
    lines[count + 1] = next;
    if (isWord(text, next) && isWord(text, end - 1)) wordLines.push(count);
    count += 2;
    at = text.indexOf(mark, next);
  }
  return wordLines.length > 0 ? { ends: lines.subarray(0, count), wordLines } : NO_LINES;
}

function lineEnd(text: string, at: number): number {
  return at > 0 && text.charCodeAt(at - 1) === CARRIAGE_RETURN ? at - 1 : at;
}

function spelledEnd(text: string, at: number): number {
  let end = at;
  while (text.charAt(end - 1) === "\\") end -= 1;
  if (text.charCodeAt(end - 1) === CARRIAGE_RETURN) return end - 1;
  return text.endsWith("\\r", end) ? end - 2 : end;
}

const NO_BREAKS: readonly Break[] = [];
const NO_LINES: Lines = { ends: new Int32Array(0), wordLines: [] };
const wordLines: number[] = [];
let lines: Int32Array = new Int32Array(4096);

function grown(full: Int32Array): Int32Array {
  const more = new Int32Array(2 * full.length);
  more.set(full);
  return more;
}

const CARRIAGE_RETURN = 13;

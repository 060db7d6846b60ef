/** Where a terminal broke a line in the middle of a word, and the text there put together again. */
import { TERMINAL_MIN_CHARS, WRAP_LINES_AROUND, WRAP_REACH_CHARS } from "../core/limits.ts";
import { isWordCode, type TextLines } from "./text-lines.ts";
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

/** What the last word of a line holds when it looks like the beginning of a secret. */
const SUSPICIOUS_WORD =
  /gh[pousr]_|github_pat_|gl[a-z]{1,6}-|xox[a-z]-|xapp-|A[KS]IA|LTAI|AIza|ya29\.|hf_|npm_|pypi-|[sr]k[-_]|eyJ|SG\.|hv[sb]\.|dckr_pat_|ATATT3|gsk_|xai-|r8_|do[opr]_v1_|(?:token|secret|passw(?:or)?d|key|pass|pwd|auth)[=:]|:\/\/[^\s@]*:/i;
/** Two neighbours that every alternative of it has one of, in any case; by their codes. */
const MAY_BE_SUSPICIOUS = new Uint8Array(1 << 14);
for (const [first = 0, second = 0] of (
  "p_ o_ u_ s_ r_ t_ gl xo xa ia ai 9. f_ m_ yp k- k_ yj g. s. b. t3 8_ 1_ " +
  "n= n: t= t: d= d: y= y: s= s: h= h: :/"
)
  .split(" ")
  .map((pair) => Buffer.from(pair))) {
  for (const each of casesOf(first))
    for (const next of casesOf(second)) MAY_BE_SUSPICIOUS[(each << 7) | next] = 1;
}
/** What stands before it then: looked at backwards from there, since most words have nothing of it. */
const SUSPICIOUS_BEFORE =
  /(?<=(?:token|secret|passw(?:or)?d|key|pass|pwd|cookie|authorization)\\{0,7}["'`]?[ \t]{0,3}[:= ][ \t]{0,3}\\{0,7}["'`]?|(?:bearer|basic) |:|@)/iy;

/** Before the last word of a line, and of it: the name that it may be given to. */
const SUSPICIOUS_REACH_CHARS = 80;

/**
 * The places of a text where a word may have been broken, each with its surroundings.
 * @param view that the text is of; null: it is no view's
 * @param lines of the text
 */
export function unwrapped(
  text: string,
  view: TextView | null,
  lines: TextLines,
): readonly Unwrapped[] {
  lines.addSpelled(text);
  const breaks = wordBreaks(text, lines);
  if (breaks.length === 0) return NOTHING;
  const groups: Break[][] = [];
  for (const each of breaks) {
    const last = groups.at(-1);
    if (last !== undefined && each.end - (last.at(-1)?.next ?? 0) < WRAP_REACH_CHARS)
      last.push(each);
    else groups.push([each]);
  }
  return groups.map((group) => joined(text, view, group));
}

const NOTHING: readonly Unwrapped[] = [];

function joined(text: string, parent: TextView | null, group: readonly Break[]): Unwrapped {
  const view = new SegmentedView(parent);
  const joints: number[] = [];
  let at = Math.max(0, (group[0]?.end ?? 0) - WRAP_REACH_CHARS);
  for (const { end, next } of group) {
    view.copy(text, at, end);
    joints.push(view.length);
    at = next;
  }
  view.copy(text, at, Math.min(text.length, at + WRAP_REACH_CHARS));
  return { view, joints };
}

function wordBreaks(text: string, lines: TextLines): readonly Break[] {
  if (lines.wordLines.length === 0) return NO_BREAKS;
  const found: Break[] = [];
  let broken = -1;
  for (const line of lines.wordLines) {
    if (!mayGoOn(text, lines, line, broken === line - 2)) continue;
    broken = line;
    found.push({ end: lines.ends[line] as number, next: lines.ends[line + 1] as number });
  }
  return found;
}

/** Whether a terminal may have broken the line there, whose last and next characters are a word's. */
function mayGoOn(text: string, lines: TextLines, line: number, wasBroken: boolean): boolean {
  const end = lines.ends[line] as number;
  const width = widthOf(text, lines, line);
  const isOneWord =
    wasBroken && width <= 2 * WRAP_REACH_CHARS && /^\S+$/.test(text.slice(end - width, end));
  return isOneWord || isFull(text, lines, line, width) || isSuspicious(text, end - width, end);
}

function widthOf(text: string, { ends, count }: TextLines, line: number): number {
  const end = line < count ? (ends[line] as number) : text.length;
  return end - (line > 0 ? (ends[line - 1] as number) : 0);
}

function isFull(text: string, lines: TextLines, line: number, width: number): boolean {
  if (width < TERMINAL_MIN_CHARS) return false;
  const last = Math.min(lines.count, line + 2 * WRAP_LINES_AROUND);
  for (let near = Math.max(0, line - 2 * WRAP_LINES_AROUND); near <= last; near += 2) {
    if (widthOf(text, lines, near) > width) return false;
  }
  return true;
}

function isSuspicious(text: string, start: number, end: number): boolean {
  const least = Math.max(start, end - SUSPICIOUS_REACH_CHARS);
  let [word, isPlain, hints, next] = [end, true, 0, 0];
  while (word > least) {
    const code = text.charCodeAt(word - 1);
    if (!isWordCode(code)) break;
    word -= 1;
    hints |= MAY_BE_SUSPICIOUS[(code << 7) | next] as number;
    next = code;
    if (isPlain && !isSmallLetter(code))
      isPlain = code === FULL_STOP && word === end - 1 && isSentenceEnd(text, word);
  }
  // No beginning of a token is all small letters, as most words are.
  if (!isPlain && hints !== 0 && SUSPICIOUS_WORD.test(text.slice(word, end))) return true;
  if (word <= start || !mayNameSecret(text, word)) return false;
  SUSPICIOUS_BEFORE.lastIndex = word;
  return SUSPICIOUS_BEFORE.test(text);
}

function isSmallLetter(code: number): boolean {
  return code >= 97 && code <= 122;
}

/** A full stop ends a sentence there; `hvs.` and `SG.` begin tokens. */
function isSentenceEnd(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1) | 32;
  return before !== SMALL_B && before !== SMALL_G && before !== SMALL_S;
}

const FULL_STOP = 46;
const [SMALL_B, SMALL_G, SMALL_S] = [98, 103, 115];

/** Whether SUSPICIOUS_BEFORE may hold: what it takes for signs stands there, behind the end of one of its names. */
function mayNameSecret(text: string, word: number): boolean {
  let at = word;
  while (at > 0 && isSign(text.charCodeAt(at - 1))) at -= 1;
  if (at === word) return text.charCodeAt(word - 1) === AT;
  const last = text.charCodeAt(word - 1);
  if (last === COLON || text.charCodeAt(at - 1) === AT) return true;
  return NAME_ENDS.has(((text.charCodeAt(at - 2) | 32) << 8) | text.charCodeAt(at - 1) | 32);
}

const [COLON, AT] = [58, 64];
/** What stands between a name and its value. */
const SIGNS = new Uint8Array(128);
for (const sign of Buffer.from(" \t:=\\\"'`")) SIGNS[sign] = 1;
const isSign = (code: number) => code < 128 && SIGNS[code] === 1;
/** The last two letters of the names. */
const NAME_ENDS = new Set(
  ["en", "et", "wd", "rd", "ey", "ss", "ie", "on", "er", "ic"].map(
    (pair) => (pair.charCodeAt(0) << 8) | pair.charCodeAt(1),
  ),
);

function casesOf(code: number): readonly number[] {
  const isLetter = code >= 97 && code <= 122;
  return isLetter ? [code, code - 32] : [code];
}

const NO_BREAKS: readonly Break[] = [];

import { ESCAPE_BACKSLASHES_MAX } from "../core/limits.ts";
import { ESCAPE_LETTERS } from "./anchor-tables.ts";

/**
 * A text as a reader takes it in: without the colours of a terminal, with escaped characters as
 * characters, and lines that a backslash or a terminal broke put together. Secrets are looked for
 * there; every place in it is known in the text itself.
 */
export interface TextView {
  readonly text: string;
  /** The place of a range of the view in the text it was made of. */
  toSource(start: number, end: number): { start: number; end: number };
}

/** Terminal sequences, also spelled out; invisible characters, the NUL bytes of UTF-16 among them; a shell's broken line. */
const DROPPED = [
  "\\x1b(?:\\[[0-9;:?]{0,32}[ -/]{0,4}[@-~]|\\][^\\x07\\x1b\\n]{0,512}(?:\\x07|\\x1b\\\\)|[()][0-9A-Za-z]|[=>78cDEHM])",
  "\\\\{1,8}(?:u001[bB]|x1[bB]|033|e)\\[[0-9;]{0,32}[A-Za-z]",
  // What is moved in behind it goes with it where the line was broken in a word.
  "\\\\\\r?\\n(?:(?<=[\\w+/=-]\\\\\\r?\\n)[ \\t]{1,40}(?=[\\w+/=-]))?",
  "[\\0\\u00ad\\u200b-\\u200d\\u2060\\ufeff]",
  "\\\\{1,8}u0000",
];
/** `\u002d`, `\x2d`, `\/` and Markdown's `\_`, with as many backslashes as JSON inside JSON inside JSON has. */
const DECODED = "\\\\{1,8}(?:u00([2-7][0-9a-fA-F])|x([2-7][0-9a-fA-F])|([/_]))";
const SPECIAL = new RegExp(`${DROPPED.join("|")}|${DECODED}`, "y");
const HAS_ESCAPE = /\\(?:u00(?:[1-7]|00)|x[1-7]|033|e\[|[/_\r\n])/y;
/** Whether a reader takes the text in otherwise at that place, where a character with this code stands: most texts have nothing of it. */
export function isSpecialAt(text: string, at: number, code: number): boolean {
  if (code !== BACKSLASH) return isSpecialCode(code);
  if (!ESCAPE_LETTERS.has(text.charCodeAt(at + 1))) return false;
  HAS_ESCAPE.lastIndex = at;
  return HAS_ESCAPE.test(text);
}

const BACKSLASH = 92;
/** Characters that terminals and UTF-16 put between others. */
function isSpecialCode(code: number): boolean {
  if (code < 0x200b) return code === 0 || code === 0x1b || code === 0xad;
  return code <= 0x200d || code === 0x2060 || code === 0xfeff;
}

/**
 * The view of a text without colours, escapes and broken shell lines.
 * @param places where isSpecialAt says that there is one, in order
 */
export function viewOf(source: string, places: readonly number[]): SegmentedView {
  const view = new SegmentedView(null);
  let end = 0;
  for (const place of places) {
    const match = place < end ? null : specialAround(source, place, end);
    if (match === null) continue;
    const [special, unicode, hex, slash] = match;
    view.copy(source, end, match.index);
    const code = unicode ?? hex;
    if (slash !== undefined) view.put(slash, match.index, special.length);
    else if (code !== undefined)
      view.put(String.fromCharCode(Number.parseInt(code, 16)), match.index, special.length);
    end = match.index + special.length;
  }
  view.copy(source, end, source.length);
  return view;
}

/** What is special there, from the first of its backslashes on. */
function specialAround(source: string, place: number, end: number): RegExpExecArray | null {
  let start = place;
  while (
    start > end &&
    place - start < ESCAPE_BACKSLASHES_MAX &&
    source.charCodeAt(start - 1) === BACKSLASH
  )
    start -= 1;
  for (; start <= place; start += 1) {
    SPECIAL.lastIndex = start;
    const match = SPECIAL.exec(source);
    if (match !== null) return match;
  }
  return null;
}

/** The view of a text that is taken in as it is spelled. */
export function plainView(source: string): TextView {
  return new WholeView(source);
}

class WholeView implements TextView {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toSource(start: number, end: number) {
    return { start, end };
  }
}

/** A view put together of copied stretches and of single characters that the source spells longer. */
export class SegmentedView implements TextView {
  readonly #parent: TextView | null;
  readonly #parts: string[] = [];
  readonly #segments: { view: number; source: number; spelled: number }[] = [];
  #length = 0;
  #text: string | null = null;

  /** @param parent what it is made of is a view itself; null: the text */
  constructor(parent: TextView | null) {
    this.#parent = parent;
  }

  get text(): string {
    this.#text ??= this.#parts.join("");
    return this.#text;
  }

  get length(): number {
    return this.#length;
  }

  /** How many stretches it is put together of, those of a single character too. */
  get segmentCount(): number {
    return this.#segments.length;
  }

  /** Where the stretch of that number begins in the view; its length behind the last. */
  segmentStart(number: number): number {
    return this.#segments[number]?.view ?? this.#length;
  }

  /** How far the stretch of that number was moved forward from what it was copied of; null: it is spelled otherwise there. */
  segmentShift(number: number): number | null {
    const segment = this.#segments[number];
    return segment === undefined || segment.spelled > 0 ? null : segment.source - segment.view;
  }

  /** As of its text, which isn't put together for that. */
  charCodeAt(place: number): number {
    if (this.#text !== null) return this.#text.charCodeAt(place);
    const number = this.#segmentNumberAt(place);
    return this.#parts[number]?.charCodeAt(place - this.segmentStart(number)) ?? Number.NaN;
  }

  /** A stretch of its text. */
  slice(start: number, end: number): string {
    if (this.#text !== null) return this.#text.slice(start, end);
    let stretch = "";
    for (let at = this.#segmentNumberAt(start); at < this.#segments.length; at += 1) {
      const from = this.segmentStart(at);
      if (from >= end) break;
      stretch += (this.#parts[at] as string).slice(Math.max(0, start - from), end - from);
    }
    return stretch;
  }

  copy(source: string, start: number, end: number): void {
    if (end <= start) return;
    this.#segments.push({ view: this.#length, source: start, spelled: 0 });
    this.#parts.push(source.slice(start, end));
    this.#length += end - start;
  }

  put(character: string, at: number, spelled: number): void {
    this.#segments.push({ view: this.#length, source: at, spelled });
    this.#parts.push(character);
    this.#length += 1;
  }

  toSource(start: number, end: number) {
    const first = this.#segmentAt(start);
    const last = this.#segmentAt(Math.max(start, end - 1));
    const from = first.source + (first.spelled > 0 ? 0 : start - first.view);
    const to = last.source + (last.spelled > 0 ? last.spelled : end - last.view);
    return this.#parent === null ? { start: from, end: to } : this.#parent.toSource(from, to);
  }

  #segmentAt(place: number) {
    return this.#segments[this.#segmentNumberAt(place)] ?? { view: 0, source: 0, spelled: 0 };
  }

  #segmentNumberAt(place: number): number {
    let [low, high] = [0, this.#segments.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#segments[middle]?.view ?? 0) <= place) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

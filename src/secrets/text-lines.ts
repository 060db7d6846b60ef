/** The lines of a text, as far as a search for broken words needs them. */

/** What tokens are made of, by its code. */
const IS_WORD = new Uint8Array(128);
for (const code of Buffer.from(
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+/=~.%:-",
)) {
  IS_WORD[code] = 1;
}

/** Whether the character there may be of a token. */
function isWord(text: string, at: number): boolean {
  return at >= 0 && at < text.length && isWordCode(text.charCodeAt(at));
}

export function isWordCode(code: number): boolean {
  return code < 128 && IS_WORD[code] === 1;
}

/** Whether a character with that low byte may be one of those: one that isn't Latin may have it too. */
export function mayBeWord(byte: number): boolean {
  return isWordCode(byte);
}

/** The end of a line whose line feed stands there. */
export function lineEnd(text: string, at: number): number {
  return at > 0 && text.charCodeAt(at - 1) === CARRIAGE_RETURN ? at - 1 : at;
}

const [CARRIAGE_RETURN, BACKSLASH, SMALL_R] = [13, 92, 114];
/** Lines that a list has room for at first. */
const FIRST_LINES = 512;

/** Of all such lists: only one text is read at a time, and a list for each session would be garbage. */
let shared = new Int32Array(2 * FIRST_LINES);

/** As above, of the text that was read last. */
let kept = new Int32Array(2 * FIRST_LINES);

/** The lines of a text that TextLines had. */
export interface KeptLines {
  readonly ends: Int32Array;
  readonly count: number;
  readonly wordLines: readonly number[];
}

/** The ends of a text's lines, entered one after the other; one object serves many texts. */
export class TextLines {
  /** The end of each line and the beginning of the next, one after the other. */
  ends = shared;
  /** How many of them there are. */
  count = 0;
  /** Where the lines stand there that end with a word and are followed by one that begins with one. */
  readonly wordLines: number[] = [];

  clear(): void {
    this.count = 0;
    if (this.wordLines.length > 0) this.wordLines.length = 0;
  }

  /** Enters the end of a line whose line feed stands there. */
  add(text: string, at: number): void {
    this.enter(text, lineEnd(text, at), at + 1, true);
  }

  /** The lines, to be entered for a view of the text. Good until the next call. */
  kept(): KeptLines {
    if (kept.length < this.count) kept = new Int32Array(this.ends.length);
    kept.set(this.ends.subarray(0, this.count));
    return { ends: kept, count: this.count, wordLines: this.wordLines.slice() };
  }

  /**
   * Enters those of a text's lines that end between two places of it, for a view that has that stretch.
   * @param text of the view
   * @param shift how far the stretch was moved forward
   */
  enterMoved(lines: KeptLines, text: string, from: number, to: number, shift: number): void {
    const { ends, count, wordLines } = lines;
    let line = firstLine(lines, from);
    // Those whose last character may stand before the stretch.
    for (; line < count && feedOf(ends, line) < Math.min(to, from + 3); line += 2)
      this.add(text, feedOf(ends, line) - shift);
    let word = 0;
    while (word < wordLines.length && (wordLines[word] as number) < line) word += 1;
    // What follows the last one may be another character than in the text.
    for (; line < count && feedOf(ends, line) < to - 1; line += 2) {
      const isWordLine = wordLines[word] === line;
      if (isWordLine) word += 1;
      this.#push((ends[line] as number) - shift, (ends[line + 1] as number) - shift, isWordLine);
    }
    if (line < count && feedOf(ends, line) < to) this.add(text, feedOf(ends, line) - shift);
  }

  /** In a text without lines, enters those that are spelled `\n`. */
  addSpelled(text: string): void {
    if (this.count > 0) return;
    for (let at = text.indexOf("\\n"); at !== -1; at = text.indexOf("\\n", at + 2))
      this.enter(text, spelledEnd(text, at), at + 2, true);
  }

  /**
   * Enters a line's end and the beginning of the next.
   * @param mayGoOn false: the next line is known not to begin with a word's character
   */
  enter(text: string, end: number, next: number, mayGoOn: boolean): void {
    this.#push(end, next, mayGoOn && isWord(text, next) && isWord(text, end - 1));
  }

  #push(end: number, next: number, isWordLine: boolean): void {
    if (this.count + 2 > this.ends.length) {
      const more = new Int32Array(2 * this.ends.length);
      more.set(this.ends);
      this.ends = more;
      shared = more;
    }
    this.ends[this.count] = end;
    this.ends[this.count + 1] = next;
    if (isWordLine) this.wordLines.push(this.count);
    this.count += 2;
  }
}

function feedOf(ends: Int32Array, line: number): number {
  return (ends[line + 1] as number) - 1;
}

/** Where the first line stands in the list whose line feed isn't before the place. */
function firstLine({ ends, count }: KeptLines, place: number): number {
  let [low, high] = [0, count >> 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (feedOf(ends, 2 * middle) < place) low = middle + 1;
    else high = middle;
  }
  return 2 * low;
}

function spelledEnd(text: string, at: number): number {
  let end = at;
  while (text.charCodeAt(end - 1) === BACKSLASH) end -= 1;
  if (text.charCodeAt(end - 1) === CARRIAGE_RETURN) return end - 1;
  const isReturn = text.charCodeAt(end - 1) === SMALL_R && text.charCodeAt(end - 2) === BACKSLASH;
  return isReturn ? end - 2 : end;
}

/** The lines of a text, as far as a search for broken words needs them. */

/** What tokens are made of, by its code. */
const IS_WORD = new Uint8Array(128);
for (const code of Buffer.from(
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+/=~.%:-",
)) {
  IS_WORD[code] = 1;
}

/** Whether the character there may be of a token. */
export function isWord(text: string, at: number): boolean {
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

const CARRIAGE_RETURN = 13;
/** Lines that a list has room for at first. */
const FIRST_LINES = 512;

/** Of all such lists: only one text is read at a time, and a list for each session would be garbage. */
let shared = new Int32Array(2 * FIRST_LINES);

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

  /** Where the line feeds of the lines stand that were entered with add, when no others were. */
  feeds(): number[] {
    const feeds: number[] = [];
    for (let line = 1; line < this.count; line += 2) feeds.push((this.ends[line] as number) - 1);
    return feeds;
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
    if (this.count + 2 > this.ends.length) {
      const more = new Int32Array(2 * this.ends.length);
      more.set(this.ends);
      this.ends = more;
      shared = more;
    }
    this.ends[this.count] = end;
    this.ends[this.count + 1] = next;
    if (mayGoOn && isWord(text, next) && isWord(text, end - 1)) this.wordLines.push(this.count);
    this.count += 2;
  }
}

function spelledEnd(text: string, at: number): number {
  let end = at;
  while (text.charAt(end - 1) === "\\") end -= 1;
  if (text.charCodeAt(end - 1) === CARRIAGE_RETURN) return end - 1;
  return text.endsWith("\\r", end) ? end - 2 : end;
}

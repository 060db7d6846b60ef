import { ALIKE_TEXTS_MAX, KNOWN_TEXTS_MAX } from "../core/limits.ts";
import { NumberList } from "./number-list.ts";

/** Of a text, at three places: what tells it from others of its length. */
const SAMPLE_CHARS = 24;

/**
 * Texts in order, each kept once: a session says the same thing in several places (a folder, a command
 * and its argument), and of a giant one even a list of where is large. Texts are compared when they have
 * the same length and look alike at a few places: to hash every character of each would cost as much as
 * the search for secrets itself.
 */
export class UniqueTexts {
  /** Those that are not there before, in order. A text may be replaced by another. */
  readonly unique: string[] = [];
  /** For each text that was added, the number of its text among the unique ones. */
  readonly #numbers = new NumberList();
  /** By what a text looks like; one number, not a list of one, since there may be a million texts. */
  readonly #alike = new Map<string, number | number[]>();
  readonly #whole = new Map<string, number>();

  add(text: string): void {
    this.#numbers.push(this.#numberOf(text));
  }

  /** Ends the comparing: what was only needed for that is let go. */
  close(): void {
    this.#alike.clear();
    this.#whole.clear();
  }

  /** The texts as they were added, or what took their place. */
  *inOrder(): Generator<string> {
    for (let at = 0; at < this.#numbers.length; at += 1)
      yield this.unique[this.#numbers.at(at) ?? 0] ?? "";
  }

  #numberOf(text: string): number {
    const key = text.length <= 3 * SAMPLE_CHARS ? text : sampleOf(text);
    const numbers = this.#alike.get(key);
    if (numbers === undefined) return this.#addFirst(key, text);
    if (typeof numbers === "number") {
      if (this.unique[numbers] === text) return numbers;
      const number = this.unique.push(text) - 1;
      this.#alike.set(key, [numbers, number]);
      return number;
    }
    return this.#among(numbers, text);
  }

  #addFirst(key: string, text: string): number {
    // What comes again comes soon; a million texts would be remembered for nothing.
    if (this.#alike.size >= KNOWN_TEXTS_MAX) this.#alike.clear();
    const number = this.unique.push(text) - 1;
    this.#alike.set(key, number);
    return number;
  }

  #among(numbers: number[], text: string): number {
    const same = numbers.find((each) => this.unique[each] === text) ?? this.#whole.get(text);
    if (same !== undefined) return same;
    const number = this.unique.push(text) - 1;
    if (numbers.length < ALIKE_TEXTS_MAX) numbers.push(number);
    else this.#whole.set(text, number);
    return number;
  }
}

function sampleOf(text: string): string {
  const middle = text.length >> 1;
  const [start, end] = [text.slice(0, SAMPLE_CHARS), text.slice(-SAMPLE_CHARS)];
  return `${text.length} ${start}${text.slice(middle, middle + SAMPLE_CHARS)}${end}`;
}

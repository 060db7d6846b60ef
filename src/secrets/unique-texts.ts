import { ALIKE_TEXTS_MAX, KNOWN_TEXTS_MAX } from "../core/limits.ts";

/** Of a text, at three places: what tells it from others of its length. */
const SAMPLE_CHARS = 24;

/**
 * The texts without those that stand there before, in order, and for each of all the number of its
 * text among them. Texts are compared when they have the same length and look alike at a few places:
 * to hash every character of each would cost as much as the search for secrets itself.
 */
export function uniqueTexts(texts: readonly string[]): { unique: string[]; numbers: number[] } {
  const known = new KnownTexts();
  return { numbers: texts.map((text) => known.numberOf(text)), unique: known.texts };
}

class KnownTexts {
  readonly texts: string[] = [];
  /** By what a text looks like; one number, not a list of one, since there may be a million texts. */
  readonly #alike = new Map<string, number | number[]>();
  readonly #whole = new Map<string, number>();

  numberOf(text: string): number {
    const key = text.length <= 3 * SAMPLE_CHARS ? text : sampleOf(text);
    const numbers = this.#alike.get(key);
    if (numbers === undefined) return this.#addFirst(key, text);
    if (typeof numbers === "number") {
      if (this.texts[numbers] === text) return numbers;
      const number = this.texts.push(text) - 1;
      this.#alike.set(key, [numbers, number]);
      return number;
    }
    return this.#among(numbers, text);
  }

  #addFirst(key: string, text: string): number {
    // What comes again comes soon; a million texts would be remembered for nothing.
    if (this.#alike.size >= KNOWN_TEXTS_MAX) this.#alike.clear();
    const number = this.texts.push(text) - 1;
    this.#alike.set(key, number);
    return number;
  }

  #among(numbers: number[], text: string): number {
    const same = numbers.find((each) => this.texts[each] === text) ?? this.#whole.get(text);
    if (same !== undefined) return same;
    const number = this.texts.push(text) - 1;
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

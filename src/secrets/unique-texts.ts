import { ALIKE_TEXTS_MAX, KNOWN_TEXTS_MAX } from "../core/limits.ts";

/** Of a text, at three places: what tells it from others of its length. */
const SAMPLE_CHARS = 24;

/**
 * The texts without those that stand there before, in order, and for each of all the number of its
 * text among them. Texts are compared when they have the same length and look alike at a few places:
 * to hash every character of each would cost as much as the search for secrets itself.
 */
export function uniqueTexts(texts: readonly string[]): { unique: string[]; numbers: number[] } {
  const unique: string[] = [];
  /** One number, not a list of one: there may be a million texts. */
  const alike = new Map<string, number | number[]>();
  const whole = new Map<string, number>();
  const numberOf = (text: string): number => {
    const key = text.length <= 3 * SAMPLE_CHARS ? text : sampleOf(text);
    const numbers = alike.get(key);
    const known = listOf(numbers).find((number) => unique[number] === text);
    const same = known ?? whole.get(text);
    if (same !== undefined) return same;
    // What comes again comes soon; a million texts would be remembered for nothing.
    if (alike.size >= KNOWN_TEXTS_MAX) alike.clear();
    const number = unique.push(text) - 1;
    if (numbers === undefined) alike.set(key, number);
    else if (typeof numbers === "number") alike.set(key, [numbers, number]);
    else if (numbers.length < ALIKE_TEXTS_MAX) numbers.push(number);
    else whole.set(text, number);
    return number;
  };
  return { unique, numbers: texts.map(numberOf) };
}

function listOf(numbers: number | number[] | undefined): readonly number[] {
  if (numbers === undefined) return [];
  return typeof numbers === "number" ? [numbers] : numbers;
}

function sampleOf(text: string): string {
  const middle = text.length >> 1;
  const [start, end] = [text.slice(0, SAMPLE_CHARS), text.slice(-SAMPLE_CHARS)];
  return `${text.length} ${start}${text.slice(middle, middle + SAMPLE_CHARS)}${end}`;
}

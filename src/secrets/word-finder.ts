/**
 * A function that gives the places where one of some words begins, in order, and now and then a
 * place too many: its caller looks closer. It leaps over most of a text (Wu and Manber, with pairs
 * of characters), which a regular expression of many words does not.
 * @param words of at least three characters; their first `length` ones are looked for
 * @param ignoreCase letters of both cases are one
 */
export function wordFinder(
  words: readonly string[],
  length: number,
  ignoreCase: boolean,
): (text: string) => number[] {
  const fold = ignoreCase ? 32 : 0;
  const slotOf = (text: string, at: number) =>
    (((text.charCodeAt(at) | fold) << 7) ^ (text.charCodeAt(at + 1) | fold)) & (SLOTS - 1);
  const leaps = new Uint8Array(SLOTS).fill(length - PAIR_CHARS + 1);
  const isHead = new Uint8Array(SLOTS);
  for (const word of words) {
    isHead[slotOf(word, 0)] = 1;
    for (let at = 0; at + PAIR_CHARS <= length; at += 1) {
      const slot = slotOf(word, at);
      leaps[slot] = Math.min(leaps[slot] ?? 0, length - PAIR_CHARS - at);
    }
  }
  return (text) => {
    const places: number[] = [];
    for (let at = 0; at + length <= text.length; ) {
      const leap = leaps[slotOf(text, at + length - PAIR_CHARS)] ?? 1;
      if (leap === 0 && isHead[slotOf(text, at)] === 1) places.push(at);
      at += leap || 1;
    }
    return places;
  };
}

const PAIR_CHARS = 2;
const SLOTS = 1 << 14;

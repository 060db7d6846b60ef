/** A quick look at a text: which three letters in a row may be in it. It errs on one side only. */
export type Grams = Uint32Array;

/** A power of two, in bits: a paragraph sets a few of them. */
const BITS = 2048;

export function gramsOf(text: string): Grams {
  const grams = new Uint32Array(BITS / 32);
  for (const slot of slotsOf(text)) grams[slot >> 5] = (grams[slot >> 5] ?? 0) | (1 << (slot & 31));
  return grams;
}

/** The numbers of a text's letters in threes; a shorter one has none. */
export function slotsOf(text: string): Uint16Array {
  const slots = new Uint16Array(Math.max(0, text.length - 2));
  let [before, last] = [text.charCodeAt(0), text.charCodeAt(1)];
  for (let at = 0; at < slots.length; at += 1) {
    const code = text.charCodeAt(at + 2);
    slots[at] = (before * 961 + last * 31 + code) & (BITS - 1);
    [before, last] = [last, code];
  }
  return slots;
}

/** False when a text with these grams can't hold one with these slots. */
export function mayHold(grams: Grams, slots: Uint16Array): boolean {
  for (const slot of slots) {
    if (((grams[slot >> 5] ?? 0) & (1 << (slot & 31))) === 0) return false;
  }
  return true;
}

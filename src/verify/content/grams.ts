/** A quick look at a text: which three letters in a row may be in it. It errs on one side only. */
export type Grams = Uint32Array;

/** A text that is looked for, with the numbers of its first and its last three letters. */
export interface Needle {
  readonly text: string;
  readonly first: number;
  readonly last: number;
}

/** A power of two, in bits: a paragraph sets a few of them. */
const BITS = 4096;
/** Of a text without three letters. */
const NONE = -1;

export function gramsOf(text: string): Grams {
  const grams = new Uint32Array(BITS / 32);
  for (let at = 0; at + 2 < text.length; at += 1) {
    const slot = slotAt(text, at);
    grams[slot >> 5] = (grams[slot >> 5] ?? 0) | (1 << (slot & 31));
  }
  return grams;
}

export function needleOf(text: string): Needle {
  const isShort = text.length < 3;
  return {
    text,
    first: isShort ? NONE : slotAt(text, 0),
    last: isShort ? NONE : slotAt(text, text.length - 3),
  };
}

/** False when a text with these grams can't hold the needle. */
export function mayHold(grams: Grams, { first, last }: Needle): boolean {
  return first === NONE || (isSet(grams, first) && isSet(grams, last));
}

function isSet(grams: Grams, slot: number): boolean {
  return ((grams[slot >> 5] ?? 0) & (1 << (slot & 31))) !== 0;
}

function slotAt(text: string, at: number): number {
  const [a, b, c] = [text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2)];
  return (a * 961 + b * 31 + c) & (BITS - 1);
}

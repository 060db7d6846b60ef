/**
 * Where a rule may have something to look at: the words that secrets begin with or stand behind. All of
 * them are looked for in one pass, since a pass for each of two hundred would cost many times what
 * reading the text costs.
 */

/** Words in small letters, by the name of the list that their places go to. */
export type AnchorWords = Readonly<Record<string, readonly string[]>>;

/** The first character of every occurrence, by list, in order. Case doesn't matter: the rule looks again. */
export type Anchors<Lists extends AnchorWords> = { readonly [List in keyof Lists]: number[] };

interface Candidate {
  readonly list: number;
  readonly word: Buffer;
}

const HEAD_CHARS = 3;
/** Bits of each of the first three characters that tell a place apart. */
const SHIFT = 5;
const MASK = (1 << (HEAD_CHARS * SHIFT)) - 1;
/** Bytes with the large letters as small ones. */
const FOLDED = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 65 && byte <= 90 ? byte + 32 : byte,
);
/** A pair of characters that a word begins with, and the pair behind the word's first character. */
const FIRST_PAIR = 1;
const SECOND_PAIR = 2;

/** A function that finds every occurrence of the words in a text; each has three characters or more. */
export function anchorSearch<Lists extends AnchorWords>(
  lists: Lists,
): (text: string) => Anchors<Lists> {
  const names = Object.keys(lists);
  const words = names.flatMap((name, list) => (lists[name] ?? []).map((word) => ({ list, word })));
  const search = new Search(words);
  return (text) => {
    const places: number[][] = names.map(() => []);
    search.run(text, places);
    return Object.fromEntries(names.map((name, at) => [name, places[at]])) as Anchors<Lists>;
  };
}

/** Looks at every second pair of characters: wherever a word begins, one of its first two pairs is there. */
class Search {
  readonly #pairs = new Uint8Array(1 << 16);
  readonly #isHead = new Uint8Array(MASK + 1);
  readonly #candidates = new Map<number, Candidate[]>();
  /** What the text is copied into, made anew for a longer one; memory that was never touched is slow. */
  #bytes = Buffer.alloc(0);
  #words = new Uint16Array(0);

  constructor(words: readonly { list: number; word: string }[]) {
    for (const { list, word } of words) {
      const bytes = Buffer.from(word, "latin1");
      this.#addPair(bytes[0] ?? 0, bytes[1] ?? 0, FIRST_PAIR);
      this.#addPair(bytes[1] ?? 0, bytes[2] ?? 0, SECOND_PAIR);
      const slot = slotOf(bytes, 0);
      this.#isHead[slot] = 1;
      this.#candidates.set(slot, [...(this.#candidates.get(slot) ?? []), { list, word: bytes }]);
    }
  }

  #addPair(first: number, second: number, which: number): void {
    const spelled = (byte: number) => [
      byte,
      ...Buffer.from(String.fromCharCode(byte).toUpperCase()),
    ];
    for (const one of spelled(first)) {
      for (const other of spelled(second)) {
        const pair = LITTLE_ENDIAN ? (other << 8) | one : (one << 8) | other;
        this.#pairs[pair] = (this.#pairs[pair] ?? 0) | which;
      }
    }
  }

  run(text: string, places: number[][]): void {
    const [pairs, words] = [this.#pairs, this.#copy(text)];
    const end = (text.length + 1) >> 1;
    for (let at = 0; at < end; at += 1) {
      const which = pairs[words[at] as number] as number;
      if (which === 0) continue;
      // In this order the places of a list come in theirs.
      if ((which & SECOND_PAIR) !== 0) this.#look(2 * at - 1, text.length, places);
      if ((which & FIRST_PAIR) !== 0) this.#look(2 * at, text.length, places);
    }
  }

  /** Bytes are read many times faster than characters. A character that isn't Latin may pass for another. */
  #copy(text: string): Uint16Array {
    if (this.#bytes.length < text.length + 1) {
      this.#bytes = Buffer.from(new ArrayBuffer(2 * (text.length + 1)));
      this.#words = new Uint16Array(this.#bytes.buffer);
    }
    this.#bytes.write(text, 0, "latin1");
    this.#bytes[text.length] = 0;
    return this.#words;
  }

  #look(start: number, length: number, places: number[][]): void {
    if (start < 0 || start + HEAD_CHARS > length) return;
    const slot = slotOf(this.#bytes, start);
    if (this.#isHead[slot] === 0) return;
    for (const { list, word } of this.#candidates.get(slot) ?? []) {
      if (start + word.length <= length && isAt(this.#bytes, start, word))
        places[list]?.push(start);
    }
  }
}

const LITTLE_ENDIAN = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

function slotOf(bytes: Uint8Array, at: number): number {
  const first = (FOLDED[bytes[at] as number] as number) << (2 * SHIFT);
  const second = (FOLDED[bytes[at + 1] as number] as number) << SHIFT;
  return (first ^ second ^ (FOLDED[bytes[at + 2] as number] as number)) & MASK;
}

function isAt(bytes: Buffer, start: number, word: Buffer): boolean {
  for (let at = 0; at < word.length; at += 1) {
    if (FOLDED[bytes[start + at] as number] !== word[at]) return false;
  }
  return true;
}

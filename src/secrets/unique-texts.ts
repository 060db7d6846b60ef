import { ALIKE_TEXTS_MAX, KNOWN_TEXTS_PLACES, SPARE_TEXTS_PLACES_MAX } from "../core/limits.ts";
import { NumberList } from "./number-list.ts";

/** Of a text, at three places: what tells it from others of its length. */
const SAMPLE_CHARS = 8;
/** Places for the first texts: most calls bring one or a few. A power of two, as all that follow it. */
const FIRST_PLACES = 64;

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
  /** By a hash, the number of a text and 1; 0: none. Numbers, not a map with keys: there may be a million texts. */
  #places: Int32Array;

  /** @param expected how many texts will be added, as far as that is known: room for them is made at once */
  constructor(expected = 0) {
    let places = FIRST_PLACES;
    while (places < 2 * expected && places < KNOWN_TEXTS_PLACES) places *= 4;
    this.#places = emptyPlaces(places);
  }

  add(text: string): void {
    this.#numbers.push(this.#numberOf(text));
  }

  /** Ends the comparing: what was only needed for that is let go. */
  close(): void {
    if (this.#places.length <= SPARE_TEXTS_PLACES_MAX) spare = this.#places;
    this.#places = NO_PLACES;
  }

  /** The texts as they were added, or what took their place. */
  *inOrder(): Generator<string> {
    for (let at = 0; at < this.#numbers.length; at += 1)
      yield this.unique[this.#numbers.at(at) ?? 0] ?? "";
  }

  /** The same at once. */
  list(): string[] {
    const { length } = this.#numbers;
    const texts: string[] = new Array(length);
    for (let at = 0; at < length; at += 1) texts[at] = this.unique[this.#numbers.at(at) ?? 0] ?? "";
    return texts;
  }

  #numberOf(text: string): number {
    if (this.unique.length * 2 > this.#places.length && this.#places.length < KNOWN_TEXTS_PLACES)
      this.#grow();
    const hash = sampleHash(text);
    const place = this.#placeOf(text, hash) ?? this.#placeOf(text, wholeHash(text));
    const number = place === null ? 0 : (this.#places[place] ?? 0);
    if (number !== 0) return number - 1;
    const added = this.unique.push(text);
    // Where all places are taken the newer text is kept: what comes again comes soon.
    this.#places[place ?? hash & (this.#places.length - 1)] = added;
    return added - 1;
  }

  /** The text's place, or an empty one for it; null when other texts take all that it might have. */
  #placeOf(text: string, hash: number): number | null {
    const last = this.#places.length - 1;
    for (let tries = 0; tries < ALIKE_TEXTS_MAX; tries += 1) {
      const place = (hash + tries) & last;
      const number = this.#places[place] ?? 0;
      if (number === 0 || this.unique[number - 1] === text) return place;
    }
    return null;
  }

  #grow(): void {
    this.#places = new Int32Array(this.#places.length * 4);
    for (const [at, text] of this.unique.entries()) {
      const place = this.#placeOf(text, sampleHash(text)) ?? this.#placeOf(text, wholeHash(text));
      if (place !== null) this.#places[place] = at + 1;
    }
  }
}

const NO_PLACES = new Int32Array(0);
/** Of the last session: to get memory for each of many small ones takes longer than to clear it. */
let spare: Int32Array = NO_PLACES;

function emptyPlaces(count: number): Int32Array {
  if (spare.length < count) return new Int32Array(count);
  const places = spare.length === count ? spare : spare.subarray(0, count);
  spare = NO_PLACES;
  return places.fill(0);
}

/** Of what a text looks like at three places. */
function sampleHash(text: string): number {
  const { length } = text;
  if (length <= 3 * SAMPLE_CHARS) return spread(hashed(length, text, 0, length));
  const middle = length >> 1;
  const start = hashed(length, text, 0, SAMPLE_CHARS);
  const further = hashed(start, text, middle, middle + SAMPLE_CHARS);
  return spread(hashed(further, text, length - SAMPLE_CHARS, length));
}

function wholeHash(text: string): number {
  return spread(hashed(1, text, 0, text.length));
}

/** FNV-1a, over code units. */
function hashed(seed: number, text: string, start: number, end: number): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}

/** So that its low bits depend on all. */
function spread(hash: number): number {
  return (hash ^ (hash >>> 15)) >>> 0;
}

import { PACKED_ID_MAX_CHARS } from "../core/limits.ts";

const FIRST_PLACES = 64;
const FIRST_BYTES = 1024;

/**
 * Numbers ids in the order in which they are seen first, from 0 on. Of a giant transcript a million records
 * have one: packed as bytes they take half of what a map of strings does, and no collection of garbage walks over them.
 */
export class IdNumbers {
  /** By a hash, an id's number and 1; 0: none. Half of them are free at least. */
  #places = new Int32Array(FIRST_PLACES);
  /** The ids, one behind the other. */
  #bytes = new Uint8Array(FIRST_BYTES);
  /** By a number, where its id ends there. */
  #ends = new Uint32Array(FIRST_PLACES / 2);
  /** Those that are no short ASCII words, as ids are. */
  readonly #others = new Map<string, number>();
  #size = 0;

  /** The id's number, or null when it wasn't seen. */
  get(id: string): number | null {
    const hash = asciiHash(id);
    if (hash === null) return this.#others.get(id) ?? null;
    const number = this.#places[this.#placeOf(id, hash)] ?? 0;
    return number === 0 ? null : number - 1;
  }

  /** @returns false for one that was seen before */
  add(id: string): boolean {
    const hash = asciiHash(id);
    if (hash === null && this.#others.has(id)) return false;
    const place = hash === null ? -1 : this.#placeOf(id, hash);
    if (place !== -1 && this.#places[place] !== 0) return false;
    if (this.#size === this.#ends.length) this.#ends = grown(this.#ends, this.#size + 1);
    const start = this.#startOf(this.#size);
    if (place === -1) this.#others.set(id, this.#size);
    else {
      this.#pack(id, start);
      this.#places[place] = this.#size + 1;
    }
    this.#ends[this.#size] = place === -1 ? start : start + id.length;
    this.#size += 1;
    if (2 * this.#size > this.#places.length) this.#spread();
    return true;
  }

  clear(): void {
    this.#places = new Int32Array(FIRST_PLACES);
    this.#bytes = new Uint8Array(FIRST_BYTES);
    this.#ends = new Uint32Array(FIRST_PLACES / 2);
    this.#others.clear();
    this.#size = 0;
  }

  #startOf(number: number): number {
    return number === 0 ? 0 : (this.#ends[number - 1] as number);
  }

  #pack(id: string, start: number): void {
    this.#bytes = grown(this.#bytes, start + id.length);
    for (let at = 0; at < id.length; at += 1) this.#bytes[start + at] = id.charCodeAt(at);
  }

  /** Where the id stands, or the free place for it. */
  #placeOf(id: string, hash: number): number {
    const last = this.#places.length - 1;
    let place = hash & last;
    for (;;) {
      const number = this.#places[place] as number;
      if (number === 0 || this.#is(id, number - 1)) return place;
      place = (place + 1) & last;
    }
  }

  #is(id: string, number: number): boolean {
    const start = this.#startOf(number);
    if ((this.#ends[number] as number) - start !== id.length) return false;
    for (let at = 0; at < id.length; at += 1)
      if (this.#bytes[start + at] !== id.charCodeAt(at)) return false;
    return true;
  }

  #spread(): void {
    const places = new Int32Array(this.#places.length * 2);
    const last = places.length - 1;
    for (let number = 0; number < this.#size; number += 1) {
      const [start, end] = [this.#startOf(number), this.#ends[number] as number];
      if (start === end) continue;
      let place = bytesHash(this.#bytes, start, end) & last;
      while (places[place] !== 0) place = (place + 1) & last;
      places[place] = number + 1;
    }
    this.#places = places;
  }
}

const [SEED, PRIME] = [0x811c9dc5, 0x01000193];

/** FNV-1a; null for what isn't packed. */
function asciiHash(id: string): number | null {
  if (id.length > PACKED_ID_MAX_CHARS || id === "") return null;
  let [hash, all] = [SEED, 0];
  for (let at = 0; at < id.length; at += 1) {
    const code = id.charCodeAt(at);
    all |= code;
    hash = Math.imul(hash ^ code, PRIME);
  }
  return all < 128 ? (hash ^ (hash >>> 15)) >>> 0 : null;
}

function bytesHash(bytes: Uint8Array, start: number, end: number): number {
  let hash = SEED;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (bytes[at] as number), PRIME);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** The same numbers with room for so many, half as many again when they have to move. */
function grown<Numbers extends Uint8Array | Uint32Array>(
  numbers: Numbers,
  length: number,
): Numbers {
  if (length <= numbers.length) return numbers;
  const Made = numbers.constructor as new (length: number) => Numbers;
  const more = new Made(length + (length >> 1));
  more.set(numbers);
  return more;
}

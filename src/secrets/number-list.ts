/** Numbers a list of this many has room for at first. */
const FIRST_ROOM = 1024;

/** Whole numbers from 0 to 2^32 - 1 in order, at half of what an array takes: there may be millions. */
export class NumberList {
  #items = new Uint32Array(FIRST_ROOM);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(number: number): void {
    if (this.#length === this.#items.length) {
      const more = new Uint32Array(this.#length + (this.#length >> 1));
      more.set(this.#items);
      this.#items = more;
    }
    this.#items[this.#length] = number;
    this.#length += 1;
  }

  at(place: number): number | undefined {
    return place < this.#length ? this.#items[place] : undefined;
  }
}

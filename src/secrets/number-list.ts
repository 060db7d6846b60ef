/** From this many numbers on they take half the room; a list for each of many short sessions would be garbage. */
const FIRST_ROOM = 1024;

/** Whole numbers from 0 to 2^32 - 1 in order, at half of what an array takes: there may be millions. */
export class NumberList {
  /** The first ones. */
  readonly #few: number[] = [];
  /** The further ones; null: there are none. */
  #items: Uint32Array | null = null;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(number: number): void {
    if (this.#length < FIRST_ROOM) this.#few.push(number);
    else this.#pushFurther(number, this.#length - FIRST_ROOM);
    this.#length += 1;
  }

  #pushFurther(number: number, place: number): void {
    const items = this.#items ?? new Uint32Array(FIRST_ROOM);
    this.#items = items;
    if (place < items.length) {
      items[place] = number;
      return;
    }
    const more = new Uint32Array(place + (place >> 1));
    more.set(items);
    more[place] = number;
    this.#items = more;
  }

  /** Whether it holds the number, where each is larger than the one before it. */
  hasInOrder(number: number): boolean {
    let [low, high] = [0, this.#length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.at(middle) ?? 0) < number) low = middle + 1;
      else high = middle;
    }
    return low < this.#length && this.at(low) === number;
  }

  at(place: number): number | undefined {
    if (place >= this.#length) return undefined;
    return place < FIRST_ROOM ? this.#few[place] : this.#items?.[place - FIRST_ROOM];
  }
}

import { IdNumbers } from "../id-numbers.ts";
import type { TurnDraft } from "../session-drafts.ts";

/**
 * Which records of a file belong to the live conversation, where each names the one before it.
 *
 * The live chain ends at the last record. When a record's parent isn't in the file (its head was
 * lost, records in the middle are missing), the chain goes on at the record before it: a gap in
 * the file is no sign that the user went back.
 *
 * Records are kept as numbers: a file may hold a million of them.
 */
export class ParentChain {
  readonly #indexes = new IdNumbers();
  /** By index: the index of the record before it, its id while it hasn't been seen, or null. */
  readonly #parents: (number | string | null)[] = [];
  /** By index: the turn that the record is part of. */
  readonly #turns: (TurnDraft | null)[] = [];

  /**
   * Notes a record; one that is repeated keeps its place. A record without an id can't be placed.
   * @returns false for one that is repeated
   */
  add(id: string | null, parent: string | null): boolean {
    if (id === null) return true;
    if (!this.#indexes.add(id)) return false;
    this.#turns.push(null);
    this.#parents.push(parent === null ? null : (this.#indexes.get(parent) ?? parent));
    return true;
  }

  /** Says which turn a record is part of; the turn lives when the record does. */
  belongs(id: string | null, turn: TurnDraft): void {
    const index = id === null ? null : this.#indexes.get(id);
    if (index !== null) this.#turns[index] ??= turn;
  }

  /** Marks every turn that is off the live chain. Called once, at the end. */
  markRewound(): void {
    const isLive = new Uint8Array(this.#parents.length);
    let index = this.#parents.length - 1;
    // A circle of parents can only come from a damaged file; it ends the walk.
    while (index >= 0 && isLive[index] === 0) {
      isLive[index] = 1;
      index = this.#before(index);
    }
    for (const [at, turn] of this.#turns.entries())
      if (turn !== null) turn.rewound = isLive[at] === 0;
    this.#indexes.clear();
    this.#turns.length = 0;
  }

  /** A record that names no parent starts the conversation, or starts it anew. */
  #before(index: number): number {
    const parent = this.#parents[index] ?? null;
    if (parent === null) return -1;
    return typeof parent === "number" ? parent : (this.#indexes.get(parent) ?? index - 1);
  }
}

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
  readonly #indexes = new Map<string, number>();
  readonly #parents: (string | null)[] = [];
  readonly #turns = new Map<TurnDraft, number>();

  /** Notes a record; one that is repeated keeps its place. A record without an id can't be placed. */
  add(id: string | null, parent: string | null): void {
    if (id === null || this.#indexes.has(id)) return;
    this.#indexes.set(id, this.#parents.length);
    this.#parents.push(parent);
  }

  /** Says which turn a record is part of; the turn lives when its first record does. */
  belongs(id: string | null, turn: TurnDraft): void {
    const index = id === null ? undefined : this.#indexes.get(id);
    if (index !== undefined && !this.#turns.has(turn)) this.#turns.set(turn, index);
  }

  /** Marks every turn that is off the live chain. */
  markRewound(): void {
    const isLive = new Uint8Array(this.#parents.length);
    let index = this.#parents.length - 1;
    // A circle of parents can only come from a damaged file; it ends the walk.
    while (index >= 0 && isLive[index] === 0) {
      isLive[index] = 1;
      index = this.#before(index);
    }
    for (const [turn, at] of this.#turns) turn.rewound = isLive[at] === 0;
  }

  /** A record that names no parent starts the conversation, or starts it anew. */
  #before(index: number): number {
    const parent = this.#parents[index] ?? null;
    return parent === null ? -1 : (this.#indexes.get(parent) ?? index - 1);
  }
}

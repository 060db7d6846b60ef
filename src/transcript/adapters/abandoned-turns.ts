import { IdNumbers } from "../id-numbers.ts";
import type { TurnDraft } from "../session-drafts.ts";

/**
 * Tells which turns the user went back over, in a format whose records name the one before them
 * but for good reasons don't always form one chain (parallel calls, compaction, resumed sessions).
 * Only a message of the user counts: when it follows a record that the conversation had left
 * behind, what came since was taken back.
 */
export class AbandonedTurns {
  readonly #indexes = new IdNumbers();
  readonly #turns: TurnDraft[] = [];
  /** Of each of the turns: the number of its first record. */
  readonly #records: number[] = [];

  /** Notes a record of the main thread, and the turn that it is part of. */
  add(id: string | null, turn: TurnDraft | null): void {
    if (id !== null) this.#indexes.add(id);
    if (turn === null || this.#turns.at(-1) === turn) return;
    this.#turns.push(turn);
    this.#records.push((id === null ? null : this.#indexes.get(id)) ?? -1);
  }

  /** Says that the user speaks after this record. */
  speaksAfter(parent: string | null): void {
    const index = parent === null ? null : this.#indexes.get(parent);
    if (index === null) return;
    while ((this.#records.at(-1) ?? -1) > index) {
      this.#records.pop();
      const left = this.#turns.pop();
      if (left !== undefined) left.rewound = true;
    }
  }
}

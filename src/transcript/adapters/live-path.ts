import type { TurnDraft } from "../session-drafts.ts";

/**
 * Where the user went back, in a file whose records name the one before them, and in which calls
 * that run side by side are branches too. So only the user's own message tells: what stands
 * between the record that it answers and itself is no part of the conversation any more.
 */
export class LivePath {
  /** The place of each record, by its id. */
  readonly #places = new Map<string, number>();
  /** The turns that are part of the conversation so far, with the place of each. */
  readonly #live: { readonly turn: TurnDraft; readonly place: number }[] = [];

  /** Notes the next record; one that is repeated keeps its place. */
  passes(id: string | null): void {
    if (id !== null && !this.#places.has(id)) this.#places.set(id, this.#places.size);
  }

  /** Says which turn a record is part of. */
  holds(id: string | null, turn: TurnDraft): void {
    const place = id === null ? undefined : this.#places.get(id);
    if (place === undefined || place <= (this.#live.at(-1)?.place ?? -1)) return;
    this.#live.push({ turn, place });
  }

  /** The user's message goes on from the record with this id; one that isn't there tells nothing. */
  goesBackTo(id: string | null): void {
    const place = id === null ? undefined : this.#places.get(id);
    if (place === undefined) return;
    for (let last = this.#live.at(-1); last !== undefined && last.place > place; ) {
      last.turn.rewound = true;
      this.#live.pop();
      last = this.#live.at(-1);
    }
  }
}

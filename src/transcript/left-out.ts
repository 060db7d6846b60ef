import { count } from "../core/text.ts";

/** Records of a stored session that couldn't be taken, for the notes. */
export class LeftOut {
  #damaged = 0;
  #large = 0;

  /** One that is missing went away with its session's other records, or was never there. */
  count(kind: "damaged" | "large" | "missing"): void {
    if (kind === "damaged") this.#damaged += 1;
    if (kind === "large") this.#large += 1;
  }

  notes(): string[] {
    const notes: string[] = [];
    const records = (n: number) => count(n, "record is", "records are");
    if (this.#damaged > 0) notes.push(`${records(this.#damaged)} damaged and skipped`);
    if (this.#large > 0) notes.push(`${records(this.#large)} too long and skipped`);
    return notes;
  }
}

/** Results that stand before their calls. */
import { EARLY_RESULTS_KEPT } from "../core/limits.ts";
import type { CallDraft, ResultFacts } from "./session-drafts.ts";

type Result = (call: CallDraft) => ResultFacts;

/** The last results whose calls weren't there yet, by id. */
export class EarlyResults {
  readonly #results = new Map<string, Result>();

  /** The first of an id counts. */
  add(id: string, result: Result): void {
    if (!this.#results.has(id)) this.#results.set(id, result);
    const [oldest] = this.#results.keys();
    if (this.#results.size > EARLY_RESULTS_KEPT && oldest !== undefined)
      this.#results.delete(oldest);
  }

  /** The result that waits for this id, or null; it waits no longer. */
  take(id: string): Result | null {
    const result = this.#results.get(id) ?? null;
    this.#results.delete(id);
    return result;
  }

  clear(): void {
    this.#results.clear();
  }
}

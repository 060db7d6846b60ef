import { SHARED_TEXTS_MAX } from "../core/limits.ts";

/**
 * Texts that come again and again, each kept once: every record of a file spells out the folder and the
 * tool, and a parser makes a new string of each.
 */
export class SharedTexts {
  readonly #known = new Map<string, string>();

  /** The text, as it was given first. */
  of(text: string): string {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    if (this.#known.size < SHARED_TEXTS_MAX) this.#known.set(text, text);
    return text;
  }
}

/**
 * What the model has seen of each file: the lines that stood in an answer. Lines and not places, so
 * that an edit above doesn't make what was seen unseen.
 */
export class ShownLines {
  readonly #shown = new Map<string, Set<string>>();

  /** @param text what an answer held, of this file or of others too */
  add(path: string, text: string): void {
    const lines = this.#shown.get(path) ?? new Set();
    for (const line of text.split("\n")) {
      lines.add(line);
      // As `cat -n` writes it.
      lines.add(line.replace(/^ *\d+\t/, ""));
    }
    this.#shown.set(path, lines);
  }

  hasAny(path: string): boolean {
    return this.#shown.has(path);
  }

  /** Numbers, from 0, of the lines that were not seen; blank ones count as seen. */
  missingIn(path: string, text: string): number[] {
    const shown = this.#shown.get(path);
    return text
      .split("\n")
      .flatMap((line, index) => (line.trim() === "" || shown?.has(line) ? [] : [index]));
  }
}

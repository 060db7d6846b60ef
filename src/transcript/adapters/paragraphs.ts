import { TURN_TEXT_MAX_CHARS } from "../../core/limits.ts";

/** Gathers the lines of one message; far beyond what is kept of a message, they are dropped. */
export class Paragraphs {
  #lines: string[] = [];
  #chars = 0;

  get isEmpty(): boolean {
    return this.#lines.length === 0;
  }

  add(line: string): void {
    if (this.#chars > 4 * TURN_TEXT_MAX_CHARS) return;
    this.#lines.push(line);
    this.#chars += line.length + 1;
  }

  /** The text so far, without blanks around it; begins anew. */
  take(): string {
    const text = this.#lines.join("\n").trim();
    this.#lines = [];
    this.#chars = 0;
    return text;
  }
}

import { SESSION_TEXT_MAX_CHARS, SESSION_TEXT_PART } from "../core/limits.ts";

/**
 * The room that a session's texts have in memory together. Each is kept up to its own bound while the
 * session is of a usual size; in a giant one they are kept shorter and shorter, so that memory
 * stays flat as the transcript grows.
 */
export class TextRoom {
  #left = SESSION_TEXT_MAX_CHARS;

  /**
   * UTF-16 units that the next text may take.
   * @param most its own bound
   * @param least what it gets however little is left
   */
  next(most: number, least: number): number {
    return Math.min(most, Math.max(least, Math.floor(this.#left * SESSION_TEXT_PART)));
  }

  /** Notes what was kept. */
  took(chars: number): void {
    this.#left = Math.max(0, this.#left - chars);
  }
}

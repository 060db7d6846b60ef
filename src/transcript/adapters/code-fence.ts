/** Follows the code fences of a Markdown text, line by line: what stands inside of one is quoted. */
export class CodeFence {
  /** The run of backticks or tildes that opened the fence; an equal or longer one closes it. */
  #open: string | null = null;

  get isOpen(): boolean {
    return this.#open !== null;
  }

  /**
   * @returns what the line is: `open` with the fence's language, `close`, or neither
   */
  take(line: string): { readonly kind: "open" | "close" | "text"; readonly language: string } {
    const match = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    const [, run = "", info = ""] = match ?? [];
    if (match !== null && this.#open === null && !info.includes("`")) {
      this.#open = run;
      return { kind: "open", language: info.trim() };
    }
    const closes = this.#open !== null && run.startsWith(this.#open) && info.trim() === "";
    if (closes) this.#open = null;
    return { kind: closes ? "close" : "text", language: "" };
  }

  reset(): void {
    this.#open = null;
  }
}

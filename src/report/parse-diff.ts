/** A unified diff in git's form, taken apart. What a line is, the counts of its hunk decide, not how it begins. */

export interface DiffLine {
  readonly kind: "add" | "remove" | "same" | "hunk";
  /** In the new file; of a removed line, in the old one. */
  readonly number: number | null;
  readonly text: string;
}

export interface DiffFile {
  /** From the repository's root. */
  readonly path: string;
  readonly lines: readonly DiffLine[];
}

export function parseDiff(diff: string): DiffFile[] {
  const parser = new DiffParser();
  for (const line of diff.split("\n")) parser.take(line);
  return parser.files;
}

class DiffParser {
  readonly files: { path: string; lines: DiffLine[] }[] = [];
  #old = { line: 0, left: 0 };
  #new = { line: 0, left: 0 };
  #before = "";

  take(line: string): void {
    if (this.#old.left > 0 || this.#new.left > 0) this.#takeContent(line);
    else this.#takeHeader(line);
  }

  #takeContent(line: string): void {
    // `\ No newline at end of file` belongs to neither side.
    if (line.startsWith("\\")) return;
    const kind = line.startsWith("+") ? "add" : line.startsWith("-") ? "remove" : "same";
    const { line: number } = kind === "remove" ? this.#old : this.#new;
    this.files.at(-1)?.lines.push({ kind, number, text: line.slice(1) });
    if (kind !== "add") this.#old = next(this.#old);
    if (kind !== "remove") this.#new = next(this.#new);
  }

  #takeHeader(line: string): void {
    const path = line.slice(4).replace(/\t$/, "");
    if (line.startsWith("--- ")) this.#before = path;
    if (line.startsWith("+++ "))
      this.files.push({ path: plain(path === "/dev/null" ? this.#before : path), lines: [] });
    const [header, oldLine, oldLeft, newLine, newLeft] =
      /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    if (header === undefined) return;
    this.#old = { line: Number(oldLine), left: Number(oldLeft ?? 1) };
    this.#new = { line: Number(newLine), left: Number(newLeft ?? 1) };
    this.files.at(-1)?.lines.push({ kind: "hunk", number: null, text: header });
  }
}

function next({ line, left }: { line: number; left: number }) {
  return { line: line + 1, left: left - 1 };
}

function plain(path: string): string {
  return path.replace(/^"?[ab]\//, "").replace(/"$/, "");
}

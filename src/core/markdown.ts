/**
 * Foreign text inside Markdown that we write: it stays text, whatever it says.
 *
 * GitHub looks for mentions, issues, commits and addresses in the text that a reader sees, after
 * entities and backslashes are resolved, and spares code. So what could be such a reference is put
 * into a code span; escaping alone would not stop it.
 */
import { safeBlock, safeLine } from "./text.ts";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  "`": "&#96;",
};

/**
 * Mentions (`@`), issues and pull requests (`#1`, `GH-1`), addresses, math (`$`), and what may be
 * the id of a commit. Rather too much than too little: in code it reads as well.
 */
const REFERENCE = /[@#$]|:\/\/|www|mailto:|xmpp:|gh-\d|(?<![0-9a-z])[0-9a-f]{7,64}(?![0-9a-z])/i;
/** What would begin a list, a heading, a table's rule or a line across at the start of a line. */
const BLOCK_START = /^(?:[-+=:]|\d+(?=[.)](?:\s|$)))/;
const CODE_SPAN = /(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)/g;

/** One line of plain text: no markup, no HTML, no mention, no reference. Code spans of the text stay. */
export function markdownText(text: string): string {
  return assembled(piecesOf(text));
}

/** The same for a line of Markdown: its bold words stay bold too. */
export function markdownLine(text: string): string {
  const pieces = piecesOf(text);
  const bold = /\\\*\\\*/g;
  const marks = pieces.flatMap(({ out, isCode }) => (isCode ? [] : [...out.matchAll(bold)]));
  if (marks.length % 2 === 1) return assembled(pieces);
  return assembled(
    pieces.map((piece) =>
      piece.isCode ? piece : { ...piece, out: piece.out.replace(bold, "**") },
    ),
  );
}

interface Piece {
  readonly isCode: boolean;
  /** Escaped. */
  readonly out: string;
}

function piecesOf(text: string): Piece[] {
  const line = safeLine(text).trim();
  const pieces: Piece[] = [];
  let end = 0;
  for (const span of line.matchAll(CODE_SPAN)) {
    pieces.push({ isCode: false, out: proseOf(line.slice(end, span.index)) });
    pieces.push({ isCode: true, out: markdownCode(span[2] ?? "") });
    end = span.index + span[0].length;
  }
  return [...pieces, { isCode: false, out: proseOf(line.slice(end)) }];
}

function assembled(pieces: readonly Piece[]): string {
  const out = pieces.reduce((left, piece) => joined(left, piece.out), "");
  return out.replace(BLOCK_START, (mark) => (/\d/.test(mark) ? `${mark}\\` : `\\${mark}`));
}

/** Two spans that touch would be read as one. */
function joined(left: string, right: string): string {
  return left.endsWith("`") && right.startsWith("`") ? `${left} ${right}` : left + right;
}

function proseOf(text: string): string {
  return text.replace(/\S+/g, (word) => (REFERENCE.test(word) ? asCode(word) : escaped(word)));
}

/** The brackets and stops around a word stay outside, so that it reads as before. */
function asCode(word: string): string {
  const [, open = "", core = "", close = ""] =
    /^([([{"'“‘]*)(.*?)([)\]}"'”’.,;:!?]*)$/.exec(word) ?? [];
  return escaped(open) + markdownCode(core) + escaped(close);
}

function escaped(text: string): string {
  return text.replace(/[&<>\\`*_[\]|~]/g, (character) => ENTITIES[character] ?? `\\${character}`);
}

/** A code span, for everywhere but tables. */
export function markdownCode(text: string): string {
  const line = safeLine(text);
  const fence = "`".repeat(longestRun(line) + 1);
  const pad = /^`|`$|^ .* $/.test(line) || line.trim() === "" ? " " : "";
  return `${fence}${pad}${line}${pad}${fence}`;
}

/**
 * A code span in a cell of a table, where `|` must be escaped even in code. Readers disagree about
 * a backslash before it, so the span ends there and goes on behind.
 */
export function markdownCellCode(text: string): string {
  return safeLine(text)
    .split(/(?<=\\)\|/)
    .map((part) => markdownCode(part).replaceAll("|", "\\|"))
    .join("\\|");
}

/** A fenced block whose fence is longer than any in the text. */
export function markdownFence(text: string, language = ""): string {
  const block = safeBlock(text);
  const fence = "`".repeat(Math.max(3, longestRun(block) + 1));
  return `${fence}${language}\n${block}${block.endsWith("\n") ? "" : "\n"}${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
}

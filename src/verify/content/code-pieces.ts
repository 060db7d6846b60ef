/** The single commands in a skill's code. */
import type { Passage } from "./content-document.ts";

export interface CodePiece {
  /** One command in lower case, single spaces, without prompt, assignments and `sudo`. */
  readonly text: string;
  /** Where it stands in the file. */
  readonly start: number;
  /** In a fence that says so; other code may be anything. */
  readonly isShell: boolean;
}

const SHELL = /^(?:sh|shell|bash|zsh|console|shell-session|terminal)$/;
const PREFIX = /^(?:\s*(?:[$>%#] |sudo (?:-\w+ )*|time |exec |[A-Za-z_]\w*=[^\s"'`]{0,200} ))*\s*/;

/** Commands of a fenced block (of any language or none) and of code spans in prose. */
export function* codePieces(passage: Passage): Generator<CodePiece> {
  const { block, normal } = passage;
  const toFile = (at: number) => passage.toFile(at);
  if (block.kind !== "code") {
    for (const span of normal.lower.matchAll(/`([^`\n]{2,400})`/g))
      yield* piecesOf(span[1] ?? "", span.index + 1, toFile, false);
    return;
  }
  const isShell = SHELL.test(block.language);
  if (!isShell && block.language !== "") return;
  let at = 0;
  let ends = "";
  for (const line of normal.lower.split("\n")) {
    // The text of a here document is no command.
    if (ends === "") yield* piecesOf(line, at, toFile, isShell);
    else if (line.trim() === ends) ends = "";
    ends ||= /<<-?\s*["']?(\w+)["']?\s*$/.exec(line)?.[1] ?? "";
    at += line.length + 1;
  }
}

function* piecesOf(
  line: string,
  at: number,
  toFile: (at: number) => number,
  isShell: boolean,
): Generator<CodePiece> {
  if (/^\s*#(?! [$])/.test(line)) return;
  // Inside quotes an operator is text: then only the first command is sure.
  const parts = /["'`]/.test(line) ? [line] : line.split(/(?<=&&|\|\||[;|])/);
  let from = at;
  for (const part of parts) {
    const lead = PREFIX.exec(part)?.[0].length ?? 0;
    const text = part.slice(lead).replace(/\s*(?:&&|\|\||[;|&\\])?\s*$/, "");
    const isOption = /^[-\\)}\]]/.test(text);
    if (text !== "" && !isOption) yield { text, start: toFile(from + lead), isShell };
    from += part.length;
  }
}

/** The little of shell grammar that is needed to compare two command lines. */

/** What stands behind a command: `|`, `&&`, `||`, `;` (or a line break), `&`; null at the end. */
type Joint = "|" | "&&" | "||" | ";" | "&" | null;

export interface Word {
  /** As written, quotes included. */
  readonly raw: string;
  /** Without quotes and escapes. */
  readonly value: string;
}

export interface Command {
  readonly words: readonly Word[];
  readonly next: Joint;
}

const REDIRECTION = /^(?:\d*|&)(?:>>?|<)(?:&\d+|&-)?(.*)$/s;

/** Drops redirections (`2>&1`, `> out.txt`): where output went doesn't change what was run. */
function withoutRedirections(words: readonly Word[]): Word[] {
  const kept: Word[] = [];
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i];
    if (word === undefined) continue;
    const match = REDIRECTION.exec(word.raw);
    if (match === null) kept.push(word);
    else if (match[1] === "" && !/&[\d-]+$/.test(word.raw)) i += 1;
  }
  return kept;
}

/** Length of the operator at `at`, 0 for none. `&` beside `>` belongs to a redirection. */
function jointLength(text: string, at: number): number {
  const two = text.slice(at, at + 2);
  if (two === "&&" || two === "||") return 2;
  const one = text[at];
  if (one === "&") return text[at - 1] === ">" || text[at + 1] === ">" ? 0 : 1;
  return one === "|" || one === ";" || one === "\n" ? 1 : 0;
}

/** End of the quoted part that starts at `at` (index behind the closing quote); -1 when it never ends. */
function quotedEnd(text: string, at: number): number {
  const quote = text[at];
  for (let i = at + 1; i < text.length; i += 1) {
    if (text[i] === "\\" && quote === '"') i += 1;
    else if (text[i] === quote) return i + 1;
  }
  return -1;
}

function unquoted(raw: string): string {
  return raw.replace(/'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/gs, (_all, single, double, escaped) => {
    if (typeof single === "string") return single;
    if (typeof double === "string") return double.replace(/\\(["\\$`])/g, "$1");
    return String(escaped);
  });
}

/** End of the piece of a word at `at`: a quoted part, an escaped character, or one character. */
function pieceEnd(text: string, at: number): number {
  const c = text[at];
  if (c === "'" || c === '"') return quotedEnd(text, at);
  return c === "\\" ? Math.min(at + 2, text.length) : at + 1;
}

/**
 * Splits a command line into commands of words.
 * @returns null for what isn't understood: an open quote, a here-document, a substitution, a loop
 */
export function splitShell(text: string): Command[] | null {
  if (/<<|\$\(|`/.test(text.replace(/'[^']*'/g, ""))) return null;
  const commands: Command[] = [];
  let words: Word[] = [];
  let raw = "";
  const endWord = () => {
    if (raw !== "") words.push({ raw, value: unquoted(raw) });
    raw = "";
  };
  const endCommand = (next: Joint) => {
    endWord();
    if (words.length > 0) commands.push({ words: withoutRedirections(words), next });
    words = [];
  };
  for (let i = 0; i < text.length; ) {
    const joint = jointLength(text, i);
    if (joint > 0) {
      const operator = text.slice(i, i + joint);
      endCommand(operator === "\n" ? ";" : (operator as Joint));
      i += joint;
    } else if (/\s/.test(text[i] ?? "")) {
      endWord();
      i += 1;
    } else {
      const end = pieceEnd(text, i);
      if (end < 0) return null;
      raw += text.slice(i, end);
      i = end;
    }
  }
  endCommand(null);
  return commands.some((command) =>
    /^(?:for|while|until|if|case|function|[({!])/.test(command.words[0]?.raw ?? ""),
  )
    ? null
    : commands;
}

/**
 * A shell command line as simple commands with their words, redirections and here-documents.
 *
 * Enough of the grammar to see where a command writes, for POSIX shells first and PowerShell and
 * cmd where they agree. No expansion: `$NAME` and `$(…)` stay in the words as they are written.
 */

export interface SimpleCommand {
  /** The words without redirections; quotes are gone. */
  readonly words: readonly string[];
  /** Targets of `>`, `>>`, `>|`, `&>` and `2>`. */
  readonly writesTo: readonly string[];
  /** What `<<` or `<<<` gives to the command, joined; null when it has none. */
  readonly input: string | null;
  /** The command lines of `$(…)` and backticks in its words. */
  readonly runs: readonly string[];
  /** It stands behind a `|`. */
  readonly readsPipe: boolean;
}

/** The simple commands of a command line, in order; those of subshells and loops as well. */
export function simpleCommands(line: string): SimpleCommand[] {
  return new Scanner(withoutHereStrings(line.replaceAll("\r\n", "\n"))).scan();
}

/** PowerShell's here-strings may hold anything, unpaired quotes too. */
function withoutHereStrings(line: string): string {
  let result = line;
  for (const mark of ["'", '"']) {
    const kept: string[] = [];
    let from = 0;
    for (let start = result.indexOf(`@${mark}\n`); start !== -1; ) {
      const end = result.indexOf(`\n${mark}@`, start + 2);
      if (end === -1) break;
      kept.push(result.slice(from, start), "''");
      from = end + 3;
      start = result.indexOf(`@${mark}\n`, from);
    }
    result = kept.join("") + result.slice(from);
  }
  return result;
}

type Expect = "word" | "target" | "source" | "here-document" | "here-string";

interface Draft {
  words: string[];
  writesTo: string[];
  input: string[];
  runs: string[];
  readsPipe: boolean;
}

const emptyDraft = (readsPipe: boolean): Draft => ({
  words: [],
  writesTo: [],
  input: [],
  runs: [],
  readsPipe,
});

class Scanner {
  readonly #text: string;
  readonly #commands: SimpleCommand[] = [];
  readonly #hereDocuments: { end: string; command: Draft }[] = [];
  #at = 0;
  #word: string | null = null;
  #isQuoted = false;
  #expect: Expect = "word";
  #command: Draft = emptyDraft(false);
  /** For each `(` the index of its `)`; made when the first `$(` needs it. */
  #closings: Int32Array | null = null;

  constructor(text: string) {
    this.#text = text;
  }

  scan(): SimpleCommand[] {
    while (this.#at < this.#text.length) this.#step(this.#text.charAt(this.#at));
    this.#endCommand();
    return this.#commands;
  }

  #step(character: string): void {
    const pair = character + this.#text.charAt(this.#at + 1);
    if ("'\"".includes(character)) this.#quote(character);
    else if (character === "\\") this.#escape();
    else if (character === "`" || pair === "$(") this.#substitution();
    else if ("<>".includes(character)) this.#redirection(character);
    else if (" \t".includes(character) || pair === "&>") this.#skipAndEndWord();
    else if (character === "\n") this.#newline();
    else if (";&|()".includes(character)) this.#separator();
    else if (character === "#" && this.#word === null) this.#at = this.#lineEnd();
    else this.#take(this.#at + 1);
  }

  #take(end: number): void {
    this.#word = (this.#word ?? "") + this.#text.slice(this.#at, end);
    this.#at = end;
  }

  #quote(mark: string): void {
    let end = this.#at + 1;
    let content = "";
    while (end < this.#text.length && this.#text.charAt(end) !== mark) {
      const next = this.#text.charAt(end + 1);
      if (mark === '"' && this.#text.charAt(end) === "\\" && '"$`'.includes(next)) end += 1;
      else if (mark === '"' && "$`".includes(this.#text.charAt(end))) {
        const after = this.#endOfRun(end);
        content += this.#text.slice(end, after);
        end = after;
        continue;
      }
      content += this.#text.charAt(end);
      end += 1;
    }
    if (this.#word === "$") this.#word = "";
    this.#word = (this.#word ?? "") + content;
    this.#isQuoted = true;
    this.#at = end + 1;
  }

  /** A backslash is an escape before what a shell treats specially; elsewhere it parts a Windows path. */
  #escape(): void {
    const next = this.#text.charAt(this.#at + 1);
    if (next === "\n") this.#at += 2;
    else if (next !== "" && " \t'\"$`&|;<>()*?#!{}[]".includes(next)) {
      this.#word = (this.#word ?? "") + next;
      this.#at += 2;
    } else this.#take(this.#at + 1);
  }

  #substitution(): void {
    const end = this.#endOfRun(this.#at);
    // One that is never closed takes the rest.
    this.#take(end === this.#at + 1 ? this.#text.length : end);
  }

  /** Index behind the `$(…)` or backticks at `start`, noted as run; behind one character when it is none. */
  #endOfRun(start: number): number {
    const isBacktick = this.#text.charAt(start) === "`";
    if (!isBacktick && this.#text.charAt(start + 1) !== "(") return start + 1;
    const first = start + (isBacktick ? 1 : 2);
    const end = isBacktick ? this.#text.indexOf("`", first) : this.#closingOf(start + 1);
    if (end === -1) return start + 1;
    const line = this.#text.slice(first, end);
    // `$((a > b))` only counts.
    if (isBacktick || !/^\(.*\)$/s.test(line)) this.#command.runs.push(line);
    return end + 1;
  }

  /** Index of the `)` for the `(` at an index, quotes not minded; -1 when there is none. */
  #closingOf(open: number): number {
    if (this.#closings === null) {
      this.#closings = new Int32Array(this.#text.length).fill(-1);
      const pending: number[] = [];
      for (let at = 0; at < this.#text.length; at += 1) {
        const character = this.#text.charAt(at);
        if (character === "(") pending.push(at);
        else if (character === ")") this.#closings[pending.pop() ?? at] = at;
      }
    }
    return this.#closings[open] ?? -1;
  }

  #redirection(sign: string): void {
    // `2>`: the number is a file descriptor, not a word.
    if (this.#word !== null && !this.#isQuoted && /^\d+$/.test(this.#word)) this.#word = null;
    this.#endWord();
    const operator = /^(?:<<<|<<-?|<>|<|>>|>\||>)/.exec(this.#text.slice(this.#at, this.#at + 3));
    this.#at += operator?.[0].length ?? 1;
    const duplicate = /^&(\d+|-)/.exec(this.#text.slice(this.#at, this.#at + 4));
    if (duplicate !== null) {
      this.#at += duplicate[0].length;
      return;
    }
    if (this.#text.charAt(this.#at) === "&") this.#at += 1;
    if (operator?.[0] === "<<<") this.#expect = "here-string";
    else if (operator?.[0].startsWith("<<") === true) this.#expect = "here-document";
    else this.#expect = sign === ">" || operator?.[0] === "<>" ? "target" : "source";
  }

  #skipAndEndWord(): void {
    this.#endWord();
    this.#at += 1;
  }

  #separator(): void {
    const isPipe =
      this.#text.charAt(this.#at) === "|" &&
      this.#text.charAt(this.#at + 1) !== "|" &&
      this.#text.charAt(this.#at - 1) !== "|";
    this.#endCommand(isPipe);
    this.#at += 1;
  }

  #newline(): void {
    this.#endWord();
    this.#at += 1;
    for (const { end, command } of this.#hereDocuments.splice(0)) {
      command.input.push(this.#hereDocument(end));
    }
    this.#endCommand();
  }

  #hereDocument(end: string): string {
    const lines: string[] = [];
    while (this.#at < this.#text.length) {
      const lineEnd = this.#lineEnd();
      const line = this.#text.slice(this.#at, lineEnd);
      this.#at = lineEnd + 1;
      if (line.trim() === end) break;
      lines.push(line);
    }
    return lines.join("\n");
  }

  #endWord(): void {
    const word = this.#word;
    if (word === null) return;
    if (this.#expect === "word") this.#command.words.push(word);
    else if (this.#expect === "target") this.#command.writesTo.push(word);
    else if (this.#expect === "here-string") this.#command.input.push(word);
    else if (this.#expect === "here-document") {
      this.#hereDocuments.push({ end: word, command: this.#command });
    }
    this.#word = null;
    this.#isQuoted = false;
    this.#expect = "word";
  }

  #endCommand(isPiped = false): void {
    this.#endWord();
    const draft = this.#command;
    const isEmpty = draft.words.length === 0 && draft.writesTo.length === 0;
    if (!isEmpty) this.#commands.push(finished(draft));
    // `| \n cmd` and `|& cmd`: the pipe goes on.
    this.#command = emptyDraft(isPiped || (isEmpty && draft.readsPipe));
  }

  #lineEnd(): number {
    const end = this.#text.indexOf("\n", this.#at);
    return end === -1 ? this.#text.length : end;
  }
}

/** The body of a here-document is read after its command ended, hence the getter. */
function finished(draft: Draft): SimpleCommand {
  return {
    words: draft.words,
    writesTo: draft.writesTo,
    runs: draft.runs,
    readsPipe: draft.readsPipe,
    get input() {
      return draft.input.length === 0 ? null : draft.input.join("\n");
    },
  };
}
